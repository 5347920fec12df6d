"""A browser without a screen, against a server that says what the test wants it to."""

from __future__ import annotations

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.server import serve

from benchmarks.load.client import PageClient
from tests.helpers.coroutines import run_coroutine

SECONDS = 60


def button(key, disabled=False, fragment="", cacheable=False):
    message = ForwardMsg(hash=f"hash of {key}, {disabled}")
    message.metadata.cacheable = cacheable
    message.metadata.delta_path.extend([0, 3])
    message.delta.fragment_id = fragment
    message.delta.new_element.button.id = f"$$ID-0123abcd-{key}"
    message.delta.new_element.button.disabled = disabled
    return message


def finished(how=ForwardMsg.FINISHED_SUCCESSFULLY):
    return ForwardMsg(script_finished=how)


def new_session(age=2):
    message = ForwardMsg()
    message.new_session.config.max_cached_message_age = age
    return message


def visit(use, *answers):
    """Run ``use(client, asked)`` against a server with an answer for each thing that is asked.

    ``asked`` grows by every request; a request that no answer is left for is not answered. An
    answer of None ends the connection.
    """
    requested, left = [], list(answers)

    async def server(socket):
        async for data in socket:
            message = BackMsg()
            message.ParseFromString(data)
            requested.append(message.rerun_script)
            for answer in left.pop(0) if left else ():
                if answer is None:
                    await socket.close()
                    return
                await socket.send(answer.SerializeToString())

    async def run():
        async with serve(server, "127.0.0.1", 0, subprotocols=["streamlit"]) as serving:
            port = serving.sockets[0].getsockname()[1]
            client = PageClient(f"http://127.0.0.1:{port}/base/", "train", "depth=3")
            await client.open()
            try:
                await use(client, requested)
            finally:
                await client.close()
            return client

    return run_coroutine(run())


def test_it_asks_for_a_page_by_name_and_then_by_what_the_navigation_called_it():
    navigation = ForwardMsg()
    navigation.navigation.page_script_hash = "beef"
    link = ForwardMsg()
    link.page_info_changed.query_string = "depth=4"

    async def use(client, requested):
        assert await client.until(lambda: client.n_finished == 1, SECONDS)
        await client.click("play")
        assert await client.until(lambda: client.n_finished == 2, SECONDS)

    page = [new_session(), navigation, link, button("play"), finished()]
    requested = []
    client = visit(lambda c, a: (requested.append(a), use(c, a))[1], page, [finished()])
    first, second = requested[0]
    assert (first.page_name, first.page_script_hash) == ("train", "")
    assert (first.query_string, len(first.widget_states.widgets)) == ("depth=3", 0)
    assert (second.page_name, second.page_script_hash) == ("", "beef")
    assert second.query_string == "depth=4"
    (pressed,) = second.widget_states.widgets
    assert (pressed.id, pressed.trigger_value) == ("$$ID-0123abcd-play", True)
    assert client.n_bytes == sum(len(one.SerializeToString()) for one in [*page, finished()])
    assert not client.lost


def test_a_click_runs_the_fragment_that_drew_the_button():
    async def use(client, requested):
        assert await client.until(lambda: client.pressable("go-on"), SECONDS)
        await client.click("go-on")
        assert await client.until(lambda: not client.pressable("go-on"), SECONDS)
        assert requested[1].fragment_id == "stage"
        with pytest.raises(LookupError, match="'go-on' cannot be pressed"):
            await client.click("go-on")
        with pytest.raises(LookupError, match="'reset' cannot be pressed"):
            await client.click("reset")

    shown = [button("go-on", fragment="stage")]
    visit(use, shown, [button("go-on", disabled=True, fragment="stage")])


def test_a_message_that_the_server_only_names_is_the_one_it_has_sent():
    again = ForwardMsg(ref_hash="hash of play, False")
    again.metadata.delta_path.extend([0, 5])

    async def use(client, requested):
        assert await client.until(lambda: client.n_finished == 1, SECONDS)
        client.buttons.clear()
        await client._run()
        assert await client.until(lambda: client.n_finished == 2, SECONDS)
        assert client.pressable("play")
        assert list(requested[1].cached_message_hashes) == ["hash of play, False"]

    visit(use, [button("play", cacheable=True), finished()], [again, finished()])


def test_messages_are_forgotten_after_as_many_runs_as_the_server_says():
    async def use(client, requested):
        for n in range(1, 5):
            assert await client.until(lambda n=n: client.n_finished == n, SECONDS)
            await client._run()
        assert await client.until(lambda: len(requested) == 5, SECONDS)
        known = [list(one.cached_message_hashes) for one in requested]
        assert known == [[], ["hash of play, False"], ["hash of play, False"], [], []]

    page = [new_session(age=2), button("play", cacheable=True), finished()]
    visit(use, page, [finished()], [finished()], [finished()], [ForwardMsg(ref_hash="?")])


def test_runs_that_others_have_overtaken_do_not_count():
    async def use(client, requested):
        assert await client.until(lambda: client.n_finished == 1, SECONDS)

    client = visit(use, [finished(ForwardMsg.FINISHED_EARLY_FOR_RERUN), finished()])
    assert client.n_finished == 1


def test_a_fragment_runs_again_until_the_server_says_stop():
    start, stop = ForwardMsg(), ForwardMsg()
    start.auto_rerun.fragment_id, start.auto_rerun.interval = "stage", 0.001
    stop.stop_auto_rerun.fragment_ids.append("stage")

    async def use(client, requested):
        assert await client.until(lambda: client.n_finished == 1, SECONDS)
        assert all(one.is_auto_rerun and one.fragment_id == "stage" for one in requested[1:])
        for _ in range(2):
            await client._run()

        def plain():
            return [number for number, one in enumerate(requested) if not one.is_auto_rerun]

        assert await client.until(lambda: len(plain()) == 3, SECONDS)
        assert plain()[2] == plain()[1] + 1, "nothing has been asked since the server said so"

    visit(use, [start, start], [], [], [stop, finished()], *[[finished()]] * 9)


def test_a_connection_that_the_server_ends_is_lost_and_ends_all_waiting():
    async def use(client, requested):
        assert not await client.until(lambda: False, SECONDS)

    assert visit(use, [button("play"), None]).lost
