"""Visitors that speak the app's protocol: how it stands when many come at once."""
