"""``python -m treecore``: the command line without its entry point."""

from treecore.cli import main

main(prog_name="treecore")
