"""A file that was given stays the session's when its page is left."""

from streamlit.testing.v1 import AppTest


def _page():
    import streamlit as st

    from ui.widgets.upload import upload_control

    if not st.checkbox("another page"):
        file = upload_control("A file", "given", type="csv")
        st.text(f"{file.name}: {file.getvalue().decode()}" if file else "nothing")


def _leave_and_come_back(app: AppTest) -> None:
    app.checkbox[0].check().run()
    assert not app.text
    app.checkbox[0].uncheck().run()


def test_a_file_is_there_again_on_the_next_page_until_it_is_taken_away():
    app = AppTest.from_function(_page).run()
    assert app.text[0].value == "nothing"
    assert not app.button
    app.file_uploader(key="given").upload("mine.csv", b"a,b", "text/csv").run()
    assert app.text[0].value == "mine.csv: a,b"
    assert not app.button
    _leave_and_come_back(app)
    assert app.text[0].value == "mine.csv: a,b"
    assert "mine.csv" in app.caption[0].value
    app.button[0].click().run()
    assert app.text[0].value == "nothing"
    _leave_and_come_back(app)
    assert app.text[0].value == "nothing"
    assert not app.exception


def test_another_file_takes_its_place():
    app = AppTest.from_function(_page).run()
    app.file_uploader(key="given").upload("mine.csv", b"a,b", "text/csv").run()
    _leave_and_come_back(app)
    app.file_uploader(key="given").upload("other.csv", b"c", "text/csv").run()
    assert app.text[0].value == "other.csv: c"
    assert not app.button
    _leave_and_come_back(app)
    assert app.text[0].value == "other.csv: c"
    assert not app.exception
