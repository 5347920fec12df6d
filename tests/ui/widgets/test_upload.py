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


def test_a_file_is_there_again_on_the_next_page_until_another_comes_or_it_is_taken_away():
    app = AppTest.from_function(_page).run()
    assert app.text[0].value == "nothing"
    for name, content in (("mine.csv", "a,b"), ("other.csv", "c")):
        app.file_uploader(key="given").upload(name, content.encode(), "text/csv").run()
        assert app.text[0].value == f"{name}: {content}"
        assert not app.button
        _leave_and_come_back(app)
        assert app.text[0].value == f"{name}: {content}"
        assert name in app.caption[0].value
    app.button[0].click().run()
    assert app.text[0].value == "nothing"
    _leave_and_come_back(app)
    assert app.text[0].value == "nothing"
    assert not app.exception
