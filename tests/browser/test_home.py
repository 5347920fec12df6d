"""The first page and the lessons in a real browser: the story is told, a lesson is played."""

from tests.helpers.wait import until


def story(screen):
    """The three steps, once they are there."""
    root = screen.page.locator("[data-testid=home][data-step]")
    root.wait_for()
    return root


def at(screen, name):
    """The number of the tree that one of the two pictures shows; -1 where it has not begun."""
    return int(screen.page.get_by_test_id(f"home-{name}").get_attribute("data-at"))


def test_the_story_tells_itself_until_it_is_paused(visit):
    screen = visit()
    root = story(screen)
    assert root.get_attribute("data-step") == "0"
    assert at(screen, "sgd") == -1, "its turn comes"
    until(lambda: at(screen, "greedy") == 2, "for the last level of the greedy tree")
    until(lambda: root.get_attribute("data-step") == "1", "for the second step")
    until(lambda: at(screen, "sgd") > 5, "for passes of the other tree")
    screen.press("Pause")
    still = at(screen, "sgd")
    screen.stays()
    assert at(screen, "sgd") == still
    screen.press("Play")
    until(lambda: root.get_attribute("data-step") == "2", "for the end")


def test_the_browser_learns_the_second_tree_and_shows_the_recording_where_it_cannot(visit):
    screen = visit()
    reached = []
    for learnt in ("here", "before"):
        screen.press("2 All splits together")
        card = screen.page.locator(f"[data-testid=home-sgd][data-learnt={learnt}]")
        until(lambda card=card: card.get_attribute("data-at") == "59", "for its last pass")
        reached.append(card.locator("figcaption").inner_text())
        screen.page.add_init_script("delete globalThis.WebAssembly")
        screen.page.reload()
    assert reached[0] == reached[1]


def test_arrow_keys_and_buttons_go_from_step_to_step_and_the_last_one_stays(visit):
    screen = visit()
    root = story(screen)
    screen.press("2 All splits together")
    assert root.get_attribute("data-step") == "1"
    assert at(screen, "greedy") == 2, "the first step is done"
    screen.page.keyboard.press("ArrowRight")
    until(lambda: root.get_attribute("data-step") == "2", "for the third step")
    screen.page.keyboard.press("ArrowLeft")
    until(lambda: root.get_attribute("data-step") == "1", "for the second step")
    focused = root.get_by_role("button", name="2 All splits together")
    assert focused.evaluate("e => e.getRootNode().activeElement === e")
    screen.press("3 Your turn")
    screen.page.get_by_role("button", name="Play", exact=True).wait_for()
    screen.page.wait_for_timeout(2500)  # longer than a step rests at its end
    assert root.get_attribute("data-step") == "2"
    assert at(screen, "sgd") > 50, "both trees are finished"
    screen.press("Play")
    until(lambda: root.get_attribute("data-step") == "0", "for the beginning")


def test_who_asked_for_less_motion_sees_finished_trees(visit):
    screen = visit(reduced_motion="reduce")
    story(screen)
    assert at(screen, "greedy") == 2
    screen.stays()
    screen.press("2 All splits together")
    last = at(screen, "sgd")
    assert last > 50
    screen.stays()
    assert at(screen, "sgd") == last
    screen.page.get_by_role("button", name="Play", exact=True).wait_for()


def test_on_a_telephone_a_door_leads_to_the_lessons(visit):
    screen = visit(width=390, height=844)
    page = screen.page
    story(screen)
    assert screen.overflow() <= 0, "nothing hangs over the side"
    page.get_by_role("link", name="Begin with a lesson").click()
    page.wait_for_url("**/learn**")
    page.get_by_text("a single leaf").first.wait_for()
    assert screen.overflow() <= 0, "nothing hangs over the side"


def test_a_word_explains_itself_within_the_screen(visit):
    page = visit("learn?lesson=1", width=390, height=844).page
    word = page.locator(".lesson .term").nth(3)
    word.wait_for()
    tip = word.locator(".tip")
    assert not tip.is_visible()
    word.focus()
    tip.wait_for()
    box = tip.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390


def test_answers_outlive_the_tab_and_can_be_forgotten(own_context, served):
    context = own_context()
    kept = "localStorage.getItem('treecore.answers')"
    page = context.new_page()
    page.goto(f"{served.address}/learn?lesson=1")
    page.get_by_text("Tree II, which splits at any angle").click()
    page.get_by_role("button", name="Play and see").click()
    page.wait_for_function(f"() => ({kept} ?? '').includes('angles')")
    page.close()

    later = context.new_page()
    later.goto(f"{served.address}/learn?lesson=1")
    later.get_by_text("Your answer is recorded").wait_for()
    chosen = later.locator(".stRadio input:checked")
    assert chosen.count() == 1
    assert chosen.is_disabled()
    later.get_by_role("button", name="My answers").click()
    later.get_by_role("button", name="Delete my answers").click()
    later.get_by_text("Choose an answer first").wait_for()
    later.wait_for_function(f"() => {kept} === null")
