"""The example workflows: found by the canvas, run to the end, and say what they teach.

Test methods with long descriptive names omit docstrings.
"""

import re
import tomllib
import unittest
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
DISCRETIZERS, FEW_LABELLED, INSPECTION = (
    FOLDER / name for name in list_workflows(orangecontrib.sadd.workflows))


def shown_scores(widget):
    """Scores by learner and name, read from the table of Test & Score as it is seen."""
    model = widget.score_table.view.model()
    titles = [str(model.headerData(column, Qt.Horizontal))
              for column in range(model.columnCount())]
    return {
        model.index(row, 0).data(): {
            title: float(model.index(row, column).data())
            for column, title in enumerate(titles)
            if re.fullmatch(r"[\d.]+", str(model.index(row, column).data()))}
        for row in range(model.rowCount())}


class TestWorkflows(base.GuiTest):
    def test_discretizers(self):
        with opened(DISCRETIZERS) as scheme:
            self.assertEqual(complaints(scheme), [])
            nodes = widgets(scheme)
            scores = shown_scores(nodes["Test & Score"])
            self.assertEqual(
                set(scores), {"NB, entropy MDL", "NB, equal frequency", "NB, SADD",
                              "NB, SADD with pool"})
            for figures in scores.values():
                self.assertGreater(figures["CA"], .8)
                self.assertGreater(figures["AUC"], .88)
            # Preprocessors find cuts in each fold: the widgets have got no data
            for title, has_pool in (("SADD", False), ("SADD with Pool", True)):
                self.assertIsNone(nodes[title].data)
                self.assertEqual(nodes[title].unlabelled is not None, has_pool)
            self.assertEqual(len(nodes["Confusion Matrix"].data), 303)

    def test_few_labelled(self):
        with opened(FEW_LABELLED) as scheme:
            self.assertEqual(complaints(scheme), [])
            nodes = widgets(scheme)
            scores = shown_scores(nodes["Test & Score"])
            self.assertEqual(set(scores), {
                "RNB+", "RNB+ with pool", "RNB+ few labels with pool", "kNN",
                "Logistic Regression"})
            for name in set(scores) - {"kNN"}:
                self.assertGreater(scores[name]["CA"], .65)
            test = nodes["Test & Score"]
            pool = nodes["RNB+ Few Labels"].unlabelled
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
            for widget in ("Heat Map.annotation_var", "Bar Plot.annot_var"):
                title, attribute = widget.split(".")
                self.assertEqual(getattr(nodes[title], attribute).name, "Attribute")
            self.assertIs(nodes["Nomogram"].classifier, nodes["WANBIA+"].model)
            self.assertEqual(len(nodes["Nomogram"].points), 13)
            rank = nodes["Rank"].ranksModel
            titles = [str(rank.headerData(column, Qt.Horizontal))
                      for column in range(rank.columnCount())]
            self.assertIn("RNB+", titles)
            column = titles.index("RNB+")
            found = [rank.index(row, column).data(Qt.EditRole)
                     for row in range(rank.rowCount())]
            np.testing.assert_allclose(  # Rank sorts its rows
                np.sort(found), np.sort(model.importances), atol=1e-9)
            self.assertEqual(nodes["Bar Plot"].data.domain.attributes[0].name, "w")


class TestFiles(unittest.TestCase):
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
        self.assertEqual(len(found), 3)

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
                    "savedWidgetGeometry", "controlAreaVisible", "splitter_state"})
