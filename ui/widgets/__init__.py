"""Controls that several pages have."""
