"""The query of a page's link: what it says, and how it is said."""
