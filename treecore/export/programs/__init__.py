"""Models as programs: in Python, C, JavaScript and SQL, each a writer of one function."""
