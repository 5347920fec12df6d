"""Sphinx's directives and roles of this site; what they show comes from the modules beside."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import ClassVar

import click
from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective, SphinxRole

from docs.site.app_links import APP, LINKS, RUNS, lessons_text
from docs.site.measured import FigureError, defaults_text, measured_text
from docs.site.methods import facts_text, methods_text, settings_text
from docs.site.plotted import draw
from docs.site.recorded import write_recorded
from treecore.cli import COMMANDS, main
from treecore.training.registry import find_method


class _Text(SphinxDirective):
    """Shows Markdown that its ``text`` gives."""

    def text(self) -> str:
        raise NotImplementedError

    def run(self) -> list[nodes.Node]:
        try:
            text = self.text()
        except (FigureError, ValueError) as error:
            raise self.error(str(error)) from None
        holder = nodes.Element()
        holder.document = self.state.document
        self.state.nested_parse(StringList(text.splitlines(), self.name), 0, holder)
        return holder.children


class MethodFacts(_Text):
    """``{facts} NAME``: what it does and can learn from."""

    required_arguments = 1

    def text(self) -> str:
        return facts_text(find_method(self.arguments[0]))


class MethodSettings(_Text):
    """``{settings} NAME``: a table of all its settings."""

    required_arguments = 1

    def text(self) -> str:
        return settings_text(find_method(self.arguments[0]))


class MethodDefaults(_Text):
    """``{defaults} NAME``: what it reaches with its defaults."""

    required_arguments = 1

    def text(self) -> str:
        return defaults_text(self.arguments[0])


class Methods(_Text):
    """``{methods}``: the list of all."""

    def text(self) -> str:
        return methods_text()


class Lessons(_Text):
    """``{lessons}``: what the app's lessons are called and ask, each a link to it."""

    def text(self) -> str:
        return lessons_text()


class Commands(_Text):
    """``{commands}``: the help of each command of ``treecore``, as a terminal shows it."""

    def text(self) -> str:
        group = click.Context(main, info_name="treecore")
        parts = []
        for name in COMMANDS:
            context = click.Context(
                main.get_command(group, name), parent=group, info_name=name, terminal_width=100
            )
            parts.append(f"### treecore {name}\n\n```text\n{context.get_help()}\n```")
        return "\n\n".join(parts)


class Measured(_Text):
    """``{measured} FILE``: rows of a table that a command has written."""

    required_arguments = 1
    option_spec: ClassVar = {
        "part": directives.unchanged_required,
        "where": directives.unchanged,
        "columns": directives.unchanged,
    }

    def text(self) -> str:
        options = (self.options.get(name, "") for name in ("part", "where", "columns"))
        return measured_text(self.arguments[0], *options)


class Themed(_Text):
    """``{themed} home-THEME.png``: a picture in the reader's theme, light or dark.

    What it holds says what the picture shows.
    """

    required_arguments = 1
    has_content = True
    option_spec: ClassVar = {"width": directives.unchanged}

    def text(self) -> str:
        options = f":alt: {' '.join(self.content)}\n"
        if "width" in self.options:
            options += f":width: {self.options['width']}\n"
        return "\n".join(
            f"```{{image}} {self.arguments[0].replace('THEME', theme)}\n"
            f"{options}:class: only-{theme}\n```"
            for theme in ("light", "dark")
        )


class Recorded(SphinxDirective):
    """``{recorded} NAME``: runs of :data:`docs.site.app_links.RUNS`, to be played where they stand.

    What it holds says what they show.
    """

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        name = self.arguments[0]
        if name not in RUNS:
            raise self.error(f"no runs are called {name!r}; there are {', '.join(RUNS)}")
        address = "../" * self.env.docname.count("/") + write_recorded(
            name, Path(self.env.app.outdir)
        )
        frame = f'<iframe class="recorded" src="{address}" title="{escape(name)}" loading="lazy">'
        said = self.parse_content_to_nodes()
        alone = nodes.reference("", "alone in a window", refuri=address, internal=False)
        app = nodes.reference("", "in the app", refuri=f"{APP}/{LINKS[name]()}", internal=False)
        text = nodes.Text
        last = nodes.paragraph("", "", text("Open it "), alone, text(" or "), app, text("."))
        return [*said, nodes.raw("", f"{frame}</iframe>", format="html"), last]


class Plotted(SphinxDirective):
    """``{plotted} FILE``: a figure that the programs of the page save under that name.

    What it holds says what the figure shows.
    """

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        name = self.env.docname
        figures = self.env.temp_data.get("plotted")
        if figures is None:
            page = Path(self.env.doc2path(name)).read_text(encoding="utf-8")
            figures = draw(page, name, Path(self.env.app.outdir))
            self.env.temp_data["plotted"] = figures
        address = "../" * name.count("/") + figures[self.arguments[0]]
        said = escape(" ".join(self.content), quote=True)
        image = f'<img class="plotted" src="{address}" alt="{said}" loading="lazy">'
        return [nodes.raw("", f"<p>{image}</p>", format="html")]


class AppLink(SphinxRole):
    """``{app}`text <name>``: opens the app in a state of :data:`docs.site.app_links.LINKS`."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        shown, _, name = self.text.rpartition("<")
        name = name.rstrip(">").strip()
        if name not in LINKS:
            message = f"no link into the app is called {name!r}; there are {', '.join(LINKS)}"
            return [], [self.inliner.reporter.error(message, line=self.lineno)]
        address = f"{APP}/{LINKS[name]()}"
        return [nodes.reference("", shown.strip(), refuri=address, internal=False)], []


def setup(app: Sphinx) -> dict[str, bool]:
    """What Sphinx calls."""
    app.add_directive("facts", MethodFacts)
    app.add_directive("settings", MethodSettings)
    app.add_directive("defaults", MethodDefaults)
    app.add_directive("methods", Methods)
    app.add_directive("lessons", Lessons)
    app.add_directive("commands", Commands)
    app.add_directive("measured", Measured)
    app.add_directive("themed", Themed)
    app.add_directive("recorded", Recorded)
    app.add_directive("plotted", Plotted)
    app.add_role("app", AppLink())
    return {"parallel_read_safe": True}
