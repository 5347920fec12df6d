"""The papers' figures, measured again and drawn over the published values.

::

    python -m benchmarks.reproduce figure3 --quick --data FOLDER

    __main__.py       the command line, with all figures by name
    figure.py         what a figure is: a module with certain names
    reproduction.py   how it is measured point by point and continued, in a folder (folder.py)
    page.py           the Markdown page of one reproduction, and docs/results.md made of them
    drawing.py        one style of drawing for all

and one file for every figure. The datasets, the rule by which settings are chosen and the published
numbers are those of all benchmarks: `data.py`, `protocol.py` and `published/` in `benchmarks`.
"""
