"""The example workflows: found by the canvas, run to the end, with right notes.

Test methods with long descriptive names omit docstrings.
"""

import re
from ast import literal_eval
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtGui import QTextDocument
from AnyQt.QtTest import QTest
from Orange.canvas.config import Config
from Orange.widgets.tests import base  # pytest would collect GuiTest itself
from orangecanvas.application.examples import list_workflows, workflows
from orangecanvas.utils import name_lookup

import orangecontrib.sadd.workflows
from tests.waiting import wait_until
from tests.widgets.canvas import complaints, opened, widgets

FOLDER = Path(orangecontrib.sadd.workflows.__file__).parent
DISCRETIZERS, FEW_LABELLED, INSPECTION, INTERVALS = (
    FOLDER / name for name in list_workflows(orangecontrib.sadd.workflows))
# A window of 1280 x 800 shows 980 x 740 pixels beside the toolbox, at a scale of 1.043
LARGEST = 920, 680


def read_column(model, title):
    """Return the numbers in a column of an item model."""
    titles = [str(model.headerData(column, Qt.Horizontal))
              for column in range(model.columnCount())]
    column = titles.index(title)
    return [float(model.index(row, column).data(Qt.EditRole))
            for row in range(model.rowCount())]


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
    @contextmanager
    def run_workflow(self, path):
        """Assert that a workflow runs without complaints, and return its widgets."""
        with opened(path) as scheme:
            self.assertEqual(complaints(scheme), [])
            yield widgets(scheme)

    def assert_result(self, path, test, *names):
        """Assert that the note on the result has the accuracies of all learners."""
        scores = test.score_table.view.model()
        learners = [scores.index(row, 0).data() for row in range(scores.rowCount())]
        found = dict(zip(learners, read_column(scores, "CA"), strict=True))
        self.assertEqual(set(found), set(names))
        note, = (note.text for note in ElementTree.parse(path).iter("text")
                 if note.text.startswith("**Result**"))
        figures = [float(figure) for figure in re.findall(r"([\d.]+)\s%", note)]
        np.testing.assert_allclose(
            figures, [100 * found[name] for name in names], atol=.6)

    def test_discretizers(self):
        with self.run_workflow(DISCRETIZERS) as nodes:
            test = nodes["Test and Score"]
            pool = nodes["SADD with Unlabelled Data"].unlabelled
            self.assert_result(DISCRETIZERS, test, *(f"NB, {method}" for method in (
                "entropy MDL", "equal frequency", "equal width", "SADD",
                "SADD with unlabelled data")))
            # Preprocessors find cuts in each draw: the widgets have got no data
            for title, has_pool in (("SADD", False),
                                    ("SADD with Unlabelled Data", True)):
                self.assertIsNone(nodes[title].data)
                self.assertEqual(nodes[title].unlabelled is not None, has_pool)
            self.assertEqual((len(test.data), len(pool)), (93, 93))
            self.assertFalse(set(test.data.ids) & set(pool.ids))

    def test_few_labelled(self):
        with self.run_workflow(FEW_LABELLED) as nodes:
            test = nodes["Test and Score"]
            self.assert_result(
                FEW_LABELLED, test, "RNB+", "RNB+ with unlabelled data",
                "SADD Tables with unlabelled data", "kNN", "Logistic Regression")
            pool = nodes["SADD Tables"].unlabelled
            self.assertIs(nodes["RNB+ with Unlabelled Data"].unlabelled, pool)
            self.assertIsNone(nodes["RNB+"].unlabelled)
            self.assertEqual(len(test.data) + len(pool), 303)
            self.assertFalse(set(test.data.ids) & set(pool.ids))
            self.assertEqual((test.resampling, test.NRepeats[test.n_repeats]),
                             (test.ShuffleSplit, 20))

    def test_inspection(self):
        with self.run_workflow(INSPECTION) as nodes:
            model, weights = nodes["RNB+"].model, nodes["Heat Map"].data
            names = [var.name for var in model.domain.attributes]
            self.assertEqual([str(name) for name in weights.metas[:, 0]], names)
            self.assertEqual([var.name for var in weights.domain.attributes],
                             ["0", "1", "w"])
            self.assertEqual(nodes["Heat Map"].annotation_var.name, "Variable")
            self.assertIs(nodes["Nomogram"].classifier, nodes["CAWNB+"].model)
            self.assertEqual(len(nodes["Nomogram"].points), 13)
            found = read_column(nodes["Rank"].ranksModel, "RNB+")
            np.testing.assert_allclose(  # Rank sorts its rows
                np.sort(found), np.sort(model.importances), atol=1e-9)
            explanations = nodes["Explanations"].data
            self.assertEqual([var.name for var in explanations.domain.attributes],
                             nodes["SADD Tables"].model.term_names)
            self.assertEqual(len(explanations), 2201)
            self.assert_pair(nodes["SADD Tables"])

    def assert_pair(self, tables):
        """Assert that the note on the pair has the figures of the window."""
        wait_until(lambda: tables.score.validator.task is None,
                   lambda _: QTest.qWait(10))
        note, = (note.text for note in ElementTree.parse(INSPECTION).iter("text")
                 if note.text.startswith("**SADD Tables**"))
        right, total, without = re.findall(r"\d,\d{3}", note)
        self.assertEqual(tables.score.label.text(),
                         f"3 of 3 pairs: {without} → {right} of {total} right, "
                         "which may be chance")
        pair, = re.findall(r"\*(\w+ × \w+)\*", note)
        table = tables.model.terms[tables.model.term_names.index(pair)].table
        third, female, survived = (
            variable.values.index(value) for variable, value in zip(
                tables.model.domain.variables[::2] + (tables.model.domain.class_var,),
                ("third", "female", "yes"), strict=False))
        self.assertLess(table[third, female, survived], -1)

    def test_intervals(self):
        with self.run_workflow(INTERVALS) as nodes:
            self.assert_result(INTERVALS, nodes["Test and Score"], "Naive Bayes",
                               "RNB+", "Numbers", "Intervals")
            for title in ("Categories", "Indicators"):
                self.assertIsNone(nodes[title].data)


