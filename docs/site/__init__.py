"""What the documentation site is made of besides its pages: tables from the registry, measured
figures from files that commands write, links into the app, and Sphinx's directives for them.
"""
