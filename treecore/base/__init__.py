"""What knows nothing of trees: settings with ranges, files written whole, portions of time."""
