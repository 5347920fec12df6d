"""What surrounds every page: menu, style, glossary, links for a class."""
