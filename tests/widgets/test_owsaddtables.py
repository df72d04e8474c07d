"""SADD Tables through its signals: learner, tables, explanations, curves, scores.

Test methods with long descriptive names omit docstrings.
"""

from unittest.mock import patch

import numpy as np
from AnyQt.QtCore import Qt
from Orange.data import ContinuousVariable, Domain, Table
from Orange.evaluation import CrossValidation
from Orange.widgets.tests import base  # pytest would collect WidgetTest itself
from Orange.widgets.tests.utils import simulate

from orangecontrib.sadd.explain.gain import measure_gain
from orangecontrib.sadd.explain.resampling import split_folds
from orangecontrib.sadd.scripting.smoothtables import SADDTablesLearner
from orangecontrib.sadd.scripting.tables import rows_of
from orangecontrib.sadd.widgets import owsaddtables
from orangecontrib.sadd.widgets.common.controls import value_colours
from orangecontrib.sadd.widgets.owsaddtables import (
    PENALTIES,
    SMOOTHNESSES,
    OWSADDTables,
)
from tests.explain.test_pairs import product_table
from tests.waiting import TIMEOUT
from tests.widgets.bases import WidgetTest, without_score
from tests.widgets.modelwindows import ModelWindowTest, WindowTest


class TestLearnerWidget(WidgetTest, base.WidgetLearnerTestMixin):
    def setUp(self):
        without_score(self)
        self.widget = self.create_widget(OWSADDTables)
        self.init()
        widget = self.widget
        self.parameters = [base.ParameterMapping(
            "smoothness", widget.smoothness_slider, list(SMOOTHNESSES),
            getter=lambda: SMOOTHNESSES[widget.smoothness_slider.value()],
            setter=lambda value: widget.smoothness_slider.setValue(
                SMOOTHNESSES.index(value)))]


class TestWindow(ModelWindowTest, base.WidgetTest):
    cls = OWSADDTables
    learner = SADDTablesLearner
    most_controls = 8
    has_k = False  # of the committee

    def setUp(self):
        without_score(self)
        super().setUp()

    def sliders(self):
        return [*super().sliders(), self.widget.smoothness_slider,
                self.widget.penalty_slider]



class SADDTablesTest(WindowTest):
    """Tests with a fast labeller."""

    cls = OWSADDTables

    settings = {"labelling": {"labeller": "neighbours"}, "automatic_penalty": False,
                "penalty": PENALTIES.index(1), "pairs": 0, "__version__": 4}

    def setUp(self):
        self.widget = self.create_widget(
            self.cls, stored_settings={**self.settings})  # it is changed in place

    def score(self):
        self.process_events(lambda: self.widget.score.validator.task is None,
                            timeout=1000 * TIMEOUT)
        return self.widget.score.label.text()


class TestSettings(SADDTablesTest, WidgetTest):
    def test_settings_and_pool_reach_the_learner_with_other_methods(self):
        self.widget.smoothness_slider.setValue(SMOOTHNESSES.index(8))
        self.choose_method("EF")
        self.widget.main_parameters.controls["EF", "n_bins"].spin.setValue(20)
        learner = self.output("learner")
        self.assertEqual(learner.smoothness, 8)
        self.assertEqual(learner.discretizer.n_bins, 20)
        self.assertEqual(learner.name, "SADD Tables (EF)")
        self.assertIn(("Smoothness", "8"), self.widget.get_learner_parameters())
        self.send(self.iris[::3], self.iris)
        self.assertEqual(self.output("model").name,
                         "SADD Tables (EF) with unlabelled data")
        expected = SADDTablesLearner(learner.discretizer, self.iris, "neighbours",
                                     smoothness=8, penalty=1, pairs=0)
        np.testing.assert_array_equal(
            self.output("model")(self.iris, 1),
            expected(self.iris[::3])(self.iris, 1))
        self.assertTrue(self.widget.labels_fold.body.isEnabledTo(self.widget))
        self.assertFalse(self.widget.Information.unused_pool.is_shown())


