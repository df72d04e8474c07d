"""The example workflows: found by the canvas, run to the end, and say what they teach.

Test methods with long descriptive names omit docstrings.
"""

import re
import tomllib
import unittest
from ast import literal_eval
from importlib.metadata import EntryPoint
from itertools import combinations
from pathlib import Path
from unittest.mock import patch
from xml.etree import ElementTree

import numpy as np
from AnyQt.QtCore import Qt
from Orange.canvas.config import Config
from Orange.data import Table, dataset_dirs
from Orange.widgets.tests import base  # pytest would collect GuiTest itself
from orangecanvas.application.examples import list_workflows, workflows
from orangecanvas.utils import name_lookup
from sklearn import metrics

import orangecontrib.sadd.workflows
from tests.shared import ROOT
from tests.widgets.canvas import complaints, opened, widgets

FOLDER = Path(orangecontrib.sadd.workflows.__file__).parent
DISCRETIZERS, FEW_LABELLED, INSPECTION, INTERVALS = (
    FOLDER / name for name in list_workflows(orangecontrib.sadd.workflows))
# As many wins are called better; *When to use it* says so
ENOUGH_DRAWS, ENOUGH_FOLDS = 15, 9


def shown_scores(widget):
    """Scores by learner and name, read from the table of Test and Score."""
    model = widget.score_table.view.model()
    titles = [str(model.headerData(column, Qt.Horizontal))
              for column in range(model.columnCount())]
    return {
        model.index(row, 0).data(): {
            title: float(model.index(row, column).data())
            for column, title in enumerate(titles)
            if re.fullmatch(r"[\d.]+", str(model.index(row, column).data()))}
        for row in range(model.rowCount())}


def scores_of_parts(widget, measure):
    """A score of each draw or fold, by learner, from what Test and Score has done."""
    found = {}
    for slot in widget.learners.values():
        results = slot.results.value
        found[slot.learner.name] = np.array([
            measure(results.actual[rows], results.predicted[0][rows],
                    results.probabilities[0][rows]) for rows in results.folds])
    return found


def accuracy(actual, predicted, _):
    return np.mean(actual == predicted)


def log_loss(actual, _, probabilities):
    return metrics.log_loss(actual, probabilities, labels=range(probabilities.shape[1]))


def most_numeric():
    """Of the data installed with Orange, the file with the most numeric variables."""
    numbers = {}
    for path in Path(dataset_dirs[-1]).glob("*.tab"):
        domain = Table(str(path)).domain
        if domain.class_var and domain.class_var.is_discrete:
            numbers[path.name] = sum(var.is_continuous for var in domain.attributes)
    return max(numbers, key=numbers.get)


def cross(a, b, c, d):
    """Whether the lines from a to b and from c to d cross."""
    def side(p, q, r):
        return np.sign((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]))

    return side(a, b, c) != side(a, b, d) and side(c, d, a) != side(c, d, b)


def overlap(first, second):
    """Whether two boxes, each x, y, width and height, overlap."""
    return all(first[i] < second[i] + second[i + 2]
               and second[i] < first[i] + first[i + 2] for i in (0, 1))


