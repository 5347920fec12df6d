"""The choice of data: shapes on demand, sample files, a file of one's own, points by hand."""
