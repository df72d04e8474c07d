"""Make the example workflows.

Usage: ``QT_QPA_PLATFORM=offscreen python doc/make_workflows.py``

The workflows are written here rather than drawn, so that they can be reviewed. They
contain no path of a machine and no size of a window.
"""

import logging
import os
import sys
from ast import literal_eval
from pathlib import Path

# The copy that this file is in, even if another one is installed
sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from AnyQt.QtWidgets import QApplication
from Orange.canvas.config import Config
from Orange.data import Table
from Orange.widgets.visualize.owheatmap import OWHeatMap
from orangecanvas.registry import WidgetRegistry
from orangecanvas.scheme import (
    Scheme,
    SchemeArrowAnnotation,
    SchemeLink,
    SchemeNode,
    SchemeTextAnnotation,
)
from orangecanvas.utils import name_lookup
from orangewidget.settings import ContextSetting
from orangewidget.utils.filedialogs import RecentPath

import orangecontrib.sadd.workflows
from orangecontrib.sadd.explain.outputs import weights_output
from orangecontrib.sadd.scripting.classification import RNBPlusLearner
from orangecontrib.sadd.scripting.smoothtables import SADDTablesLearner

FOLDER = Path(orangecontrib.sadd.workflows.__file__).parent
FONT = {"family": "Helvetica", "size": 14}
ARROW = "#C1272D"

# Settings that are not about what a widget does
OF_WINDOWS = {"savedWidgetGeometry", "controlAreaVisible"}
# Indices in the settings of Orange's widgets
EQUAL_WIDTH, EQUAL_FREQUENCY, ENTROPY_MDL = 1, 2, 4
FIXED_PROPORTION = 0
SHUFFLE_SPLIT, REPEAT_20, TRAIN_20_PERCENT = 2, 4, 2
CROSS_VALIDATION, TEN_FOLDS = 0, 3
CAWNB = 1
# Accuracies in notes; a test compares them with the scores
SEEN_OF_DISCRETIZERS = (
    "**Result**: accuracy is 96.7 % with entropy MDL, 47.3 % with equal frequency, "
    "87.4 % with equal width, 96.8 % with SADD, and 97.5 % with SADD and unlabelled "
    "data. The difference between SADD and entropy MDL is too small to call.")
SEEN_OF_FEW_LABELS = (
    "**Result**: accuracy is 77.0 % for RNB+ without and 78.9 % with unlabelled data, "
    "81.0 % for SADD Tables, 64.7 % for kNN, and 80.0 % for logistic regression. Other "
    "data gain less, or nothing: try yours.")
SEEN_OF_LEARNERS = (
    "**Result** in ten folds: accuracy is 83.8 % for naive Bayes, 82.8 % for RNB+, "
    "84.5 % for logistic regression on numbers, and 84.5 % on intervals. The "
    "differences are too small to call. Other data differ more: try yours.")
SEEN_OF_PAIR = (
    "**SADD Tables** adds up a table or a curve for each variable, and for pairs that "
    "help. Open it and select *status × sex*: women of the third class survived less "
    "often than their class and their sex say. With pairs, 1,737 of 2,201 left-out "
    "passengers are predicted correctly, without them 1,713, which may be chance.")


def make_registry():
    """Find the widgets of Orange and of this add-on."""
    discovery = Config.widget_discovery(WidgetRegistry())
    discovery.run(Config.widgets_entry_points())
    return discovery.registry


