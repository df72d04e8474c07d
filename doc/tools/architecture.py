"""The architecture: layers, each of which imports only from those below it."""

from html import escape
from importlib.util import find_spec

from tools.picture import Picture, Taken

__all__ = ["ARCHITECTURE", "LAYERS"]

WIDTH, GAP, PADDING = 760, 12, 14
LINE = 17
FONT = "font-family='system-ui, DejaVu Sans, sans-serif'"

# Title of a layer, its colour, and boxes: what they are for, and their modules
LAYERS = (
    ("The canvas and the command line: nothing here computes", "#d9e4c8", (
        ("widgets", ("widgets.owsadddiscretize", "widgets.owrnbplus")),
        ("commands", ("cli.demo", "cli.discretize", "cli.benchmark")))),
    ("Evaluation, and what a widget shows", "#e7ecdf", (
        ("experiments and reports", ("evaluation.protocol", "evaluation.report")),
        ("explanations, without a widget", ("explain.findings", "explain.analysis",
                                            "explain.outputs", "explain.picture")))),
    ("Orange scripting: tables in, tables and models out", "#fbe3c8", (
        ("discretizations", ("discretize", "preprocessors", "cutting")),
        ("learners and models", ("classification", "models")),
        ("tables become arrays", ("tables",)))),
    ("Core: arrays in, arrays out; numpy, scipy, scikit-learn", "#d8e6f3", (
        ("scikit-learn estimators", ("core.discretizers", "core.classifiers",
                                     "core.registry", "core.columns")),)),
    ("", "#d8e6f3", (
        ("the splitter of MDLP and SADD", ("core.splitting.splitter",
                                           "core.splitting.criterion")),
        ("other methods", ("core.methods",)),
        ("search for weights", ("core.bayes.fitting", "core.bayes.aiwnb")))),
    ("", "#d8e6f3", (
        ("a column answers: how many rows of each class are below these values, which "
         "rows are in these blocks?", ("core.splitting.runs",
                                       "core.splitting.questions")),
        ("labels of neighbours", ("core.pseudolabels",)),
        ("one objective, a sum over rows", ("core.bayes.objective",)))),
)


def wrapped(text, width):
    """Break a text into lines of so many characters."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + len(word) >= width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def text(x, y, words, style=""):
    """A line of text."""
    return f"<text x='{x:g}' y='{y:g}' {style}>{escape(words)}</text>"


def draw_layer(top, title, colour, boxes):
    """Return the background of a layer, its elements, and where it ends."""
    body = top + (LINE + 8 if title else 0)
    width = (WIDTH - 2 * PADDING - GAP * (len(boxes) - 1)) / len(boxes)
    contents = [(wrapped(purpose, width / 8),
                 wrapped(", ".join(module.removeprefix("core.") for module in modules),
                         width / 8))
                for purpose, modules in boxes]
    height = max(len(purpose) + len(names) for purpose, names in contents) * LINE + 14
    end = body + height + PADDING
    back = (f"<rect x='0' y='{top - PADDING:g}' width='{WIDTH}' "
            f"height='{end - top + PADDING:g}' fill='{colour}'/>")
    elements = []
    if title:
        elements.append(text(PADDING, top + LINE - 6, title, "font-weight='bold'"))
    for index, (purpose, names) in enumerate(contents):
        x = PADDING + index * (width + GAP)
        elements.append(f"<rect x='{x:g}' y='{body:g}' width='{width:g}' "
                        f"height='{height:g}' rx='5' fill='white' stroke='#555'/>")
        for row, line in enumerate((*purpose, *names), start=1):
            is_name = row > len(purpose)
            elements.append(text(x + 10, body + row * LINE, line,
                                 "font-family='monospace' font-size='12'"
                                 if is_name else ""))
    return back, elements, end


class Architecture(Picture):
    """The picture; it fails if a module in it does not exist."""

    def take(self):
        backs, elements, top, shows = [], [], PADDING, []
        for title, colour, boxes in LAYERS:
            back, layer, end = draw_layer(top, title, colour, boxes)
            backs.append(back)
            elements += layer
            top = end + (GAP if title else 0)
            for purpose, modules in boxes:
                shows += [purpose, *modules]
                for module in modules:
                    if find_spec(f"orangecontrib.sadd.{module}") is None:
                        raise ValueError(f"There is no module {module}.")
        svg = "\n".join((
            f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {top:g}' "
            f"width='{WIDTH}' height='{top:g}' font-size='13' {FONT}>",
            *backs, *elements, "</svg>", ""))
        return Taken(svg, {"shows": shows})


ARCHITECTURE = Architecture("architecture.svg")
