"""The table of weights and what is around it, each by itself.

Test methods with long descriptive names omit docstrings.
"""

import csv
import io
import tempfile
from pathlib import Path
from unittest.mock import patch

import numpy as np
from AnyQt.QtCore import QPoint, Qt
from AnyQt.QtGui import QFontMetrics, QPalette
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import QApplication, QFileDialog, QLabel, QMessageBox, QToolTip
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
from Orange.widgets.tests import base  # pytest would collect GuiTest itself

from orangecontrib.sadd.classification import CAWNBLearner, RNBLearner, WANBIALearner
from orangecontrib.sadd.core.bayes.model import BayesModel
from orangecontrib.sadd.models import WeightedNaiveBayesModel
from orangecontrib.sadd.widgets.common.bartable import (
    BarColourRole,
    BarRole,
    NameShortener,
)
from orangecontrib.sadd.widgets.common.controls import TIP_WIDTH, wrap_tip
from orangecontrib.sadd.widgets.rnbplus.weightsview import LossCurve, WeightsPanel


def with_alpha(model, alpha):
    """The same mixture with another share of its two parts."""
    fitted = model.fitted
    return WeightedNaiveBayesModel(model.domain, BayesModel(
        fitted.tables, fitted.weights, fitted.class_weights, alpha))


