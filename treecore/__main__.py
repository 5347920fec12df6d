"""The entry point of ``treecore`` and of ``python -m treecore``."""

import sys


def run() -> None:
    """Run the command line; without its extra ``cli``, say in a sentence what to install."""
    try:
        from treecore.cli import main
    except ModuleNotFoundError as error:
        if error.name not in ("click", "rich"):
            raise
        sys.exit(f"treecore needs {error.name} for its commands: pip install 'treecore[cli]'")
    main(prog_name="treecore")


if __name__ == "__main__":
    run()
