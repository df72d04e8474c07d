"""The example workflows: found by the canvas, run to the end, and say what they teach.

Test methods with long descriptive names omit docstrings.
"""

import re
import tomllib
from ast import literal_eval
from importlib.metadata import EntryPoint
from pathlib import Path
from unittest.mock import patch
from xml.etree import ElementTree

import numpy as np
from AnyQt.QtCore import Qt
from Orange.canvas.config import Config
from Orange.widgets.tests import base  # pytest would collect GuiTest itself
from orangecanvas.application.examples import list_workflows, workflows
from orangecanvas.utils import name_lookup

import orangecontrib.sadd.workflows
from tests.shared import ROOT
from tests.widgets.canvas import complaints, opened, widgets

FOLDER = Path(orangecontrib.sadd.workflows.__file__).parent
DISCRETIZERS, FEW_LABELLED, INSPECTION, INTERVALS = (
    FOLDER / name for name in list_workflows(orangecontrib.sadd.workflows))
# A window of 1280 x 800 shows 980 x 740 pixels beside the toolbox, at a scale of 1.043


def accuracies(widget):
    """Return the accuracy of each learner in the table of Test and Score."""
    model = widget.score_table.view.model()
    titles = [str(model.headerData(column, Qt.Horizontal))
              for column in range(model.columnCount())]
    return {model.index(row, 0).data(): float(
        model.index(row, titles.index("CA")).data())
        for row in range(model.rowCount())}


class TestWorkflows(base.GuiTest):
    def assert_result(self, path, test, *names):
        """Assert that the note on the result has the accuracies of all learners."""
        found = accuracies(test)
        self.assertEqual(set(found), set(names))
        note, = (note.text for note in ElementTree.parse(path).iter("text")
                 if note.text.startswith("**Result**"))
        figures = [float(figure) for figure in re.findall(r"([\d.]+)\s%", note)]
        np.testing.assert_allclose(
            figures, [100 * found[name] for name in names], atol=.6)

    def test_discretizers(self):
        with opened(DISCRETIZERS) as scheme:
            self.assertEqual(complaints(scheme), [])
            nodes = widgets(scheme)
            test, pool = nodes["Test and Score"], nodes["SADD with Pool"].unlabelled
            self.assert_result(DISCRETIZERS, test, *(f"NB, {method}" for method in (
                "entropy MDL", "equal frequency", "equal width", "SADD",
                "SADD with pool")))
            # Preprocessors find cuts in each draw: the widgets have got no data
            for title, has_pool in (("SADD", False), ("SADD with Pool", True)):
                self.assertIsNone(nodes[title].data)
                self.assertEqual(nodes[title].unlabelled is not None, has_pool)
            self.assertEqual((len(test.data), len(pool)), (93, 93))
            self.assertFalse(set(test.data.ids) & set(pool.ids))

    def test_few_labelled(self):
        with opened(FEW_LABELLED) as scheme:
            self.assertEqual(complaints(scheme), [])
            nodes = widgets(scheme)
            test = nodes["Test and Score"]
            self.assert_result(
                FEW_LABELLED, test, "RNB+", "RNB+ with pool", "SADD Tables with pool",
                "kNN", "Logistic Regression")
            pool = nodes["SADD Tables"].unlabelled
            self.assertIs(nodes["RNB+ with Pool"].unlabelled, pool)
            self.assertIsNone(nodes["RNB+"].unlabelled)
            self.assertEqual(len(test.data) + len(pool), 303)
            self.assertFalse(set(test.data.ids) & set(pool.ids))
            self.assertEqual((test.resampling, test.NRepeats[test.n_repeats]),
                             (test.ShuffleSplit, 20))

    def test_inspection(self):
        with opened(INSPECTION) as scheme:
            self.assertEqual(complaints(scheme), [])
            nodes = widgets(scheme)
            model, weights = nodes["RNB+"].model, nodes["Heat Map"].data
            names = [var.name for var in model.domain.attributes]
            self.assertEqual([str(name) for name in weights.metas[:, 0]], names)
            self.assertEqual([var.name for var in weights.domain.attributes],
                             ["0", "1", "w"])
            self.assertEqual(nodes["Heat Map"].annotation_var.name, "Attribute")
            self.assertIs(nodes["Nomogram"].classifier, nodes["CAWNB+"].model)
            self.assertEqual(len(nodes["Nomogram"].points), 13)
            rank = nodes["Rank"].ranksModel
            titles = [str(rank.headerData(column, Qt.Horizontal))
                      for column in range(rank.columnCount())]
            column = titles.index("RNB+")
            found = [rank.index(row, column).data(Qt.EditRole)
                     for row in range(rank.rowCount())]
            np.testing.assert_allclose(  # Rank sorts its rows
                np.sort(found), np.sort(model.importances), atol=1e-9)
            explanations = nodes["Explanations"].data
            self.assertEqual([var.name for var in explanations.domain.attributes],
                             names)
            self.assertEqual(len(explanations), 303)

    def test_intervals(self):
        with opened(INTERVALS) as scheme:
            self.assertEqual(complaints(scheme), [])
            nodes = widgets(scheme)
            self.assert_result(INTERVALS, nodes["Test and Score"], "Naive Bayes",
                               "RNB+", "Numbers", "Intervals")
            for title in ("Categories", "Indicators"):
                self.assertIsNone(nodes[title].data)


class TestFiles(base.GuiTest):
    def test_the_canvas_lists_them(self):
        # By what pyproject.toml says, whether or not it was installed since
        with open(ROOT / "pyproject.toml", "rb") as file:
            groups = tomllib.load(file)["project"]["entry-points"]
        group = "orange.widgets.tutorials"
        points = [EntryPoint(*item, group) for item in groups[group].items()]
        with patch("Orange.canvas.config.entry_points",
                   lambda group: points if group == points[0].group else []):
            examples = workflows(Config())
        found = [example.abspath() for example in examples
                 if example.package is orangecontrib.sadd.workflows]
        self.assertEqual(found, list(map(str, sorted(FOLDER.glob("*.ows")))))
        self.assertEqual(len(found), 4)

    def test_they_teach(self):
        for path in FOLDER.glob("*.ows"):
            with self.subTest(path.name):
                root = ElementTree.parse(path).getroot()
                self.assertTrue(root.get("title"))
                self.assertTrue(root.get("description").endswith("."))
                texts = [note.text for note in root.iterfind("annotations/text")]
                self.assertGreaterEqual(len(texts), 4)
                for text in texts:
                    self.assertTrue(text.endswith("."), text)

    def test_they_do_not_depend_on_what_a_user_chose_last(self):
        for path in FOLDER.glob("*.ows"):
            root = ElementTree.parse(path).getroot()
            properties = {item.get("node_id"): item
                          for item in root.iterfind("node_properties/properties")}
            for node in root.iterfind("nodes/node"):
                if not node.get("qualified_name").startswith("orangecontrib.sadd"):
                    continue
                item = properties[node.get("id")]
                self.assertEqual(item.get("format"), "literal")
                cls = name_lookup(node.get("qualified_name"))
                missing = set(cls.settingsHandler.provider.settings) - set(
                    literal_eval(item.text))
                self.assertLessEqual(missing, {
                    "savedWidgetGeometry", "controlAreaVisible"})
