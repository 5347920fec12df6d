"""SGD on the surrogate bound (Norouzi et al. 2015), plain and stable."""
