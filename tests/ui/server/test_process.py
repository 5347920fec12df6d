"""What a process costs, as Linux tells it."""

from ui.server.process import Usage, cores, parse_usage

STAT = (
    "42 (a (strange) name) S 1 42 42 0 -1 4194560 9 0 0 0 "
    "250 50 7 7 20 0 12 0 1000 123456789 2560 18446744073709551615"
)


def test_fields_are_counted_after_a_name_that_holds_blanks_and_brackets():
    assert parse_usage(STAT, 3.0, ticks=100, page=4096) == Usage(3.0, 3.0, 10.0, 12)


def test_processors_are_processor_time_by_time():
    before, after = Usage(10.0, 4.0, 1.0, 1), Usage(14.0, 7.0, 1.0, 1)
    assert cores(before, after) == 0.75
