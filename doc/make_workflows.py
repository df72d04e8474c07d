"""Make the example workflows.

Usage: ``QT_QPA_PLATFORM=offscreen python doc/make_workflows.py``

The workflows are written here rather than drawn, so that what they teach can be
reviewed, and no path of a machine and no size of a window gets into them.
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
from Orange.widgets.visualize.owbarplot import OWBarPlot
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
from orangecontrib.sadd.classification import RNBPlusLearner, WANBIALearner
from orangecontrib.sadd.explain.outputs import weights_output

FOLDER = Path(orangecontrib.sadd.workflows.__file__).parent
FONT = {"family": "Helvetica", "size": 14}
ARROW = "#C1272D"

# Settings that are not about what a widget does
OF_WINDOWS = {"savedWidgetGeometry", "controlAreaVisible", "splitter_state"}
# Indices in the settings of Orange's widgets
EQUAL_WIDTH, EQUAL_FREQUENCY, ENTROPY_MDL = 1, 2, 4
STANDARDIZE = 2
FIXED_PROPORTION = 0
SHUFFLE_SPLIT, REPEAT_20, TRAIN_20_PERCENT = 2, 4, 2
WANBIA = 2
# Settings of the recipe for few labels in RNB+
FEW_LABELS = {"recipe": 1, "labeller": 1, "counts_pool": True, "objective": 1,
              "shrinkage": 1.}
TEN_FOLDS = 3
# What one sees; a test compares the figures with the scores
SEEN_OF_DISCRETIZERS = (
    "**What one sees**: accuracy is 96.7 % ± 2.1 with entropy MDL, 47.3 % ± 7.4 with "
    "equal frequency, 87.4 % ± 6.1 with equal width, 96.8 % ± 1.9 with SADD, and "
    "97.5 % ± 1.7 with SADD and the pool (mean and standard deviation over twenty "
    "draws). Methods that look at the class win at least 19 draws against each of "
    "those that do not. SADD with the pool wins 10 draws against entropy MDL and loses "
    "6: too close to call. Data and settings were fixed before the first run; *When to "
    "use it* in the manual says how.")
SEEN_OF_INTERVALS = (
    "**What one sees** in ten folds: accuracy is 99.5 % ± 1.8 on numbers and 99.5 % "
    "± 1.8 on intervals. Either way, one gene of 186 is wrong. *LogLoss* is lower on "
    "numbers in 8 folds and on intervals in 2. So for these genes it makes no "
    "difference. Data and settings were fixed before the first run. Other data "
    "differ more, in both directions: see *When to use it* in the manual.")
SEEN = (
    "**What one sees**: RNB+ is right for 77.0 % ± 3.0 of the patients without a pool, "
    "78.8 % ± 4.2 with it, and 82.0 % ± 2.5 with *Few labels*; kNN for 64.7 % ± 4.3, "
    "and logistic regression for 80.0 % ± 4.1 (mean and standard deviation over twenty "
    "draws). *Few labels* wins 19 draws against RNB+. Against logistic regression it "
    "wins 10 and loses 7: too close to call. Data and settings were fixed before the "
    "first run. Other data gain less, or nothing: try yours.")


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
        """Connect two nodes; the input has the name of the output unless told."""
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
        "draws of labelled genes. Discretization is wired as a preprocessor, so that "
        "it never sees the class of the rows that it is tested on.")
    flow.file("brown-selected.tab", (90, 330))
    half_as_pool(flow, (220, 330), (840, 330))
    for y, widget, title, learner, settings in (
            (30, "owpreprocess", "Entropy MDL", "NB, entropy MDL",
             {"storedsettings": preprocess_setting("discretize", method=ENTROPY_MDL)}),
            (130, "owpreprocess", "Equal Frequency", "NB, equal frequency",
             {"storedsettings": preprocess_setting(
                 "discretize", method=EQUAL_FREQUENCY, n=4)}),
            (230, "owpreprocess", "Equal Width", "NB, equal width",
             {"storedsettings": preprocess_setting(
                 "discretize", method=EQUAL_WIDTH, n=4)}),
            (430, "owsadddiscretize", "SADD", "NB, SADD", {}),
            (530, "owsadddiscretize", "SADD with Pool", "NB, SADD with pool", {})):
        flow.node(widget, (460, y), title, **settings)
        flow.node("ownaivebayes", (640, y), learner, learner_name=learner)
        flow.link(title, "Preprocessor", learner)
        flow.link(learner, "Learner", "Test and Score")
    flow.link("Data Sampler", "Remaining Data", "SADD with Pool", "Unlabelled Data")

    flow.text((40, 0, 300, 190), (
        "**Which intervals suit naive Bayes best?** Five learners differ only in the "
        "discretization of numeric variables: the three that *Preprocess* offers, and "
        "SADD without and with unlabelled genes. Open *Test and Score* and compare "
        "them."))
    flow.text((860, 0, 420, 150), (
        "**Why preprocessors, and not discretized data?** SADD and entropy MDL look at "
        "the class. If *all* data were discretized first, cuts would know the classes "
        "of the rows that are tested on, and scores would be too good. As a "
        "preprocessor, discretization is learned anew in each draw, from its training "
        "rows only."))
    flow.text((40, 600, 420, 90), (
        "**The pool.** The 93 genes in *Remaining Data* are not tested on. SADD gets "
        "them without their class: neighbours lend them one, and cuts are found among "
        "111 genes instead of 18."), ((320, 598), (415, 545)))
    flow.text((940, 230, 340, 240), SEEN_OF_DISCRETIZERS, ((938, 330), (892, 330)))
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
        "Suppose that only 30 patients have been diagnosed. Do 151 others, whom nobody "
        "has diagnosed, help? Test and Score draws the 30 patients twenty times, and "
        "tests on patients who are in nobody's pool.")
    flow.file("heart_disease.tab", (100, 330))
    half_as_pool(flow, (250, 330), (800, 330))
    for y, title, settings in (
            (220, "RNB+", {}), (440, "RNB+ with Pool", {}),
            (560, "RNB+ Few Labels", FEW_LABELS)):
        flow.node("owrnbplus", (540, y), title, **settings)
        if title != "RNB+":
            flow.link("Data Sampler", "Remaining Data", title, "Unlabelled Data")
        flow.link(title, "Learner", "Test and Score")
    for y, widget, title in ((-20, "owknn", "kNN"),
                             (100, "owlogisticregression", "Logistic Regression")):
        flow.node(widget, (540, y))
        flow.link(title, "Learner", "Test and Score")

    flow.text((30, -20, 380, 110), (
        "**Labels are dear, rows are cheap.** *Data Sampler* divides 303 patients. "
        "Those of *Data Sample* are for training and testing. The others are "
        "*Remaining Data*: RNB+ gets them without their class. No patient is tested "
        "on who is in the pool."), ((240, 95), (248, 282)))
    flow.text((740, -20, 380, 110), (
        "**Repeat it.** With so few labels, luck matters more than the method in a "
        "single run. *Test and Score* therefore draws 20 % of its patients, that is "
        "30, twenty times, and tests on the rest. Its scores are averages."),
        ((800, 92), (800, 282)))
    flow.text((30, 440, 340, 170), (
        "**The pool.** What comes into *Unlabelled Data* gets its labels from "
        "neighbours or, in *RNB+ Few Labels*, from a committee, and there "
        "it counts in the probabilities, too. The *Recipe* of the "
        "widget sets all of this. Classes in the pool are never read."),
        ((372, 540), (490, 555)))
    flow.text((900, 240, 340, 220), SEEN, ((898, 330), (852, 330)))
    flow.save("20-a-few-labelled-rows.ows")


def inspect_model(registry):
    """Weights, nomogram, rank."""
    flow = Workflow(
        registry, "What a Model Has Learned",
        "Weights tell which attributes a naive Bayes model listens to. See them in "
        "the widget itself and in Heat Map, read the effect of each value in Nomogram, "
        "and let Rank score attributes by the learner.")
    flow.file("heart_disease.tab", (110, 300))
    flow.node("owrnbplus", (330, 170), "RNB+")
    heat_map, bar_plot = name_plots()
    flow.node("owheatmap", (560, 170), context_settings=heat_map)
    flow.node("owrank", (560, 300))
    flow.node("owrnbplus", (330, 450), "WANBIA+", weighting=WANBIA)
    flow.node("ownomogram", (560, 450))
    flow.node("owbarplot", (560, 570), context_settings=bar_plot)
    for sink in ("RNB+", "WANBIA+", "Rank", "Nomogram"):
        flow.link("File", "Data", sink)
    flow.link("RNB+", "Weights", "Heat Map", "Data")
    flow.link("RNB+", "Learner", "Rank", "Scorer")
    flow.link("WANBIA+", "Model", "Nomogram", "Classifier")
    flow.link("WANBIA+", "Weights", "Bar Plot", "Data")

    flow.text((40, -10, 400, 80), (
        "**Weights.** *RNB+* learns weights for each class and for all classes (*w* "
        "in Heat Map), and how to mix both, *alpha*. Open it to see them, and whether "
        "the search for them converged."), ((330, 82), (330, 132)))
    flow.text((640, 40, 320, 110), (
        "**Heat Map** has a row for each attribute. Weights near 0 switch an "
        "attribute off; where the columns of classes differ, an attribute matters "
        "for one class more than for another."), ((640, 120), (600, 150)))
    flow.text((640, 230, 320, 130), (
        "**Rank** uses the learner as a scorer: information about the class, times "
        "weight. An attribute that only repeats others may have much "
        "information and little weight. Compare with the other scores."),
        ((640, 300), (602, 300)))
    flow.text((640, 400, 320, 150), (
        "**Nomogram** needs a model in which attributes add up: with class-independent "
        "weights (WANBIA), class-specific ones (CAWNB) or none, but not a mixture "
        "of two such models, as RNB is unless its alpha is 0 or 1. Drag the points to "
        "see how the probability changes."), ((640, 450), (602, 450)))
    flow.text((40, 520, 300, 100), (
        "The same widget, with *Attribute weighting* set to *Class-independent "
        "(WANBIA)*. Its name in other widgets changes accordingly."),
        ((190, 518), (288, 465)))
    flow.save("30-what-a-model-has-learned.ows")


def intervals_for_logistic_regression(registry):
    """A linear model on intervals: tested, and read."""
    flow = Workflow(
        registry, "Intervals for Logistic Regression",
        "Logistic regression gives each number one coefficient. On the intervals of "
        "SADD it has one for each interval, so that it can follow effects that rise "
        "and fall. Test and Score tests both, and Nomogram shows what was learned.")
    flow.file("brown-selected.tab", (90, 90))
    flow.node("owlogisticregression", (500, 90))
    # A preprocessor of the learner would replace its own, which makes columns of values
    for y, widget, title, test, settings in (
            (-30, "owsadddiscretize", "SADD", "Test on Intervals", {}),
            (210, "owpreprocess", "Standardize", "Test on Numbers",
             {"storedsettings": preprocess_setting("scale", method=STANDARDIZE)})):
        flow.node(widget, (320, y), title, **settings)
        flow.node("owtestandscore", (720, y), test, resampling=0, n_folds=TEN_FOLDS,
                  cv_stratified=True)
        flow.link("File", "Data", test)
        flow.link(title, "Preprocessor", test)
        flow.link("Logistic Regression", "Learner", test)
    flow.node("owsadddiscretize", (320, 430), "SADD Discretize")
    flow.node("owlogisticregression", (520, 500), "Model to Read")
    flow.node("ownomogram", (720, 430))
    flow.link("File", "Data", "SADD Discretize")
    flow.link("SADD Discretize", "Data", "Model to Read")
    flow.link("SADD Discretize", "Data", "Nomogram")
    flow.link("Model to Read", "Model", "Nomogram", "Classifier")

    flow.text((30, -220, 420, 80), (
        "**As a preprocessor** of *Test and Score*, SADD finds its cuts anew in each "
        "fold, from training rows only, so it has no data input here. Logistic "
        "regression then makes a column of each interval."), ((320, -138), (320, -75)))
    flow.text((820, 0, 350, 190), SEEN_OF_INTERVALS)
    flow.text((30, 540, 360, 80), (
        "**To read the model**, all genes are discretized once. This is right for "
        "looking at what was learned, and wrong for testing it: do not connect it to "
        "*Test and Score*."), ((290, 538), (310, 500)))
    flow.text((820, 370, 350, 120), (
        "**Nomogram** has a point for each interval: it shows where the probability "
        "of a class jumps, and where it does not change. Without SADD, each number has "
        "a straight line. Drag the points to see the probability."),
        ((818, 430), (765, 430)))
    flow.save("40-intervals-for-logistic-regression.ows")


def name_plots():
    """Return settings of Heat Map and Bar Plot in which attributes are named."""
    heart = Table("heart_disease")
    heat_map = OWHeatMap()
    weights = weights_output(RNBPlusLearner()(heart))
    heat_map.set_dataset(weights)
    heat_map.set_annotation_var(weights.domain["Attribute"])
    bar_plot = OWBarPlot()
    weights = weights_output(WANBIALearner("SADD")(heart))
    bar_plot.set_data(weights)
    bar_plot.annot_var = weights.domain["Attribute"]
    for widget in (heat_map, bar_plot):
        contexts = widget.settingsHandler.pack_data(widget)["context_settings"]
        for context in contexts:
            context.time = 0  # or each run would make another file
        yield contexts


def default_settings(qualified_name):
    """
    Give all settings of a widget.

    What a workflow does not set would be what the user chose last in another one, and
    without the version, a widget would take settings for those of an old one.
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
                 intervals_for_logistic_regression):
        make(registry)
        print(make.__doc__)


if __name__ == "__main__":
    main()
