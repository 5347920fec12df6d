"""Pictures of trees, written down as SVG."""
