"""Settings with ranges, atomic writes, checkpoint files, slices of time: nothing about trees."""
