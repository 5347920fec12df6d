"""Learning in the background: threads, their pace, and what is recorded of a run."""