def read(path):
    """Return boxes of nodes and notes, and links with the positions of their ends."""
    root = ElementTree.parse(path).getroot()
    nodes = {node.get("id"): (node.get("title"), *literal_eval(node.get("position")))
             for node in root.iterfind("nodes/node")}
    # A node with its title, which may have two lines, below it
    boxes = [(title, x - 55, y - 35, 110, 115 if len(title) > 20 else 100)
             for title, x, y in nodes.values()]
    boxes += [(note.text[:20], *map(float, literal_eval(note.get("rect"))))
              for note in root.iterfind("annotations/text")]
    links = {tuple(nodes[link.get(f"{end}_node_id")] for end in ("source", "sink"))
             for link in root.iterfind("links/link")}
    return boxes, links


class TestFiles(base.GuiTest):
    def test_canvas_lists_the_workflows(self):
        found = [example.abspath() for example in workflows(Config())
                 if example.package is orangecontrib.sadd.workflows]
        self.assertEqual(found, list(map(str, sorted(FOLDER.glob("*.ows")))))
        self.assertEqual(len(found), 4)

    def test_notes_are_visible_in_a_window_of_1280_pixels(self):
        for path in FOLDER.glob("*.ows"):
            boxes = np.array([box[1:] for box in read(path)[0]])
            first, last = boxes[:, :2], boxes[:, :2] + boxes[:, 2:]
            with self.subTest(path.name):
                self.assertTrue((np.ptp(np.append(first, last, axis=0), axis=0)
                                 <= LARGEST).all())

    def test_notes_hold_their_texts(self):
        for path in FOLDER.glob("*.ows"):
            for note in ElementTree.parse(path).iterfind("annotations/text"):
                _, _, width, height = literal_eval(note.get("rect"))
                text = QTextDocument()
                font = text.defaultFont()
                font.setFamily("Helvetica")
                font.setPixelSize(14)
                text.setDefaultFont(font)
                text.setMarkdown(note.text)
                text.setTextWidth(width)
                with self.subTest(path.name, note=note.text[:30]):
                    self.assertLessEqual(text.size().height(), height * 1.1)

    def test_links_do_not_cross_and_nothing_overlaps(self):
        for path in FOLDER.glob("*.ows"):
            boxes, links = read(path)
            for first, second in combinations(links, 2):
                if not set(first) & set(second):
                    with self.subTest(path.name, first=first, second=second):
                        self.assertFalse(cross(*(end[1:] for end in first + second)))
            for first, second in combinations(boxes, 2):
                with self.subTest(path.name, first=first, second=second):
                    self.assertFalse(overlap(first[1:], second[1:]))

    def test_settings_do_not_depend_on_earlier_choices_of_a_user(self):
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
