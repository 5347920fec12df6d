"""Words that a newcomer may not know, explained in ``glossary.yaml`` in every language."""

from pathlib import Path

import yaml

from ui.language.translate import MultilingualText

_TEXTS = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))

STEP_GLOSSARY, STEP_NUMBERS, LESSON_GLOSSARY, FOREST_GLOSSARY = (
    {
        word: MultilingualText(texts["en"], **{code: texts[code] for code in texts if code != "en"})
        for word, texts in _TEXTS[section].items()
    }
    for section in ("step", "numbers", "lesson", "forest")
)
"""Of slow motion, and what differs there for numbers; of lessons; of forests."""
