"""The documentation: pages in Markdown, and in ``site`` what makes a site of them."""
