"""Pictures of our widgets, in the states that pages show."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from AnyQt.QtWidgets import QApplication
from Orange.data import (
    ContinuousVariable,
    DiscreteVariable,
    Domain,
    Table,
    TimeVariable,
)

from orangecontrib.sadd.widgets.owrnbplus import OWRNBPlus
from orangecontrib.sadd.widgets.owsadddiscretize import OWSADDDiscretize
from tools.callouts import numbered
from tools.controls import texts
from tools.offscreen import created, dark, finish, light
from tools.picture import Picture, Taken

__all__ = ["GALLERY", "WINDOWS"]

DISCRETIZE_SIZE, RNB_SIZE = (1080, 820), (900, 780)
SMALL = 800, 600


def iris():
    """A third of Iris is labelled, all of it is known without labels."""
    data = Table("iris")
    return data[::3], data


def one_class():
    """Nothing to learn from."""
    return Table("iris")[:50], None


def nothing():
    """Nothing is connected."""
    return None, None


def patients(n_labelled=30):
    """Few of many patients have a diagnosis."""
    data = Table("heart_disease")
    rows = np.random.RandomState(0).permutation(len(data))
    return data[rows[:n_labelled]], data[rows[n_labelled:]]


def vowels(n_rows=900, n_labelled=300):
    """Eleven classes and ten variables, like the data set Vowel."""
    rng = np.random.RandomState(0)
    names = "hid hId hEd hAd hYd had hOd hod hUd hud hed".split()
    classes = rng.randint(len(names), size=n_rows)
    centres = rng.normal(size=(len(names), 10)) * np.linspace(2, .3, 10)
    X = centres[classes] + rng.normal(size=(n_rows, 10)) * .7
    domain = Domain([ContinuousVariable(f"formant {i + 1}") for i in range(10)],
                    DiscreteVariable("vowel", names))
    table = Table.from_numpy(domain, X.round(3), classes.astype(float))
    table.name = "vowels"
    return table[:n_labelled], table[n_labelled:]


def wide(n_variables=600, n_rows=400):
    """Many variables with long names, of which every fifth is of use."""
    rng = np.random.RandomState(1)
    classes = rng.randint(2, size=n_rows)
    X = rng.normal(size=(n_rows, n_variables))
    useful = np.arange(0, n_variables, 5)
    X[:, useful] += classes[:, None] * rng.uniform(.3, 2, len(useful))
    names = [f"Expression of the gene with the catalogue number {i:05} in the tissue"
             for i in range(1, n_variables + 1)]
    domain = Domain(list(map(ContinuousVariable, names)),
                    DiscreteVariable("diagnosis", ("healthy", "ill")))
    table = Table.from_numpy(domain, X.round(3), classes.astype(float))
    table.name = "expression"
    return table[:150], table[150:]


def dated(n_rows=300, n_labelled=60):
    """Dates, hours that are seldom known, and a column without any value."""
    rng = np.random.RandomState(2)
    classes = rng.randint(2, size=n_rows)
    day = 24 * 60 * 60
    X = np.column_stack((
        1.5e9 + day * (rng.uniform(0, 900, n_rows) + 400 * classes).round(),
        np.where(rng.uniform(size=n_rows) < .6, np.nan, rng.normal(8, 2, n_rows)),
        np.full(n_rows, np.nan), rng.randint(0, 2, n_rows) * 1e6 + classes))
    domain = Domain([TimeVariable("day of admission", have_date=1),
                     *map(ContinuousVariable, ("hours of sleep", "pulse", "income"))],
                    DiscreteVariable("stays", ("no", "yes")))
    table = Table.from_numpy(domain, X, classes.astype(float))
    table.name = "admissions"
    return table[:n_labelled], table[n_labelled:]


def missing():
    """No value is known, but for the class."""
    data = Table("iris").copy()
    with data.unlocked(data.X):
        data.X[:] = np.nan
    return data, None


def numeric_target():
    """Nothing to classify."""
    return Table("housing"), None


def edit(widget):
    """Select a variable, move a cut and add another one."""
    widget.view.table.select("petal length")
    finish(widget)
    first, *others = widget.view.cut_plot.cuts
    widget.view.cut_plot.cuts_edited.emit([first - .3, *others, 6.])


def compare(widget):
    """Sort by what is kept, show a good variable."""
    widget.view.table.sort(3, 1)
    finish(widget)
    widget.view.table.view.selectRow(0)


def search(widget):
    """Sort, and leave a few variables."""
    widget.view.table.filter.setText("0012")
    widget.view.table.sort(3, 1)
    widget.view.table.view.selectRow(0)


@dataclass
class Window(Picture):
    """
    A widget with data.

    Attributes
    ----------
    widget : type
    data : callable
        Gives data and unlabelled data.
    settings : dict
    act : callable, optional
        What is done in the widget before the picture is taken.
    palette : callable
    callouts : dict of str to str
        Parts that get a number, and where they are: see `callouts.numbered`.
    """

    widget: type
    data: Callable = iris
    settings: dict = field(default_factory=dict)
    size: tuple[int, int] | None = None
    act: Callable | None = None
    palette: Callable = light
    callouts: dict = field(default_factory=dict)

    def take(self):
        QApplication.setPalette(self.palette())
        widget = created(self.widget, self.settings)
        size = self.size or (RNB_SIZE if self.widget is OWRNBPlus else DISCRETIZE_SIZE)
        widget.resize(*size)
        widget.show()
        data, unlabelled = self.data()
        widget.set_data(data)
        widget.set_unlabelled(unlabelled)
        widget.handleNewSignals()
        finish(widget)
        if self.act is not None:
            self.act(widget)
            finish(widget)
        widget.resize(*size)
        finish(widget)
        image, facts = widget.grab().toImage(), {"shows": texts(widget)}
        if self.callouts:
            image = numbered(widget, image, self.callouts)
            facts["widget"] = self.widget.__module__.rpartition(".")[2]
            facts["callouts"] = list(self.callouts)
        widget.hide()
        widget.onDeleteWidget()
        widget.deleteLater()
        QApplication.setPalette(light())
        return Taken(image, facts)


WINDOWS = (
    Window("sadd-discretize.png", OWSADDDiscretize),
    Window("sadd-discretize-numbered.png", OWSADDDiscretize, callouts={
        "Method": "method_combo", "N0": "", "Compare with": "", "Pseudo-labels": "",
        "Output": "", "Status": "status", "Stop": "",
        "Apply Automatically": "", "Filter": "", "Variables": "view.table.view",
        "Histogram": "view.cut_plot", "Split tree": "view.details.split_tree",
        "Reset": "view.reset_all_button"}),
    Window("sadd-discretize-edited.png", OWSADDDiscretize, act=edit),
    Window("sadd-discretize-dark.png", OWSADDDiscretize, vowels,
           {"compared_method": "CAIM"}, act=compare, palette=dark),
    Window("rnbplus-numbered.png", OWRNBPlus, callouts={
        "Name": "", "Recipe": "", "Discretization": "", "N0": "",
        "Pseudo-labels": "", "Attribute weighting": "", "Objective": "",
        "Shrinkage": "", "Iterations": "",
        "Apply Automatically": "", "Filter": "", "Weights": "view.table",
        "Share": "view.mixture", "Search": "view.search"}),
)

# To be looked at after a change of the widgets, not to be kept
GALLERY = (
    Window("sadd-discretize-vowels.png", OWSADDDiscretize, vowels, act=compare),
    Window("sadd-discretize-600-variables.png", OWSADDDiscretize, wide, act=compare),
    Window("sadd-discretize-600-variables-dark.png", OWSADDDiscretize, wide, act=search,
           palette=dark),
    Window("sadd-discretize-small.png", OWSADDDiscretize, vowels, size=SMALL,
           act=compare),
    Window("sadd-discretize-other-method.png", OWSADDDiscretize,
           settings={"method": "EF", "compared_method": ""}),
    Window("sadd-discretize-empty.png", OWSADDDiscretize, nothing),
    Window("sadd-discretize-one-class.png", OWSADDDiscretize, one_class, palette=dark),
    Window("sadd-discretize-patients.png", OWSADDDiscretize, patients,
           {"min_confidence": 60}),
    Window("sadd-discretize-patients-dark.png", OWSADDDiscretize, patients, size=SMALL,
           palette=dark),
    Window("sadd-discretize-dates.png", OWSADDDiscretize, dated),
    Window("sadd-discretize-missing.png", OWSADDDiscretize, missing),
    Window("sadd-discretize-numeric-target.png", OWSADDDiscretize, numeric_target),
    Window("rnbplus-dark.png", OWRNBPlus, palette=dark),
    Window("rnbplus-dates.png", OWRNBPlus, dated, {"min_confidence": 60}),
    Window("rnbplus-missing.png", OWRNBPlus, missing),
    Window("rnbplus-numeric-target.png", OWRNBPlus, numeric_target),
    Window("rnbplus-vowels.png", OWRNBPlus, vowels, {"weighting": 1}),
    Window("rnbplus-patients.png", OWRNBPlus, patients, size=SMALL),
    Window("rnbplus-patients-dark.png", OWRNBPlus, patients, size=SMALL, palette=dark),
    Window("rnbplus-600-variables-small.png", OWRNBPlus, wide, size=SMALL),
    Window("rnbplus-600-variables.png", OWRNBPlus, wide, {"weighting": 3},
           palette=dark),
    Window("rnbplus-empty.png", OWRNBPlus, nothing),
    Window("rnbplus-one-class.png", OWRNBPlus, one_class, palette=dark),
)