class TestModel(SADDTablesTest, WidgetTest):
    def test_outputs_are_those_of_the_model(self):
        heart = Table("heart_disease")
        self.send(heart[::3], heart)
        model = self.output("model")
        tables, explanations = self.output("tables"), self.output("explanations")
        np.testing.assert_array_equal(tables.X, model.tables().X)
        self.assertIn("age", tables.metas[:, 0])
        np.testing.assert_array_equal(explanations.ids, heart[::3].ids)
        # Explanations add up to the log-odds
        odds = model.intercept[1] + explanations.X.sum(axis=1)
        expected = np.diff(np.log(model(heart[::3], model.Probs)))[:, 0]
        np.testing.assert_allclose(odds, expected, atol=1e-9)
        self.send(None)
        self.assertIsNone(self.output("tables"))
        self.assertIsNone(self.output("explanations"))

    def test_explanations_of_large_data_are_not_sent(self):
        with patch.object(owsaddtables, "MOST_EXPLAINED", 10):
            self.send(self.iris)
        self.assertIsNone(self.output("explanations"))
        self.assertIsNotNone(self.output("tables"))
        self.assertTrue(self.widget.Information.not_explained.is_shown())
        self.send(self.iris)
        self.assertFalse(self.widget.Information.not_explained.is_shown())

    def test_numeric_attributes_have_curves_and_others_bars(self):
        heart = Table("heart_disease")
        self.send(heart[::2], heart)
        model, pane = self.output("model"), self.widget.view.pane
        table, curves = self.widget.view.table, pane.curves
        table.select("age")
        self.assertIs(pane.stack.currentWidget(), curves)
        self.assertFalse(curves.legend.isVisibleTo(pane))
        self.assertIn(" for 1", curves.plot.getAxis("left").labelText)
        curve, = curves.plot.plotItem.listDataItems()
        index = heart.domain.index("age")
        (low, *x, high), y = curve.getData()
        adds, (knots,) = model.terms[index].table[:, 1], model.terms[index].knots
        np.testing.assert_allclose(x, knots)
        np.testing.assert_allclose(y, [adds[0], *adds, adds[-1]])
        contributions = curves.contributions
        edges = contributions.edges
        self.assertEqual(
            (low, high), (min(edges[0], knots[0]), max(edges[-1], knots[-1])))
        self.assertEqual(contributions.labelled.sum(), 152)
        self.assertEqual(contributions.unlabelled.sum(), 151)
        table.select("thal")
        self.assertIs(pane.stack.currentWidget(), pane.table)
        rows, values = pane.table.as_lists()[1:], heart.domain["thal"].values
        self.assertEqual([row[0] for row in rows], list(values))
        column = heart[::2].get_column("thal")
        self.assertEqual([int(row[2]) for row in rows],
                         [(column == code).sum() for code in range(len(values))])

    def test_pane_is_beside_the_table_if_there_is_room(self):
        self.send(self.iris)
        self.widget.show()
        for width, expected in ((1400, Qt.Horizontal), (700, Qt.Vertical),
                                (1400, Qt.Horizontal)):
            self.widget.resize(width, 600)
            self.process_events()
            self.assertEqual(self.widget.view.splitter.orientation(), expected)

    def test_report_has_importances_and_a_curve(self):
        self.send(self.iris[::3], self.iris)
        self.score()
        self.widget.send_report()
        for text in ("Smoothness", "Neighbours", "Importance", "of 50 right",
                     "data:image/png", "Nomogram cannot show"):
            self.assertTrue(text in self.widget.report_html, text)


