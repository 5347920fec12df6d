"""A run as one page that opens without a server."""
