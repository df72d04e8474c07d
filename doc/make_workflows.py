"""Make the example workflows.

Usage: ``QT_QPA_PLATFORM=offscreen python doc/make_workflows.py``

The workflows are written here rather than drawn, so that what they teach can be
reviewed, and no path of a machine and no size of a window gets into them.
"""

import logging
import os
from ast import literal_eval
from pathlib import Path

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
EQUAL_FREQUENCY, ENTROPY_MDL = 2, 4
FIXED_PROPORTION = 0
SHUFFLE_SPLIT, REPEAT_20, TRAIN_20_PERCENT = 2, 4, 2
WANBIA = 2
# Settings of the recipe for few labels in RNB+
FEW_LABELS = {"recipe": 1, "labeller": 1, "counts_pool": True, "objective": 1,
              "shrinkage": 1.}
# What one sees there
SEEN = (
    "**What one sees**, on average over twenty draws: RNB+ is right for about 77 % of "
    "the patients without a pool, 79 % with it, and 82 % with *Few labels*; kNN for "
    "65 %. Look at *LogLoss*, too: probabilities of *Few labels* are much less "
    "overconfident. Data, sizes and repetitions were chosen before looking at any "
    "score. Other data gain less, or nothing: try yours.")


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
    """SADD against discretizers of Orange, without leaks."""
    flow = Workflow(
        registry, "SADD against Built-in Discretizers",
        "Does SADD help naive Bayes? Test & Score compares it with the discretizers of "
        "Orange on heart disease data. Discretization is wired as a preprocessor, so "
        "that it never sees the class of the rows that it is tested on.")
    flow.file("heart_disease.tab", (120, 330))
    flow.node("owtestandscore", (700, 330), "Test & Score",
              resampling=0, n_folds=3, cv_stratified=True)
    flow.link("File", "Data", "Test & Score")
    for y, widget, title, learner, settings in (
            (130, "owpreprocess", "Entropy MDL", "NB, entropy MDL",
             {"storedsettings": discretize_setting(method=ENTROPY_MDL)}),
            (230, "owpreprocess", "Equal Frequency", "NB, equal frequency",
             {"storedsettings": discretize_setting(method=EQUAL_FREQUENCY, n=4)}),
            (430, "owsadddiscretize", "SADD", "NB, SADD", {}),
            (530, "owsadddiscretize", "SADD with Pool", "NB, SADD with pool", {})):
        flow.node(widget, (320, y), title, **settings)
        flow.node("ownaivebayes", (500, y), learner, learner_name=learner)
        flow.link(title, "Preprocessor", learner)
        flow.link(learner, "Learner", "Test & Score")
    flow.link("File", "Data", "SADD with Pool", "Unlabelled Data")
    flow.node("owconfusionmatrix", (880, 330), "Confusion Matrix")
    flow.link("Test & Score", "Evaluation Results", "Confusion Matrix")

    flow.text((40, 10, 420, 90), (
        "**Which intervals suit naive Bayes best?** Four learners differ in nothing "
        "but the discretization of numeric variables. Open *Test & Score* and "
        "compare them."))
    flow.text((560, 10, 380, 170), (
        "**Why preprocessors, and not discretized data?** SADD and entropy MDL look at "
        "the class. If *all* data were discretized first, cuts would know the classes "
        "of the rows that are tested on, and scores would be too good. As a "
        "preprocessor, discretization is learned anew in each fold, from its training "
        "rows only."))
    flow.text((40, 600, 400, 150), (
        "**The pool.** Here SADD also knows the tested rows, though never their "
        "class: connect the same data to *Unlabelled Data*. This is how the authors "
        "of SADD evaluate it (transductively). Compare with *SADD* above, which knows "
        "the training rows alone."), ((200, 598), (285, 555)))
    flow.text((600, 470, 340, 150), (
        "Differences of a point or two are chance on 303 patients: choose *Compare "
        "models by* classification accuracy in *Test & Score*, or repeat the test by "
        "random sampling, before you believe in them."),
        ((700, 468), (700, 385)))
    flow.save("10-sadd-and-built-in-discretizers.ows")


