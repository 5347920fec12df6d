"""Figures, pictures and their colours, none of which moves."""
