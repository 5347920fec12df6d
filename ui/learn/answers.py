"""What a visitor has answered: recorded before it is settled, kept by the browser, taken as CSV.

The server keeps answers for as long as the tab is open. The browser keeps them longer
(``treecore/viewer/js/pages/answers.js``): who comes back tomorrow goes on where they were. Nobody
else gets them, and no name is asked for.
"""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ui.learn.parts import QUESTIONS, WHY, Lesson

Key = tuple[str, str, int]
"""A lesson, one of its questions, and the seed of the points."""


@dataclass(frozen=True)
class Record:
    """An answer's number in the lesson's table; right: none until runs have settled it."""

    choice: int
    right: bool | None = None


class GivenAnswers:
    """The answers of one visitor: the first to every question about the same points."""

    def __init__(self, lessons: Sequence[Lesson]):
        self._lessons = {lesson.key: lesson for lesson in lessons}
        self._records: dict[Key, Record] = {}
        self.is_restored = False
        self.n_forgotten = 0

    def get(self, lesson: Lesson, question: str, seed: int) -> Record | None:
        return self._records.get((lesson.key, question, seed))

    def give(self, lesson: Lesson, question: str, seed: int, choice: int) -> None:
        right = None
        if question == WHY:  # settled by itself: the mechanism is the one without a refutation
            right = lesson.reasons[choice].against is None
        self._records.setdefault((lesson.key, question, seed), Record(choice, right))

    def settle(self, lesson: Lesson, question: str, seed: int, right: int) -> None:
        """Say which choice the runs have borne out, once for every answer."""
        known = self.get(lesson, question, seed)
        if known is not None and known.right is None:
            settled = Record(known.choice, known.choice == right)
            self._records[lesson.key, question, seed] = settled

    def is_done(self, lesson: Lesson) -> bool:
        """Whether all questions of a lesson have been answered, with whatever points."""
        settled = [key for key, record in self._records.items() if record.right is not None]
        requested = {(key, question) for key, question, _ in settled}
        return all((lesson.key, question) in requested for question in QUESTIONS)

    def forget(self) -> None:
        self._records.clear()
        self.n_forgotten += 1

    def __len__(self) -> int:
        return len(self._records)

    # The browser ---------------------------------------------------------------------------------

    def message(self) -> dict[str, Any]:
        return {
            "restored": self.is_restored,
            "forgotten": self.n_forgotten,
            "records": [[*key, one.choice, one.right] for key, one in self._records.items()],
        }

    def restore(self, kept: Any) -> None:
        """Take over what the browser has kept and is an answer; present ones are not replaced."""
        self.is_restored = True
        for entry in (kept if isinstance(kept, list) else [])[:2000]:
            found = self._read(entry)
            if found is not None:
                self._records.setdefault(*found)

    def _read(self, entry: Any) -> tuple[Key, Record] | None:
        if not (isinstance(entry, list) and len(entry) == 5):
            return None
        key, question, seed, choice, right = entry
        lesson = self._lessons.get(key) if isinstance(key, str) else None
        if lesson is None or question not in QUESTIONS:
            return None
        numbers = all(isinstance(n, int) and not isinstance(n, bool) for n in (seed, choice))
        if not numbers or not 0 <= seed <= 2**32 - 1 or right not in (True, False, None):
            return None
        if not 0 <= choice < len(lesson.choices(question)):
            return None
        return (key, question, seed), Record(choice, None if right is None else bool(right))

    # The file ------------------------------------------------------------------------------------

    def as_csv(self) -> str:
        """All answers as a table, a row each; right is 1, 0, or empty where nothing settled it."""
        lessons = list(self._lessons)

        def place(key: Key) -> tuple[int, int, int]:
            return lessons.index(key[0]), QUESTIONS.index(key[1]), key[2]

        text = io.StringIO()
        table = csv.writer(text, lineterminator="\n")
        table.writerow(("lesson", "question", "seed", "answer", "right"))
        for key in sorted(self._records, key=place):
            lesson, record = self._lessons[key[0]], self._records[key]
            right = "" if record.right is None else int(record.right)
            answer = lesson.choices(key[1])[record.choice]
            table.writerow((lesson.key, key[1], key[2], answer, right))
        return text.getvalue()
