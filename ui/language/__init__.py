"""What the app says in other languages: one catalogue of gettext for each."""
