"""What the choice of data shows of each: its title, a sentence and a small picture."""

from functools import cache
from urllib.parse import quote

import numpy as np
from PIL import Image, ImageDraw

from treecore.data import GENERATORS, Dataset, generate, subsample
from treecore.viewer import principal_plane
from ui.drawing.png import as_address, png
from ui.drawing.theme import Paint
from ui.language.translate import N_, _
from ui.widgets.data.gallery import DRAWN, FILES, UPLOAD, sample, title_of

SIDE = 144
"""Pixels of a picture; pages show it smaller."""

_OWN = {
    UPLOAD: (
        N_("Your own"),
        N_("A file with a table of numbers, words or dates, such as CSV or Excel."),
    ),
    DRAWN: (N_("Draw"), N_("Points of your own, drawn with the pointer or with keys.")),
}

_SIGNS = {
    UPLOAD: '<rect x="5" y="5" width="30" height="30" rx="8" stroke-dasharray="4"/>'
    '<path d="M12 20H28M20 12V28"/>',
    DRAWN: '<path d="M11 27 13 22 26 9 30 13 17 26ZM13 22 17 26M22 12 26 16"/>'
    '<path stroke="{line}" d="M8 34C13 30 16 36 21 33S29 30 32 33"/>',
}
"""A plus in a frame; a pencil and its line."""

_STROKES = 'fill="none" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"'


def tiles(colours: Paint) -> list[dict[str, str]]:
    """Name, title, sentence and picture of every dataset, classes first, and of one's own."""
    sentences = {name: generator.sentence for name, generator in GENERATORS.items()}
    sentences |= {name: sentence for name, (_title, sentence) in FILES.items()}
    names = sorted(sentences, key=lambda name: not _points(name).n_classes)
    shown = [(name, title_of(name), _(sentences[name])) for name in names]
    shown += [(name, _(title), _(sentence)) for name, (title, sentence) in _OWN.items()]
    return [
        {"name": name, "title": title, "hint": hint, "picture": thumbnail(name, colours)}
        for name, title, hint in shown
    ]


@cache
def thumbnail(name: str, colours: Paint) -> str:
    """The address of a small picture of a dataset; empty where the gallery has none."""
    if name in _SIGNS:
        shapes = _SIGNS[name].format(line=colours.of(0))
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" {_STROKES}'
        return "data:image/svg+xml," + quote(f'{svg} stroke="{colours.muted}">{shapes}</svg>')
    if name not in GENERATORS and name not in FILES:
        return ""
    dataset = _points(name)
    if dataset.image_shape:
        shade = dataset.X[0].reshape(dataset.image_shape) / dataset.X[0].max()
        small = Image.new("RGBA", dataset.image_shape[::-1], colours.text)
        small.putalpha(Image.fromarray(np.rint(255 * shade).astype(np.uint8)))
        picture = small.resize((SIDE, SIDE), Image.Resampling.NEAREST)
    else:
        picture = _scatter(dataset, colours)
    return as_address(png(np.asarray(picture)))


@cache
def _points(name: str) -> Dataset:
    if name in GENERATORS:
        return generate(name, 140, seed=1)
    return sample(name) if sample(name).image_shape else subsample(sample(name), 140, seed=1)


def _scatter(dataset: Dataset, colours: Paint) -> Image.Image:
    """Points in the plane, in their classes' colours or in shades of their numbers."""
    points, y = dataset.X, dataset.y
    if dataset.n_features > 2:
        points = principal_plane(dataset).points(dataset.X)
    if dataset.n_features == 1:  # a curve
        points = np.column_stack([points, y])
    inks = [colours.of(int(label)) for label in y]
    if dataset.task == "regression":
        shades = np.rint((len(colours.ramp) - 1) * (y - y.min()) / np.ptp(y))
        inks = [colours.ramp[int(shade)] for shade in shades]
    picture, radius = Image.new("RGBA", (SIDE, SIDE)), SIDE // 28
    pen = ImageDraw.Draw(picture)
    share = (points - points.min(axis=0)) / np.ptp(points, axis=0)
    at = radius + (SIDE - 2 * radius - 1) * np.column_stack([share[:, 0], 1 - share[:, 1]])
    for (x, y), ink in zip(at.tolist(), inks, strict=True):
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=ink)
    return picture