def semi_supervised(registry):
    """A few labelled rows and many unlabelled ones."""
    # Data, sizes and repetitions were chosen before looking at any score
    flow = Workflow(
        registry, "Learning from a Few Labelled Rows",
        "Suppose that only 30 patients have been diagnosed. Do 151 others, whom nobody "
        "has diagnosed, help? Test & Score draws the 30 patients twenty times, and "
        "tests on patients who are in nobody's pool.")
    flow.file("heart_disease.tab", (100, 330))
    flow.node("owdatasampler", (270, 330), sampling_type=FIXED_PROPORTION,
              sampleSizePercentage=50, use_seed=True, stratify=True)
    flow.link("File", "Data", "Data Sampler")
    flow.node("owtestandscore", (760, 330), "Test & Score", resampling=SHUFFLE_SPLIT,
              n_repeats=REPEAT_20, sample_size=TRAIN_20_PERCENT,
              shuffle_stratified=True)
    flow.link("Data Sampler", "Data Sample", "Test & Score", "Data")
    for y, title, settings in (
            (300, "RNB+", {}), (420, "RNB+ with Pool", {}),
            (540, "RNB+ Few Labels", FEW_LABELS)):
        flow.node("owrnbplus", (500, y), title, **settings)
        if title != "RNB+":
            flow.link("Data Sampler", "Remaining Data", title, "Unlabelled Data")
        flow.link(title, "Learner", "Test & Score")
    for y, widget, title in ((60, "owknn", "kNN"),
                             (180, "owlogisticregression", "Logistic Regression")):
        flow.node(widget, (500, y))
        flow.link(title, "Learner", "Test & Score")

    flow.text((30, -20, 380, 110), (
        "**Labels are dear, rows are cheap.** *Data Sampler* divides 303 patients. "
        "Those of *Data Sample* are for training and testing. The others are "
        "*Remaining Data*: RNB+ gets them without their class. No patient is tested "
        "on who is in the pool."), ((250, 95), (268, 282)))
    flow.text((620, -20, 380, 130), (
        "**Repeat it.** With so few labels, luck matters more than the method in a "
        "single run. *Test & Score* therefore draws 20 % of its patients, that is 30, "
        "twenty times, and tests on the rest. Its scores are averages."),
        ((760, 112), (760, 282)))
    flow.text((30, 440, 340, 170), (
        "**The pool.** What comes into *Unlabelled Data* gets its labels from "
        "neighbours or, in *RNB+ Few Labels*, from a committee, and there "
        "it counts in the probabilities, too. The *Recipe* of the "
        "widget sets all of this. Classes in the pool are never read."),
        ((372, 520), (450, 535)))
    flow.text((620, 440, 400, 190), SEEN, ((760, 438), (760, 385)))
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
        "**Weights.** *RNB+* learns a weight for each attribute and class, a weight "
        "for all classes, *w*, and how to mix both, *alpha*. Open it to see them, "
        "and whether the search for them converged."), ((330, 82), (330, 132)))
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
        "of two such models, as RNB is. Drag the points to see how the probability "
        "changes."), ((640, 450), (602, 450)))
    flow.text((40, 520, 300, 100), (
        "The same widget, with *Attribute weighting* set to *Class-independent "
        "(WANBIA)*. Its name in other widgets changes accordingly."),
        ((190, 518), (288, 465)))
    flow.save("30-what-a-model-has-learned.ows")


def name_plots():
    """Give settings of Heat Map and Bar Plot in which attributes are named."""
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


def discretize_setting(**parameters):
    """A setting of Preprocess with nothing but discretization."""
    return {"name": "", "preprocessors": [("orange.preprocess.discretize", parameters)]}


def main():
    """Make all workflows."""
    _ = QApplication.instance() or QApplication([])
    registry = make_registry()
    for make in (compare_discretizers, semi_supervised, inspect_model):
        make(registry)
        print(make.__doc__)


if __name__ == "__main__":
    main()
