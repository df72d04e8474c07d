"""The category, the widgets and their icons in the canvas.

Test methods with long descriptive names omit docstrings.
"""

from AnyQt.QtGui import QColor, QImage, QPainter, QPalette
from Orange.widgets.tests import base  # pytest would collect GuiTest itself
from Orange.widgets.widget import Msg
from orangecanvas import styles
from orangecanvas.gui.iconengine import StyledIconEngine
from orangecanvas.registry.utils import search_filter_query_helper
from orangecanvas.resources import icon_loader
from orangecanvas.scheme import Scheme
from orangecanvas.utils import name_lookup

from orangecontrib.sadd import widgets
from orangecontrib.sadd.widgets.common.messages import Warnings
from tests.widgets.canvas import registry

NAMES = ["SADD Discretize", "RNB+", "SADD Tables"]


def drawn(icon, background):
    """Return the picture of a small icon on a background."""
    image = QImage(16, 16, QImage.Format_RGB32)
    image.fill(background)
    painter = QPainter(image)
    icon.paint(painter, 0, 0, 16, 16)
    painter.end()
    return image


class TestRegistry(base.GuiTest):
    def descriptions(self):
        return [desc for desc in registry().widgets() if desc.category == "SADD"]

    def test_category_and_widgets_are_found(self):
        category = registry().category("SADD")
        self.assertEqual(category.background, widgets.BACKGROUND)
        found = sorted(self.descriptions(), key=lambda desc: desc.priority)
        self.assertEqual([desc.name for desc in found], NAMES)
        for desc in found:
            self.assertTrue(desc.description.endswith("."))
            self.assertTrue(desc.keywords)
            self.assertEqual(desc.project_name, "Orange3-SADD")

    def test_signals(self):
        signals = {
            desc.name: ([signal.name for signal in desc.inputs],
                        [signal.name for signal in desc.outputs])
            for desc in self.descriptions()}
        self.assertEqual(signals["RNB+"], (
            ["Data", "Preprocessor", "Unlabelled Data", "Labeller"],
            ["Learner", "Model", "Weights"]))
        self.assertEqual(signals["SADD Tables"], (
            signals["RNB+"][0], ["Learner", "Model", "Tables", "Explanations"]))
        self.assertEqual(signals["SADD Discretize"][0],
                         ["Data", "Unlabelled Data", "Labeller"])

    def test_search_by_keywords_finds_the_widgets(self):
        for desc in self.descriptions():
            for text in ("semi", "label", "unlabeled", "Sadd", *(
                    ("gam", "explain") if desc.name == "SADD Tables"
                    else ("bayes", "naive"))):
                self.assertTrue(search_filter_query_helper(desc, text),
                                f"{text} in {desc.name}")
            self.assertFalse(search_filter_query_helper(desc, "regression"))

    def test_links_that_a_user_draws_need_no_dialog(self):
        # The canvas opens one if the best two links it proposes are equally good
        scheme = Scheme()
        nodes = {desc.name: scheme.new_node(desc) for desc in registry().widgets()
                 if desc.name in (*NAMES, "File", "Test and Score", "Nomogram",
                                  "Predictions", "Data Table", "Preprocess")}
        for source, sink, expected in (
                ("File", "RNB+", ("Data", "Data")),
                ("File", "SADD Discretize", ("Data", "Data")),
                ("SADD Discretize", "RNB+", ("Data", "Data")),
                ("SADD Discretize", "Data Table", ("Data", "Data")),
                ("Preprocess", "RNB+", ("Preprocessed Data", "Data")),
                ("RNB+", "Test and Score", ("Learner", "Learner")),
                ("RNB+", "Predictions", ("Model", "Predictors")),
                ("RNB+", "Nomogram", ("Model", "Classifier")),
                ("File", "SADD Tables", ("Data", "Data")),
                ("SADD Discretize", "SADD Tables", ("Data", "Data")),
                ("SADD Tables", "Test and Score", ("Learner", "Learner")),
                ("SADD Tables", "Predictions", ("Model", "Predictors"))):
            with self.subTest(source, sink=sink):
                (output, channel, weight), *others = scheme.propose_links(
                    nodes[source], nodes[sink])
                self.assertEqual((output.name, channel.name), expected)
                self.assertTrue(all(other[2] < weight for other in others))

    def test_messages_are_sentences(self):
        for desc in self.descriptions():
            cls = name_lookup(desc.qualified_name)
            for group in (cls.Error, cls.Warning, cls.Information, Warnings):
                for name, message in vars(group).items():
                    if isinstance(message, Msg):
                        self.assertRegex(message, r"^[A-Z{].*[^.][.}]$", name)

    def test_icons_follow_the_theme_and_are_legible_in_small(self):
        # On nodes and in the toolbox, icons are on the category's colour, with the
        # light palette in both themes
        light, dark = styles.breeze_light(), styles.breeze_dark()
        for desc in (registry().category("SADD"), *self.descriptions()):
            icon = icon_loader.from_description(desc).get(desc.icon)
            for palette, background in (
                    (light, light.color(QPalette.Base)),
                    (dark, dark.color(QPalette.Base)),
                    (light, QColor(widgets.BACKGROUND))):
                with self.subTest(desc.name, background=background.name()):
                    with StyledIconEngine.setOverridePalette(palette):
                        image = drawn(icon, background)
                    clear = sum(
                        abs(image.pixelColor(x, y).lightness()
                            - background.lightness()) > 90
                        for x in range(16) for y in range(16))
                    self.assertGreater(clear, 35)
