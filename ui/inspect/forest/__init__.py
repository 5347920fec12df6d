"""A forest in Inspect: its votes and margins over the plane, its members."""