class Workflow:
    """A workflow in the making; nodes are called by their titles."""

    def __init__(self, registry, title, description):
        self.registry = registry
        self.scheme = Scheme(title=title, description=description)
        self.nodes = {}

    def node(self, widget, position, title=None, **settings):
        """Add a widget, by the name of its module."""
        description, = (desc for desc in self.registry.widgets()
                        if desc.qualified_name.split(".")[-2] == widget
                        and "obsolete" not in desc.qualified_name)
        title = title or description.name
        node = SchemeNode(
            description, title=title, position=position,
            properties=default_settings(description.qualified_name) | settings)
        self.scheme.add_node(node)
        self.nodes[title] = node

    def file(self, name, position, title="File"):
        """Add File with a data set that comes with Orange."""
        self.node("owfile", position, title,
                  recent_paths=[RecentPath("", "sample-datasets", name)], source=0)

    def link(self, source, output, sink, input_=None):
        """Connect two nodes; by default the input has the name of the output."""
        source, sink = self.nodes[source], self.nodes[sink]
        self.scheme.add_link(SchemeLink(
            source, source.output_channel(output),
            sink, sink.input_channel(input_ or output)))

    def text(self, rect, text, arrow=None):
        """Add a note, and an arrow from it to what it is about."""
        text = text.replace(" %", "\N{NO-BREAK SPACE}%").replace(
            "% ±", "%\N{NO-BREAK SPACE}±")
        self.scheme.add_annotation(SchemeTextAnnotation(
            rect, text, content_type="text/markdown", font=FONT))
        if arrow is not None:
            self.scheme.add_annotation(SchemeArrowAnnotation(*arrow, color=ARROW))

    def save(self, name, folder=FOLDER):
        """Write the file."""
        # That paths of File can only be pickled is no reason to print tracebacks
        logging.getLogger("orangecanvas.scheme.readwrite").setLevel(logging.CRITICAL)
        with open(folder / name, "wb") as file:
            self.scheme.save_to(file, pretty=True, pickle_fallback=True)


def compare_discretizers(registry):
    """SADD against discretizers of Orange, with few labels and without leaks."""
    flow = Workflow(
        registry, "SADD against Built-in Discretizers",
        "The function of a few genes is known. Which intervals help naive Bayes most? "
        "Test and Score compares SADD with the discretizers of Orange over twenty "
        "draws of labelled genes.")
    flow.file("brown-selected.tab", (65, 215))
    half_as_pool(flow, (190, 215), (655, 215))
    for y, widget, title, learner, settings in (
            (30, "owpreprocess", "Entropy MDL", "NB, entropy MDL",
             {"storedsettings": preprocess_setting("discretize", method=ENTROPY_MDL)}),
            (130, "owpreprocess", "Equal Frequency", "NB, equal frequency",
             {"storedsettings": preprocess_setting(
                 "discretize", method=EQUAL_FREQUENCY, n=4)}),
            (300, "owpreprocess", "Equal Width", "NB, equal width",
             {"storedsettings": preprocess_setting(
                 "discretize", method=EQUAL_WIDTH, n=4)}),
            (400, "owsadddiscretize", "SADD", "NB, SADD", {}),
            (500, "owsadddiscretize", "SADD with Unlabelled Data",
             "NB, SADD with unlabelled data", {})):
        flow.node(widget, (355, y), title, **settings)
        flow.node("ownaivebayes", (520, y), learner, learner_name=learner)
        flow.link(title, "Preprocessor", learner)
        flow.link(learner, "Learner", "Test and Score")
    flow.link("Data Sampler", "Remaining Data", "SADD with Unlabelled Data",
              "Unlabelled Data")

    flow.text((20, 0, 270, 150), (
        "**Which intervals suit naive Bayes best?** Five learners differ only in the "
        "discretization of numeric variables: the three that *Preprocess* offers, and "
        "SADD without and with unlabelled genes."))
    flow.text((20, 340, 250, 160), (
        "**Unlabelled data.** The 93 genes in *Remaining Data* are not used for "
        "testing. SADD gets them without their class."),
        ((262, 470), (305, 490)))
    flow.text((710, 0, 210, 190), (
        "**Preprocessors, not discretized data.** SADD and entropy MDL use the class. "
        "As a preprocessor, a discretization uses only the training rows of each draw, "
        "so scores are fair."))
    flow.text((710, 270, 210, 250), SEEN_OF_DISCRETIZERS, ((708, 285), (697, 230)))
    flow.save("10-sadd-and-built-in-discretizers.ows")


def half_as_pool(flow, sampler, test):
    """Let half of the rows be a pool, and train 20 times with a fifth of the rest."""
    flow.node("owdatasampler", sampler, sampling_type=FIXED_PROPORTION,
              sampleSizePercentage=50, use_seed=True, stratify=True)
    flow.link("File", "Data", "Data Sampler")
    flow.node("owtestandscore", test, "Test and Score", resampling=SHUFFLE_SPLIT,
              n_repeats=REPEAT_20, sample_size=TRAIN_20_PERCENT,
              shuffle_stratified=True)
    flow.link("Data Sampler", "Data Sample", "Test and Score", "Data")


