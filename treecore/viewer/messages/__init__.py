"""What a run has to show, as messages that the live view draws."""