class TestWorkflows(base.GuiTest):
    def assert_seen(self, path, *expected):
        """Assert that the note on what one sees has these figures, all in per cent."""
        note = self.seen(path)
        found = re.findall(r"([\d.]+)\s%(?:\s± ([\d.]+))?", note)
        found = [float(figure) for figures in found for figure in figures if figure]
        self.assertEqual(len(found), len(expected), note)
        for figure, share in zip(found, expected, strict=True):
            self.assertAlmostEqual(figure, 100 * share, delta=.6, msg=note)

    def seen(self, path):
        note, = (note.text for note in ElementTree.parse(path).iter("text")
                 if note.text.startswith("**What one sees**"))
        return note

    def test_discretizers(self):
        with opened(DISCRETIZERS) as scheme:
            self.assertEqual(complaints(scheme), [])
            nodes = widgets(scheme)
            self.assertEqual(Path(nodes["File"].last_path()).name, most_numeric())
            test, pool = nodes["Test and Score"], nodes["SADD with Pool"].unlabelled
            shown, draws = shown_scores(test), scores_of_parts(test, accuracy)
            names = [f"NB, {method}" for method in (
                "entropy MDL", "equal frequency", "equal width", "SADD",
                "SADD with pool")]
            self.assertEqual(set(shown), set(names))
            self.assertEqual({len(scores) for scores in draws.values()}, {20})
            self.assert_seen(DISCRETIZERS, *(
                figure for name in names
                for figure in (shown[name]["CA"], draws[name].std(ddof=1))))
            note = self.seen(DISCRETIZERS)
            entropy, frequency, width, sadd, with_pool = map(draws.get, names)
            least, = re.findall(r"win at least (\d+) draws against each", note)
            self.assertEqual(int(least), min(
                (ours > other).sum() for ours in (entropy, sadd, with_pool)
                for other in (frequency, width)))
            self.assertGreaterEqual(int(least), ENOUGH_DRAWS)
            wins, losses = map(int, re.search(
                r"wins (\d+) draws against entropy MDL and loses (\d+)", note).groups())
            np.testing.assert_allclose(
                [wins, losses],
                [(with_pool > entropy).sum(), (with_pool < entropy).sum()],
                atol=2, rtol=0)
            self.assertLess(max(wins, losses), ENOUGH_DRAWS)
            # Preprocessors find cuts in each draw: the widgets have got no data
            for title, has_pool in (("SADD", False), ("SADD with Pool", True)):
                self.assertIsNone(nodes[title].data)
                self.assertEqual(nodes[title].unlabelled is not None, has_pool)
            self.assertEqual((len(test.data), len(pool)), (93, 93))
            self.assertFalse(set(test.data.ids) & set(pool.ids))

    def test_intervals(self):
        with opened(INTERVALS) as scheme:
            self.assertEqual(complaints(scheme), [])
            nodes = widgets(scheme)
            self.assertEqual(Path(nodes["File"].last_path()).name, most_numeric())
            tests = [nodes[f"Test on {what}"] for what in ("Numbers", "Intervals")]
            learner = "Logistic Regression"
            self.assert_seen(INTERVALS, *(
                figure for test in tests for figure in (
                    shown_scores(test)[learner]["CA"],
                    scores_of_parts(test, accuracy)[learner].std(ddof=1))))
            note = self.seen(INTERVALS)
            self.assertIn("one gene of 186 is wrong", note)
            for test in tests:
                result = next(iter(test.learners.values())).results.value
                self.assertEqual((result.actual != result.predicted[0]).sum(), 1)
                self.assertEqual(len(result.folds), 10)
            numbers, intervals = (
                scores_of_parts(test, log_loss)[learner] for test in tests)
            wins = [int(figure) for figure in re.search(
                r"lower on numbers in (\d+) folds and on intervals in (\d+)",
                note).groups()]
            np.testing.assert_allclose(
                wins, [(numbers < intervals).sum(), (intervals < numbers).sum()],
                atol=1, rtol=0)
            self.assertLess(max(wins), ENOUGH_FOLDS)
            self.assertIsNone(nodes["SADD"].data)
            nomogram = nodes["Nomogram"]
            self.assertIs(nomogram.classifier, nodes["Model to Read"].model)
            attributes = nomogram.classifier.original_domain.attributes
            self.assertTrue(all(var.is_discrete for var in attributes))

    def test_few_labelled(self):
        with opened(FEW_LABELLED) as scheme:
            self.assertEqual(complaints(scheme), [])
            nodes = widgets(scheme)
            scores = shown_scores(nodes["Test and Score"])
            self.assertEqual(set(scores), {
                "RNB+", "RNB+ with pool", "RNB+ few labels with pool", "kNN",
                "Logistic Regression"})
            test = nodes["Test and Score"]
            draws = scores_of_parts(test, accuracy)
            names = ("RNB+", "RNB+ with pool", "RNB+ few labels with pool", "kNN",
                     "Logistic Regression")
            self.assert_seen(FEW_LABELLED, *(
                figure for name in names
                for figure in (scores[name]["CA"], draws[name].std(ddof=1))))
            plain, _, few, _, logistic = map(draws.get, names)
            wins = [int(figure) for figure in re.search(
                r"wins (\d+) draws against RNB\+\. Against logistic regression it wins "
                r"(\d+) and loses (\d+)", self.seen(FEW_LABELLED)).groups()]
            np.testing.assert_allclose(wins, [
                (few > plain).sum(), (few > logistic).sum(), (few < logistic).sum()],
                atol=2, rtol=0)
            self.assertGreaterEqual(wins[0], ENOUGH_DRAWS)
            self.assertLess(max(wins[1:]), ENOUGH_DRAWS)
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

    def test_links_do_not_cross_and_nothing_overlaps(self):
        for path in FOLDER.glob("*.ows"):
            root = ElementTree.parse(path).getroot()
            nodes = {node.get("id"): (node.get("title"),
                                      *literal_eval(node.get("position")))
                     for node in root.iterfind("nodes/node")}
            links = [tuple(nodes[link.get(f"{end}_node_id")]
                           for end in ("source", "sink"))
                     for link in root.iterfind("links/link")]
            for first, second in combinations(set(links), 2):
                if not set(first) & set(second):
                    with self.subTest(path.name, first=first, second=second):
                        self.assertFalse(cross(*(end[1:] for end in first + second)))
            # A node with its title below is about 110 wide and 100 high
            boxes = [(title, x - 55, y - 35, 110, 100)
                     for title, x, y in nodes.values()]
            boxes += [(note.text[:20], *map(float, literal_eval(note.get("rect"))))
                      for note in root.iterfind("annotations/text")]
            for first, second in combinations(boxes, 2):
                with self.subTest(path.name, first=first, second=second):
                    self.assertFalse(overlap(first[1:], second[1:]))

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
