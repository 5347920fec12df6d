"""What all runs of a server share: its processors, its memory, its threads and its log."""
