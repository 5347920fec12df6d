"""Readers of table files: how a file becomes a matrix, in five steps.

::

    bytes ─► text              text, layout            encoding, separator, titles, first row
      │
      ▼
    blocks of columns          csv, parquet, workbook  a Table: numbers or text, under names
      │
      ▼
    what each column holds     text_summary, dates     counted once, in the rows with a target
      │
      ▼
    what it is taken for       guesses, targets        numbers, dates or words, and why; or as
      │                                                somebody says (settings)
      ▼
    matrix, names, notes       encoding, whole_table   a Dataset; columns say how to encode
                                                       later rows in the same way

A refusal is a TableError (table): one sentence that says what is wrong, where, and what to do.
"""