class TestPairs(SADDTablesTest, WidgetTest):
    def setUp(self):
        self.settings = {**self.settings, "pairs": 12}
        super().setUp()

    def choose_pairs(self, title):
        simulate.combobox_activate_item(self.widget.pairs_combo, title)
        self.wait_until_finished()

    def test_settings_reach_the_learner(self):
        learner = self.output("learner")
        self.assertEqual((learner.pairs, learner.penalty), (12, 1))
        self.assertTrue(self.widget.pairs_spin.isVisibleTo(self.widget))
        self.choose_pairs("none")
        self.assertEqual(self.output("learner").pairs, 0)
        self.assertFalse(self.widget.pairs_spin.isVisibleTo(self.widget))
        self.choose_pairs("automatic")
        self.widget.penalty_check.click()
        learner = self.output("learner")
        self.assertEqual((learner.pairs, learner.penalty), ("auto", "auto"))
        self.widget.reset_settings()
        self.assertEqual(self.output("learner").pairs, "auto")

    def test_message_says_what_takes_time(self):
        for title, expected in (("automatic", "Choosing curves and pairs"),
                                ("none", "Fitting...")):
            self.choose_pairs(title)
            self.send_signal(self.widget.Inputs.data, self.iris)
            self.assertIn(expected, self.widget.view.message.text())
            self.wait_until_finished()

    def test_slider_shows_the_chosen_penalty_and_takes_over(self):
        self.widget.penalty_check.click()
        self.send(self.iris)
        slider, model = self.widget.penalty_slider, self.output("model")
        self.assertEqual(PENALTIES[slider.value()], model.penalty)
        slider.triggerAction(slider.SliderToMinimum)
        self.wait_until_finished()
        self.assertFalse(self.widget.penalty_check.isChecked())
        self.assertEqual(self.output("model").penalty, PENALTIES[0])

    def test_pairs_are_rows_with_pictures(self):
        heart, widget = Table("heart_disease"), self.widget
        self.send(heart)
        model, pane, seen = self.output("model"), widget.view.pane, set()
        names = [row[0] for row in widget.view.table.as_lists()[1:]]
        order = np.argsort(-model.importances, kind="stable")
        self.assertEqual(names, [model.term_names[term] for term in order])
        for term, name in zip(model.terms, model.term_names, strict=True):
            if len(term.features) < 2:
                continue
            widget.view.table.select(name)
            n_numeric = sum(knots is not None for knots in term.knots)
            expected = (pane.table, pane.curves, pane.heat_map)[n_numeric]
            self.assertIs(pane.stack.currentWidget(), expected)
            self.assertEqual(pane.title.text(), f"{name}: what both add together")
            self.assertFalse(pane.class_combo.isVisibleTo(pane))
            if not n_numeric:
                self.assertEqual(pane.table.as_lists()[0][0], name.split(" × ")[0])
            seen.add(n_numeric)
        self.assertEqual(seen, {0, 1, 2})
        columns = [var.name for var in self.output("explanations").domain.attributes]
        self.assertEqual(columns, model.term_names)
        rows = {tuple(row) for row in self.output("tables").metas[:, [0, 2]]}
        for left, right in (name.split(" × ") for name in model.term_names[13:]):
            self.assertIn((left, right), rows)
        widget.view.table.select("thal")
        self.assertEqual(pane.table.as_lists()[0][0], "Value")

    def test_heat_map_has_the_colours_of_its_scale(self):
        self.send(product_table())
        view = self.widget.view
        view.table.select(self.output("model").term_names[-1])
        heat_map = view.pane.heat_map
        heat_map.image.render()
        image = heat_map.image.qimage
        seen = {image.pixelColor(x, y).name()
                for x in range(image.width()) for y in range(image.height())}
        adds, is_near = heat_map.contributions.grid(heat_map.target)
        largest = adds[is_near].flat[np.abs(adds[is_near]).argmax()]
        self.assertEqual(abs(largest), np.abs(adds).max())
        self.assertIn(heat_map.bar.colorMap().getByIndex(
            2 if largest > 0 else 0).name(), seen)
        np.testing.assert_allclose(heat_map.bar.levels(), (-abs(largest), abs(largest)))
        # Cells without rows nearby are faded
        opacities = [image.pixelColor(x, y).alpha() for x in range(image.width())
                     for y in range(image.height())]
        self.assertEqual(opacities.count(255), is_near.sum())
        self.assertLess(min(opacities), 128)
        self.assertEqual([len(points.data) for points in heat_map.points], [300, 0])

    def test_names_with_markup_are_shown_as_they_are(self):
        data = product_table()
        names = "<b>a</b>", "<i>b</i> & c"
        self.send(Table.from_numpy(
            Domain(map(ContinuousVariable, names), data.domain.class_var),
            data.X[:, :2], data.Y))
        pane = self.widget.view.pane
        self.widget.view.table.select(self.output("model").term_names[-1])
        axes = [pane.heat_map.plot.getAxis(side).label.toPlainText().strip()
                for side in ("bottom", "left")]
        self.assertEqual(sorted(axes), sorted(names))
        self.assertTrue(any(name in pane.sentence.text() for name in names))
        self.assertEqual(pane.sentence.textFormat(), Qt.PlainText)

    def test_a_class_is_chosen_for_a_pair(self):
        self.send(self.iris)
        view = self.widget.view
        name = self.output("model").term_names[-1]
        view.table.select(name)
        combo, heat_map = view.pane.class_combo, view.pane.heat_map
        self.assertTrue(combo.isVisibleTo(view.pane))
        self.assertEqual([combo.itemText(index) for index in range(combo.count())],
                         list(self.iris.domain.class_var.values))
        for index in range(3):
            simulate.combobox_activate_index(combo, index)
            self.assertEqual(heat_map.target, index)
            self.assertIn(combo.currentText(), view.pane.reference.text())
            self.assertIn(f"to {combo.currentText()} at", view.pane.sentence.text())
            heat_map.show_at(tuple(heat_map.contributions.labelled[0]))
            self.assertIn(f" for {combo.currentText()};", heat_map.readout.text())
        self.assertIn("labelled rows nearby", heat_map.readout.text())
        for colour, name in zip(value_colours(self.iris.domain.class_var),
                                self.iris.domain.class_var.values, strict=True):
            self.assertRegex(heat_map.legend.text(),
                             f'{colour.name()}">.</span>\\s{name}')
        self.assertNotIn("unlabelled", heat_map.legend.text())
        self.send(self.iris[::3], self.iris)
        view.table.select(self.output("model").term_names[-1])
        self.assertIn("unlabelled", heat_map.legend.text())
        view.table.select("petal width")
        self.assertFalse(combo.isVisibleTo(view.pane))
        self.assertFalse(view.pane.sentence.isVisibleTo(view.pane))

    def test_a_line_says_what_pairs_bring(self):
        self.send(product_table())
        self.assertRegex(self.score(), r"^3 of 3 pairs help: \d+ → \d+ of 300 right$")
        self.choose_pairs("none")
        self.assertRegex(self.score(), r"^\d+ of 300 right, ±\d+$")

    def test_note_says_where_contributions_are(self):
        self.send(self.iris)
        note = self.widget.view.note.text()
        self.assertIn("Nomogram cannot show", note)
        self.assertIn("Explanations", note)

    def test_report_has_the_picture_of_a_pair(self):
        self.send(self.iris)
        self.widget.view.table.select(self.output("model").term_names[-1])
        self.widget.send_report()
        for text in ("data:image/png", " × ", "at most 12"):
            self.assertIn(text, self.widget.report_html)


