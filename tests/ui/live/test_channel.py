"""Channels: an address of their own, and news only for whom they are new."""

import numpy as np

from treecore.viewer.messages.wire import unpack
from ui.live.channel import Channel, find_channel, open_channels


class Counter:
    """A source whose news is a number."""

    def __init__(self, value=0):
        self.value = value
        self.looks = 0
        self.done = []

    def news(self, have):
        self.looks += 1
        if have.get("value") == self.value:
            return None
        return {"value": self.value}, {"double": np.array([2 * self.value], dtype=np.int32)}

    def look(self):
        self.looks += 1

    def do(self, what, value):
        self.done.append((what, value))


def test_a_channel_is_found_by_its_token_alone_and_until_it_is_closed():
    one, other = Channel(), Channel()
    assert find_channel(one.token) is one
    assert find_channel(other.token) is other
    assert len(one.token) >= 32
    assert {one, other} <= set(open_channels())
    one.close()
    other.close()
    assert find_channel(one.token) is None
    assert find_channel("") is None
    assert not {one, other} & set(open_channels())


def test_one_message_has_the_news_of_all_views_that_are_asked_for():
    channel = Channel()
    for name, value in (("a", 1), ("b", 2), ("c", 3)):
        channel.show(name, Counter(value))
    meta, arrays = unpack(channel.answer({"a": {}, "b": {"value": 2}, "nobody": {}, "c": {}}))
    assert meta == {"views": {"a": {"value": 1}, "c": {"value": 3}}}
    assert {name: array.tolist() for name, array in arrays.items()} == {
        "a/double": [2],
        "c/double": [6],
    }
    assert channel.answer({"a": {"value": 1}}) is None
    assert channel.answer({}) is None
    channel.close()
    assert channel.answer({"a": {}}) is None


def test_whoever_listens_is_woken_until_he_leaves():
    channel = Channel()
    woken = []
    end = channel.listen(lambda: woken.append(1))
    also = channel.listen(lambda: woken.append(2))
    channel.announce()
    assert woken == [1, 2]
    assert channel.n_listeners == 2
    end()
    channel.show("a", Counter())
    assert woken == [1, 2, 2]
    also()
    channel.close()
    assert woken == [1, 2, 2]


def test_commands_and_looks_reach_what_is_shown_now():
    channel = Channel()
    first, second = Counter(), Counter()
    channel.show("a", first)
    channel.show("a", second)
    channel.do("a", "play", None)
    channel.do("b", "play", None)
    channel.look()
    assert (first.done, first.looks) == ([], 0)
    assert (second.done, second.looks) == ([("play", None)], 1)
    channel.close()