class PanelTest(base.GuiTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.iris = Table("iris")
        cls.model = RNBLearner(max_iter=5)(cls.iris)

    def setUp(self):
        self.panel = WeightsPanel()
        self.panel.set_model(self.model)
        self.table, self.weights = self.panel.table, self.panel.table.weights

    def tearDown(self):
        self.panel.deleteLater()

    def names(self):
        return [row[0] for row in self.table.as_lists()[1:]]

    def show_panel(self, width=700, height=150):
        self.panel.resize(width, height)
        self.panel.show()
        QTest.qWaitForWindowExposed(self.panel)

    def click(self, column):
        header = self.table.horizontalHeader()
        QTest.mouseClick(header.viewport(), Qt.LeftButton, pos=QPoint(
            header.sectionViewportPosition(column) + 15, header.height() // 2))


class TestTable(PanelTest):
    def test_importance_is_the_first_column_and_the_default_order(self):
        importances = self.model.importances
        header, *rows = self.table.as_lists()
        self.assertEqual(header[1], "Importance")
        self.assertEqual([row[1] for row in rows],
                         [f"{value:.3f}" for value in sorted(importances)[::-1]])
        lengths = [self.weights.index(row, 0).data(BarRole) for row in range(4)]
        np.testing.assert_allclose(
            lengths, np.sort(importances)[::-1] / importances.max())
        table_header = self.table.horizontalHeader()
        self.assertEqual(table_header.sortIndicatorSection(), 0)
        self.assertEqual(table_header.sortIndicatorOrder(), Qt.DescendingOrder)

    def test_first_click_sorts_downwards_and_goes_to_the_top(self):
        rng = np.random.RandomState(0)
        domain = Domain([ContinuousVariable(f"x{i}") for i in range(40)],
                        self.iris.domain.class_var)
        X = rng.normal(size=(150, 40)) + self.iris.Y[:, None] * rng.rand(40)
        self.panel.set_model(CAWNBLearner()(Table.from_numpy(domain, X, self.iris.Y)))
        self.show_panel()
        bar = self.table.verticalScrollBar()
        bar.setValue(bar.maximum())
        self.assertGreater(bar.value(), 0)
        self.click(2)
        self.assertEqual(bar.value(), 0)
        shown = [row[3] for row in self.table.as_lists()[1:] if row[3] != "–"]
        self.assertEqual(shown, sorted(shown, reverse=True))
        self.assertGreater(len(set(shown)), 1)
        self.click(2)
        shown = [row[3] for row in self.table.as_lists()[1:] if row[3] != "–"]
        self.assertEqual(shown, sorted(shown))

    def test_names_have_a_title_that_sorts_by_them(self):
        self.show_panel()
        corner = self.table.corner
        self.assertEqual(corner.findChild(QLabel).text(), "Attribute")
        self.assertTrue(corner.isEnabled())
        QTest.mouseClick(corner, Qt.LeftButton)
        self.assertEqual(self.names(), sorted(self.names()))
        self.assertEqual(self.table.horizontalHeader().sortIndicatorSection(), -1)
        self.panel.filter.setText("petal")
        self.assertEqual(self.names(), ["petal length", "petal width"])
        self.panel.filter.clear()
        self.click(0)
        importances = self.weights.importances[self.weights.order]
        self.assertTrue((np.diff(importances) <= 0).all())

    def test_weights_without_a_share_are_faded(self):
        for alpha, faded in ((0, [False, True, True, True, False]),
                             (1, [False, False, False, False, True]),
                             (.5, [False] * 5)):
            self.panel.set_model(with_alpha(self.model, alpha))
            for column, expected in enumerate(faded):
                with self.subTest(alpha=alpha, column=column):
                    index = self.weights.index(0, column)
                    colour = index.data(Qt.ForegroundRole)
                    self.assertEqual(colour is not None, expected)
                    tip = self.weights.headerData(
                        column, Qt.Horizontal, Qt.ToolTipRole)
                    self.assertEqual("no effect" in tip, expected)
                    if column:
                        self.assertEqual(index.data(BarColourRole).alphaF() < .5,
                                         expected)

    def test_attributes_without_effect_are_faded(self):
        constant = Table.from_numpy(
            Domain([*self.iris.domain.attributes, ContinuousVariable("constant")],
                   self.iris.domain.class_var),
            np.column_stack((self.iris.X, np.ones(150))), self.iris.Y)
        self.panel.set_model(WANBIALearner()(constant))
        self.assertEqual(self.names()[-1], "constant")
        for row, expected in ((0, False), (4, True)):
            name = self.weights.headerData(row, Qt.Vertical, Qt.ForegroundRole)
            self.assertEqual(name is not None, expected)
            cell = self.weights.index(row, 0).data(Qt.ForegroundRole)
            self.assertEqual(cell is not None, expected)
        self.assertIn("no effect", self.weights.index(4, 1).data(Qt.ToolTipRole))
        self.show_panel()
        self.assertFalse(self.panel.grab().isNull())

    def test_nothing_is_important(self):
        noise = Table.from_numpy(
            Domain([DiscreteVariable("a", ("x", "y"))], self.iris.domain.class_var),
            np.zeros((150, 1)), self.iris.Y)
        self.panel.set_model(WANBIALearner()(noise))
        self.assertEqual(self.weights.index(0, 0).data(BarRole), 0)

    def test_rows_that_are_gone(self):
        index = self.weights.index(3, 4)
        self.panel.set_model(WANBIALearner()(self.iris[:, [0, 4]]))
        self.assertIsNone(self.weights.data(index))
        self.assertIsNone(self.weights.headerData(3, Qt.Vertical))

    def test_accessible_names(self):
        for part in (self.table, self.panel.filter):
            self.assertTrue(part.accessibleName())


class TestPanel(PanelTest):
    def test_caption_names_the_class(self):
        self.assertEqual(self.panel.caption.text(),
                         "Weights of 4 attributes in predictions of iris")

    def test_filter(self):
        self.panel.filter.setText(" PETAL")
        self.assertEqual(self.names(), ["petal width", "petal length"])
        self.assertEqual(self.panel.caption.text(),
                         "Weights of 2 of 4 attributes in predictions of iris")
        self.table.sortByColumn(0, Qt.AscendingOrder)
        self.assertEqual(self.names(), ["petal length", "petal width"])
        self.panel.set_model(self.model)
        self.assertEqual(self.names(), ["petal width", "petal length"])
        self.panel.filter.setText("nothing like this")
        self.assertEqual(self.names(), [])
        self.assertFalse(self.panel.grab().isNull())
        self.panel.filter.clear()
        self.assertEqual(len(self.names()), 4)

    def test_copy(self):
        self.show_panel()
        self.panel.filter.setText("petal w")
        QApplication.clipboard().clear()
        self.table.setFocus()
        QTest.keyClick(self.table, Qt.Key_C, Qt.ControlModifier)
        model = self.model
        values = [model.importances[3], *model.class_weights[:, 3], model.weights[3]]
        self.assertEqual(QApplication.clipboard().text(), "\n".join((
            "\t".join(("Attribute", "Importance",
                       *self.iris.domain.class_var.values, "All classes")),
            "\t".join(("petal width", *(f"{value:.6g}" for value in values))), "")))
        self.assertEqual(QToolTip.text(), "1 row is copied.")
        self.panel.filter.clear()
        self.panel.copy_button.click()
        self.assertEqual(QToolTip.text(), "4 rows are copied.")

    def test_copy_in_the_filter_copies_its_text(self):
        self.show_panel()
        self.panel.filter.setText("petal")
        self.panel.filter.setFocus()
        self.panel.filter.selectAll()
        QTest.keyClick(self.panel.filter, Qt.Key_C, Qt.ControlModifier)
        self.assertEqual(QApplication.clipboard().text(), "petal")

    def save(self, name):
        with patch.object(QFileDialog, "getSaveFileName", return_value=(name, "")):
            self.panel.save_button.click()

    def test_save(self):
        odd = Table.from_numpy(
            Domain([ContinuousVariable("širina, \"cvet\"\tx"), ContinuousVariable("1")],
                   self.iris.domain.class_var), self.iris.X[:, 2:], self.iris.Y)
        self.panel.set_model(WANBIALearner()(odd))
        with tempfile.TemporaryDirectory() as folder:
            self.save(str(Path(folder, "saved")))
            text = Path(folder, "saved.csv").read_text(encoding="utf-8")
            rows = list(csv.reader(io.StringIO(text)))
            self.assertEqual(rows, self.table.as_numbers())
            self.assertEqual({row[0] for row in rows[1:]},
                             {var.name for var in odd.domain.attributes})
            table = Table.from_file(str(Path(folder, "saved.csv")))
            self.assertEqual(len(table), 2)
            self.save("")  # the dialog is closed: nothing is written
            self.assertEqual(len(list(Path(folder).iterdir())), 1)

    def test_save_where_nothing_can_be_written(self):
        with tempfile.TemporaryDirectory() as folder, \
                patch.object(QMessageBox, "warning") as warning:
            self.save(str(Path(folder, "no folder", "saved.csv")))
        text = warning.call_args.args[2]
        self.assertIn("saved.csv could not be saved", text)
        self.assertTrue(text.endswith("."))


class TestLossCurve(base.GuiTest):
    def setUp(self):
        self.curve = LossCurve()
        self.curve.resize(100, 30)

    def test_falls_from_the_upper_left_to_the_lower_right(self):
        self.curve.set_history([4., 2., 1.])
        first, second, last = self.curve.points()
        self.assertLess(first.y(), second.y())
        self.assertAlmostEqual((second.y() - first.y()) / (last.y() - first.y()), 2 / 3)
        self.assertAlmostEqual(second.x() * 2, first.x() + last.x())
        self.assertIn("from 4 at the start to 1 after 2 iterations",
                      self.curve.accessibleDescription())
        image = self.curve.grab().toImage()
        self.assertEqual(image.pixelColor(last.toPoint()),
                         self.curve.palette().color(QPalette.Highlight))

    def test_odd_histories(self):
        for losses in ([], [1.], [0., 0.], np.linspace(1, 0, 10 ** 4)):
            self.curve.set_history(losses)
            self.assertFalse(self.curve.grab().isNull())
        self.curve.set_history([])
        self.assertEqual(self.curve.toolTip(), "")


class TestNames(base.GuiTest):
    def shortened(self, names, n_characters):
        metrics = QFontMetrics(QApplication.font())
        shortener = NameShortener(names)
        width = metrics.averageCharWidth() * n_characters
        texts = [shortener.shortened(name, metrics, width) for name in names]
        for text in texts:
            self.assertLessEqual(metrics.horizontalAdvance(text), width + 1)
        return texts

    def test_what_differs_is_kept(self):
        for pattern in ("Expression of the gene {:05} in the tissue",
                        "a_very_long_prefix_of_a_column_{}", "{} of a long name to end",
                        "Mean of the temperature of the sensor {:03}"):
            names = [pattern.format(i) for i in range(1, 200)]
            with self.subTest(pattern):
                shown = self.shortened(names, 16)
                self.assertEqual(len(set(shown)), len(names))
                self.assertTrue(all("…" in text for text in shown))

    def test_short_names_are_left_alone(self):
        self.assertEqual(self.shortened(["sepal width", "sepal length"], 40),
                         ["sepal width", "sepal length"])
        self.assertEqual(self.shortened(["x"], 10), ["x"])
        metrics = QFontMetrics(QApplication.font())
        self.assertEqual(NameShortener().shortened("x", metrics, 90), "x")

    def test_tips_wrap(self):
        text = wrap_tip("n" * 200 + "\n" + "many words " * 30)
        self.assertLessEqual(max(map(len, text.split("\n"))), TIP_WIDTH)
        self.assertEqual(text.replace("\n", "").replace(" ", ""),
                         "n" * 200 + "manywords" * 30)
        self.assertEqual(wrap_tip(""), "")