class TestScore(SADDTablesTest, WidgetTest):
    def test_score_is_that_of_left_out_rows(self):
        data = self.iris[::3]
        self.send(data, self.iris)
        pool = self.iris[~np.isin(self.iris.ids, data.ids)]
        learner = SADDTablesLearner("SADD", pool, "neighbours", penalty=1, pairs=0)
        right = sum(
            np.count_nonzero(learner(data[np.setdiff1d(np.arange(50), test)])(
                data[test]) == data.Y[test]) for test in split_folds(rows_of(data)))
        self.assertTrue(self.score().startswith(f"{right} of 50 right, ±"))

    def test_score_agrees_with_cross_validation_of_orange(self):
        learner, heart = SADDTablesLearner(penalty=1, pairs=0), Table("heart_disease")
        *_, gain = measure_gain(learner, heart)
        result = CrossValidation(k=10)(heart, [learner])
        share = np.mean(result.predicted[0] == result.actual)
        self.assertEqual(gain.total, 303)
        self.assertAlmostEqual(gain.right / gain.total, share, delta=.03)

    def test_large_data_is_validated_by_a_click(self):
        with patch.object(owsaddtables, "MOST_CELLS", 10):
            self.send(self.iris)
        self.assertEqual(self.score(), "")
        self.assertTrue(self.widget.score.button.isVisibleTo(self.widget))
        self.widget.score.button.click()
        self.assertFalse(self.widget.score.button.isVisibleTo(self.widget))
        self.assertIn("of 150 right", self.score())
        self.send(None)
        self.assertEqual(self.score(), "")
        self.assertFalse(self.widget.score.button.isVisibleTo(self.widget))

    def test_a_large_pool_is_large_data(self):
        with patch.object(owsaddtables, "MOST_CELLS", 50 * 4):
            self.send(self.iris[::3])
            self.assertFalse(self.widget.score.button.isVisibleTo(self.widget))
            self.send(self.iris[::3], self.iris)
            self.assertTrue(self.widget.score.button.isVisibleTo(self.widget))
            self.assertIsNone(self.widget.score.validator.task)

    def test_failing_fold_is_no_exception(self):
        with patch.object(owsaddtables, "measure_gain", side_effect=ValueError):
            self.send(self.iris)
            self.assertIn("failed", self.score())

    def test_score_of_a_pool_that_lacks_attributes(self):
        pool = self.iris.transform(Domain(self.iris.domain.attributes[:2]))
        self.send(self.iris[::3], pool)
        self.assertIsNotNone(self.output("model"))
        self.assertIn("of 50 right", self.score())
