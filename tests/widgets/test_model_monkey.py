"""A monkey at the windows of models; see `monkeys`.

Test methods with long descriptive names omit docstrings.
"""

from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import QApplication
from Orange.preprocess import Discretize, Normalize, Scale
from Orange.preprocess.discretize import EntropyMDL

from orangecontrib.sadd.explain.analysis import table_obstacle
from orangecontrib.sadd.widgets.owrnbplus import OWRNBPlus
from orangecontrib.sadd.widgets.owsaddtables import OWSADDTables
from tests.widgets.bases import WidgetTest
from tests.widgets.monkeys import MonkeyTest


class ModelMonkey(MonkeyTest):
    """Tricks for all windows of models."""

    def check(self):
        self.assertIsNotNone(self.output("learner"))
        model, data = self.output("model"), self.inputs.get("data")
        if model is None:
            for name in self.more_outputs:
                self.assertIsNone(self.output(name))
        else:
            self.assertIs(model.instances, self.widget.data)
            self.assertIs(model.instances, data)
        if data is not None and len(data.domain.class_vars) == 1 \
                and not table_obstacle(data) \
                and not self.widget.Warning.stopped.is_shown() \
                and not self.widget.Warning.outdated_learner.is_shown() \
                and not self.inputs.get("preprocessor"):  # which may reject data
            self.assertIsNotNone(
                model, [str(error.formatted) for error in self.widget.Error.active])

    def do_send_preprocessor(self):
        value = self.choose((None, Scale(), Normalize(), Discretize(EntropyMDL())))
        self.inputs["preprocessor"] = value
        self.send_signal(self.widget.Inputs.preprocessor, value, widget=self.widget)

    def do_name(self):
        edit = self.widget.name_line_edit
        edit.setText(self.choose(("", "Mine")))
        edit.textEdited.emit(edit.text())
        edit.returnPressed.emit()

    def do_auto_apply(self):
        self.widget.controls.auto_apply.click()

    def do_apply(self):
        self.widget.apply_button.button.click()

    def do_stop(self):
        self.widget.view.button.click()

    def do_discretization_fold(self):
        self.widget.discretization_fold.button.click()

    def do_sort(self):
        self.widget.view.table.sortByColumn(
            self.rng.randint(-1, 5), self.choose((Qt.AscendingOrder,
                                                  Qt.DescendingOrder)))

    def do_select(self):
        table = self.widget.view.table
        if self.widget.view.shows_model and table.numbers.order:
            table.selectRow(self.rng.randint(len(table.numbers.order)))

    def do_filter(self):
        self.widget.view.attributes.filter.setText(
            self.choose(("", "x", "petal", "where")))

    def do_copy(self):
        self.widget.view.copy()
        self.assertTrue(QApplication.clipboard().text().startswith(
            self.widget.row_title))

    def do_restore(self):
        self.widget.reset_settings()


class TestRNBPlus(ModelMonkey, WidgetTest):
    cls = OWRNBPlus
    more_outputs = ("weights",)

    def do_weighting(self):
        self.choose_item(self.widget.weighting_combo)

    def do_objective(self):
        self.choose_item(self.widget.objective_combo)

    def do_iterations(self):
        self.widget.max_iter_spin.setValue(self.choose((1, 2, 100)))

    def do_link(self):
        self.widget.view.note.linkActivated.emit(self.choose(("1", "3")))


class TestSADDTables(ModelMonkey, WidgetTest):
    cls = OWSADDTables
    more_outputs = ("tables", "explanations")

    def do_smoothness(self):
        slider = self.widget.smoothness_slider
        slider.setSliderDown(bool(self.rng.randint(2)))
        slider.setValue(self.rng.randint(slider.maximum() + 1))

    def do_penalty(self):
        slider = self.widget.penalty_slider
        slider.setSliderDown(bool(self.rng.randint(2)))
        slider.setValue(self.rng.randint(slider.maximum() + 1))

    def do_automatic_penalty(self):
        self.widget.penalty_check.click()

    def do_pairs(self):
        self.choose_item(self.widget.pairs_combo)

    def do_most_pairs(self):
        self.widget.pairs_spin.setValue(self.choose((1, 3, 40)))

    def do_class(self):
        combo = self.widget.view.pane.class_combo
        if combo.count() and not combo.isHidden():
            self.choose_item(combo)

    def do_point(self):
        heat_map = self.widget.view.pane.heat_map
        heat_map.show_at(self.choose((None, (0., 0.), (1e9, -5.))))

    def do_validate(self):
        if self.widget.model is not None:
            self.widget.score.button.click()

    def do_hover(self):
        curves = self.widget.view.pane.curves
        if curves.contributions is not None:
            curves.show_at(self.choose((None, (0., 0.), (1e9, -5.))))
