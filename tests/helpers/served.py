"""Streamlit's command line, and a signal at which the server tells of its threads.

Run as ``python -m tests.helpers.served FILE run app.py ...``: at SIGUSR1 the file is written anew,
a line with number and name for every thread. The number is the system's: Python gives the
identity of a thread that has ended to the next one.
"""

from __future__ import annotations

import os
import signal
import sys
import threading

from streamlit.web.cli import main


def tell(*_) -> None:
    told = "\n".join(f"{thread.native_id} {thread.name}" for thread in threading.enumerate())
    with open(f"{FILE}.new", "w", encoding="utf-8") as file:
        file.write(told)
    os.replace(f"{FILE}.new", FILE)  # whole or not at all


if __name__ == "__main__":
    FILE = sys.argv.pop(1)
    signal.signal(signal.SIGUSR1, tell)
    main()
