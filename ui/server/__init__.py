"""What the server answers beside Streamlit's own pages."""
