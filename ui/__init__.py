"""What the pages share; nothing in here trains."""