def semi_supervised(registry):
    """A few labelled rows and many unlabelled ones."""
    flow = Workflow(
        registry, "Learning from a Few Labelled Rows",
        "Only 30 patients have been diagnosed. Do 151 others, without a diagnosis, "
        "help? Test and Score draws the 30 patients twenty times, and tests on "
        "patients that no model has seen.")
    flow.file("heart_disease.tab", (65, 215))
    half_as_pool(flow, (190, 215), (640, 215))
    for y, widget, title in (
            (30, "owknn", "kNN"), (130, "owlogisticregression", "Logistic Regression"),
            (300, "owrnbplus", "RNB+"), (400, "owrnbplus", "RNB+ with Unlabelled Data"),
            (525, "owsaddtables", "SADD Tables")):
        flow.node(widget, (440, y), title)
        flow.link(title, "Learner", "Test and Score")
    for title in ("RNB+ with Unlabelled Data", "SADD Tables"):
        flow.link("Data Sampler", "Remaining Data", title, "Unlabelled Data")

    flow.text((20, 0, 330, 130), (
        "**Many rows, few labels.** *Data Sampler* divides 303 patients. The patients "
        "of *Data Sample* are for training and testing. *Remaining Data* are used "
        "without their class. No patient is both tested and unlabelled."),
        ((190, 132), (190, 170)))
    flow.text((20, 370, 260, 160), (
        "**Unlabelled data.** A labeller predicts the class of each row: neighbours in "
        "RNB+, as in the paper, and a committee in SADD Tables. Their diagnoses are "
        "never read."), ((282, 505), (380, 520)))
    flow.text((700, 0, 220, 170), (
        "**Repeat it.** With few labels, chance matters more than the method in a "
        "single run. *Test and Score* draws 20 % of its patients, 30 of 152, twenty "
        "times. Scores are averages."), ((698, 130), (670, 170)))
    flow.text((700, 270, 220, 230), SEEN_OF_FEW_LABELS, ((698, 285), (682, 230)))
    flow.save("20-a-few-labelled-rows.ows")


def inspect_model(registry):
    """Weights, contributions, nomogram, rank."""
    flow = Workflow(
        registry, "What a Model Has Learned",
        "RNB+ and SADD Tables show what each value adds to a prediction. Their outputs "
        "go to Heat Map and Nomogram, and Rank scores variables by the learner.")
    flow.file("heart_disease.tab", (65, 220))
    flow.file("titanic.tab", (65, 440), "Titanic")
    heat_map, explanations = name_plots()
    flow.node("owrnbplus", (300, 80), "RNB+")
    flow.node("owheatmap", (470, 30), "Heat Map", context_settings=heat_map)
    flow.node("owrank", (470, 160))
    flow.node("owrnbplus", (300, 300), "CAWNB+", weighting=CAWNB)
    flow.node("ownomogram", (470, 300))
    flow.node("owsaddtables", (300, 440), "SADD Tables")
    flow.node("owheatmap", (470, 440), "Explanations", context_settings=explanations)
    flow.node("owtable", (470, 580), "Tables")
    for sink in ("RNB+", "CAWNB+", "Rank"):
        flow.link("File", "Data", sink)
    flow.link("Titanic", "Data", "SADD Tables")
    flow.link("RNB+", "Weights", "Heat Map", "Data")
    flow.link("RNB+", "Learner", "Rank", "Scorer")
    flow.link("CAWNB+", "Model", "Nomogram", "Classifier")
    flow.link("SADD Tables", "Explanations", "Explanations", "Data")
    flow.link("SADD Tables", "Tables", "Tables", "Data")

    flow.text((20, 0, 210, 150), (
        "**RNB+** weights variables. Open it and select a variable to see what each "
        "of its intervals adds for a class."), ((232, 80), (255, 80)))
    flow.text((570, 0, 350, 110), (
        "**Heat Map** has a row for each variable, with its weight for each class and "
        "its shared weight *w*. A weight of 0 removes a variable."),
        ((568, 40), (515, 35)))
    flow.text((570, 120, 350, 100), (
        "**Rank** uses the learner as a scorer: information about the class, times "
        "weight. Compare it with the other scores."), ((568, 160), (515, 160)))
    flow.text((570, 250, 350, 140), (
        "**Nomogram** needs an additive model. RNB is a mixture of two models, unless "
        "its alpha is 0 or 1. Class-specific weights (CAWNB) always fit. Drag the "
        "points to see the probability."), ((568, 300), (515, 300)))
    flow.text((570, 410, 350, 100), (
        "**Explanations** has a row for each passenger, and the contribution of each "
        "variable and of each pair to the log-odds."), ((568, 440), (515, 440)))
    flow.text((570, 540, 350, 100), (
        "**Tables** has a row for each value and each cell of a pair: this is the "
        "whole model."), ((568, 580), (515, 580)))
    flow.text((20, 520, 340, 150), SEEN_OF_PAIR, ((300, 520), (300, 500)))
    flow.save("30-what-a-model-has-learned.ows")


