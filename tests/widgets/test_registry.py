"""What the canvas finds: the category, both widgets, their icons.

Test methods with long descriptive names omit docstrings.
"""

from pathlib import Path
from xml.etree import ElementTree

from AnyQt.QtCore import QSize
from AnyQt.QtGui import QColor, QIcon, QImage, QPainter
from Orange.widgets.tests import base  # pytest would collect GuiTest itself
from orangecanvas.resources import icon_loader

from orangecontrib.sadd import widgets
from tests.widgets.canvas import registry

NAMES = ["SADD Discretize", "RNB+"]
ICONS = Path(widgets.__file__).parent / "icons"
# The category's colour is behind icons in the toolbox, these are behind menus
BACKGROUNDS = {"light": QColor("white"), "dark": QColor("#1e1e1e"),
               "category": QColor(widgets.BACKGROUND)}


def drawn(icon, background, size=16):
    """The picture of an icon on a background."""
    image = QImage(size, size, QImage.Format_RGB32)
    image.fill(background)
    painter = QPainter(image)
    icon.paint(painter, 0, 0, size, size)
    painter.end()
    return image


def contrast(first, second):
    """The contrast of two colours, from 1 to 21, as defined by WCAG."""
    def luminance(colour):
        parts = [part / 12.92 if part <= .03928 else ((part + .055) / 1.055) ** 2.4
                 for part in (colour.redF(), colour.greenF(), colour.blueF())]
        return sum(a * b for a, b in zip((.2126, .7152, .0722), parts, strict=True))

    low, high = sorted((luminance(first), luminance(second)))
    return (high + .05) / (low + .05)


class TestRegistry(base.GuiTest):
    def descriptions(self):
        return [desc for desc in registry().widgets() if desc.category == "SADD"]

    def test_category(self):
        category = registry().category("SADD")
        self.assertEqual(category.background, widgets.BACKGROUND)
        self.assertTrue(category.description.endswith("."))

    def test_widgets_are_found_in_their_order(self):
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
        self.assertEqual(signals["SADD Discretize"][0],
                         ["Data", "Unlabelled Data", "Labeller"])
        for desc in self.descriptions():  # or File -> RNB+ opens a dialog
            self.assertEqual([signal.name for signal in desc.inputs if signal.default],
                             ["Data"])

    def test_what_a_user_types_finds_both(self):
        for desc in self.descriptions():
            words = [word for word in map(str.strip, desc.keywords)]
            for text in ("bayes", "label", "unlabeled", "semi", "sadd"):
                self.assertTrue(any(word.startswith(text) for word in words),
                                f"{text} in {desc.name}")

    def test_icons_load(self):
        descriptions = [registry().category("SADD"), *self.descriptions()]
        for desc in descriptions:
            icon = icon_loader.from_description(desc).get(desc.icon)
            self.assertIsInstance(icon, QIcon)
            self.assertFalse(icon.isNull(), desc.icon)
            self.assertFalse(icon.pixmap(QSize(16, 16)).isNull())

    def test_icons_are_legible_in_small_on_light_and_dark(self):
        for path in ICONS.glob("*.svg"):
            icon = QIcon(str(path))
            for name, background in BACKGROUNDS.items():
                with self.subTest(path.name, background=name):
                    image = drawn(icon, background)
                    clear = sum(
                        contrast(image.pixelColor(x, y), background) > 1.8
                        for x in range(16) for y in range(16))
                    self.assertGreater(clear, 35)

    def test_icons_have_no_text(self):
        for path in ICONS.glob("*.svg"):
            tags = {element.tag.rpartition("}")[2]
                    for element in ElementTree.parse(path).iter()}
            self.assertFalse(tags & {"text", "tspan", "image", "style"}, path.name)