def intervals_for_learners(registry):
    """Intervals for naive Bayes and for logistic regression."""
    flow = Workflow(
        registry, "Intervals for Any Learner",
        "SADD Discretize sends a preprocessor. With indicators as output, learners "
        "that need numbers can use it: logistic regression then has a "
        "coefficient for each interval.")
    flow.file("heart_disease.tab", (65, 270))
    flow.node("owtestandscore", (655, 270), "Test and Score",
              resampling=CROSS_VALIDATION, n_folds=TEN_FOLDS, cv_stratified=True)
    flow.link("File", "Data", "Test and Score")
    for y, step, widget, title, settings in (
            (40, "Categories", "ownaivebayes", "Naive Bayes", {}),
            (155, None, "owrnbplus", "RNB+", {}),
            (385, None, "owlogisticregression", "Numbers", {}),
            (500, "Indicators", "owlogisticregression", "Intervals",
             {"intervals_as": "indicators"})):
        flow.node(widget, (520, y), title, learner_name=title)
        if step is not None:
            flow.node("owsadddiscretize", (365, y), step, **settings)
            flow.link(step, "Preprocessor", title)
        flow.link(title, "Learner", "Test and Score")

    flow.text((20, 0, 255, 170), (
        "**As a preprocessor**, SADD finds cuts in the training rows of each fold, so "
        "*SADD Discretize* needs no data here. Naive Bayes takes the intervals as "
        "categories."), ((277, 40), (317, 40)))
    flow.text((20, 400, 255, 170), (
        "**Indicators.** Logistic regression needs numbers. *Intervals as: indicators* "
        "makes a column of zeros and ones for each interval."),
        ((277, 495), (317, 500)))
    flow.text((710, 0, 210, 210), (
        "**RNB+** discretizes by itself, with SADD as well. *Numbers* is logistic "
        "regression as usual: one coefficient for each number, so a straight "
        "line."))
    flow.text((710, 290, 210, 210), SEEN_OF_LEARNERS, ((708, 325), (697, 290)))
    flow.save("40-intervals-for-any-learner.ows")


def name_plots():
    """Return settings of both heat maps, in which rows are named or sorted."""
    heart = Table("heart_disease")
    model = SADDTablesLearner(pairs=1)(heart)
    for table, name in ((weights_output(RNBPlusLearner()(heart)), "Variable"),
                        (model.contributions(heart), None)):
        heat_map = OWHeatMap()
        heat_map.set_dataset(table)
        heat_map.set_annotation_var(
            table.domain.class_var if name is None else table.domain[name])
        contexts = heat_map.settingsHandler.pack_data(heat_map)["context_settings"]
        for context in contexts:
            context.time = 0  # or each run would make another file
        yield contexts


def default_settings(qualified_name):
    """
    Return all settings of a widget.

    A setting that is not in a workflow would have the last value that the user chose.
    Without the version, a widget would treat the settings as old ones.
    """
    cls = name_lookup(qualified_name)
    settings = {"__version__": cls.settings_version}
    for name, setting in cls.settingsHandler.provider.settings.items():
        own = not isinstance(setting, ContextSetting) and name not in OF_WINDOWS
        if own and is_literal(setting.default):
            settings[name] = setting.default
    return settings


def is_literal(value):
    """Whether a value can be written as a literal, and thus be read by everybody."""
    try:
        return literal_eval(repr(value)) == value
    except (SyntaxError, ValueError):
        return False


def preprocess_setting(name, **parameters):
    """A setting of Preprocess with one step."""
    return {"name": "", "preprocessors": [(f"orange.preprocess.{name}", parameters)]}


def main():
    """Make all workflows."""
    _ = QApplication.instance() or QApplication([])
    registry = make_registry()
    for make in (compare_discretizers, semi_supervised, inspect_model,
                 intervals_for_learners):
        make(registry)
        print(make.__doc__)


if __name__ == "__main__":
    main()
