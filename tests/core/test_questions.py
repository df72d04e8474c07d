"""The splitter on parts of columns: answers, thresholds on demand, the same cuts."""

from types import SimpleNamespace

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orangecontrib.sadd.core.splitting import longintervals, questions
from orangecontrib.sadd.core.splitting.questions import (
    Adjacent,
    Blocks,
    Count,
    Sample,
    answer_from,
    search_in_rounds,
)
from orangecontrib.sadd.core.splitting.runs import ClassGroups, ClassRuns
from orangecontrib.sadd.core.splitting.splitter import Splitter

VALUES = st.sampled_from([-np.inf, -1.5, 0., 0.25, 1., 2., 3., 1e9, np.inf, np.nan])


@st.composite
def columns(draw, weighted=True):
    """A column of numbers with classes, in parts."""
    n_rows = draw(st.integers(0, 30))
    values = draw(hnp.arrays(float, n_rows, elements=VALUES | st.floats(-4, 4)))
    classes = draw(hnp.arrays(int, n_rows, elements=st.integers(0, 2)))
    weights = None
    if weighted and draw(st.booleans()):
        weights = draw(hnp.arrays(float, n_rows, elements=st.integers(0, 3)))
    place = draw(hnp.arrays(int, n_rows, elements=st.integers(0, 3)))
    return values, classes, weights, place


def runs_of(values, classes, weights, rows=slice(None)):
    groups = ClassGroups(
        classes[rows], 3, None if weights is None else weights[rows])
    return groups.runs(values[rows].copy())


def in_parts(values, classes, weights, place):
    return [runs_of(values, classes, weights, place == part) for part in range(4)]


def answer_in_parts(question, parts):
    # Parts are united in two steps, as on two workers
    found = [question.part(part, offset) for offset, part in
             zip((0.1, 0.7, 0.4, 0.9), parts, strict=True)]
    return question.finish(question.combine(
        [question.combine(found[:1]), question.combine(found[1:])]))


@given(columns(), hnp.arrays(float, 4, elements=VALUES | st.floats(-4, 4)))
def test_parts_count_as_the_whole(column, thresholds):
    whole, parts = runs_of(*column[:3]), in_parts(*column)
    np.testing.assert_array_equal(
        answer_in_parts(Count(thresholds), parts), Count(thresholds).answer(whole))
    for mine, expected in zip(answer_in_parts(Adjacent(thresholds), parts),
                              Adjacent(thresholds).answer(whole), strict=True):
        np.testing.assert_array_equal(mine, expected)


@given(columns(), hnp.arrays(float, 4, elements=st.floats(-4, 4)))
def test_parts_have_the_rows_of_the_whole(column, edges):
    edges = np.sort(edges)
    question = Blocks(edges[:-1:2], edges[1::2])
    found = answer_in_parts(question, in_parts(*column))
    expected = question.answer(runs_of(*column[:3]))

    def by_value(rows):  # equal values may be united
        weights = rows.after - rows.before
        keys = sorted(set(zip(rows.values.tolist(), rows.classes.tolist(),
                              strict=True)))
        return [(value, klass, weights[
                    (rows.values == value) & (rows.classes == klass)].sum())
                for value, klass in keys]

    assert by_value(found) == by_value(expected)
    np.testing.assert_array_equal(
        found.values[np.minimum(found.starts[:-1], max(0, len(found) - 1))]
        if len(found) else [],
        expected.values[np.minimum(expected.starts[:-1], max(0, len(expected) - 1))]
        if len(expected) else [])


@given(columns(), st.floats(0.5, 9), st.floats(0, 0.99))
def test_a_sample_is_of_values_in_the_blocks(column, step, offset):
    runs = runs_of(*column[:3])
    lower, upper = np.array([-1., 1.]), np.array([0.5, 3.])
    found = questions.sample(runs, lower, upper, step, offset)
    values = np.concatenate(runs.values)
    assert np.isin(found, values).all()
    assert np.all((-1 <= found) & (found < 0.5) | (1 <= found) & (found < 3))
    weight = questions.within(runs, lower, upper).totals.sum()
    assert abs(len(found) - weight / step) <= 1


def test_a_sample_divides_evenly():
    runs = ClassRuns([np.arange(1000.), np.arange(1000.) + 0.5])
    found = np.sort(questions.sample(runs, np.array([100.]), np.array([900.]), 40))
    assert len(found) == 40
    counts = np.diff(runs.count(found).sum(axis=0))
    assert counts.max() <= 120


def test_a_frequent_value_is_sent_once():
    runs = ClassRuns([np.zeros(10_000), np.arange(5.)])
    part = questions.within(runs, np.array([-1.]), np.array([1.]))
    assert part.size == 2
    np.testing.assert_array_equal(part.totals, [10_000, 1])


class TestSplitter:
    """The search with thresholds on demand finds what the one in memory finds."""

    def cuts(self, column, n0, cost=1., explain=False):
        values, classes, weights, place = column
        whole = Splitter(n0, explain=explain)
        whole.add(runs_of(values, classes, weights))
        apart = Splitter(n0, explain=explain)
        parts = in_parts(values, classes, weights, place)
        rounds = []

        def ask(questions):
            rounds.append(questions)
            return [answer_in_parts(question, parts) for _, question in questions]

        apart.add_together([sum(part.totals for part in parts)],
                           [sum(part.size for part in parts)], ask, cost)
        return whole, apart, rounds

    @given(columns(), st.sampled_from([None, 1, 2000]), st.booleans())
    def test_same_cuts(self, column, n0, explain):
        with pytest.MonkeyPatch.context() as patch:
            for name, size in {"FEW_ROWS": 0, "FEWEST": 1, "WORTH_IT": 0.01,
                               "ROWS_AT_ONCE": 3}.items():
                patch.setattr(longintervals, name, size)
            whole, apart, _ = self.cuts(column, n0, explain=explain)
        np.testing.assert_array_equal(whole.cut_points()[0], apart.cut_points()[0])
        np.testing.assert_allclose(
            whole.mutual_information(), apart.mutual_information(), atol=1e-12)
        if explain:
            for mine, yours in zip(*(
                    splitter.decisions()[0] for splitter in (whole, apart)),
                    strict=True):
                np.testing.assert_allclose(mine, yours, atol=1e-9)

    @pytest.mark.parametrize("n_classes", [2, 3])
    @pytest.mark.parametrize("cost", [1, 6])
    def test_few_rows_are_fetched(self, n_classes, cost):
        random = np.random.default_rng(n_classes)
        classes = random.integers(0, n_classes, 200_000)
        values = random.normal(size=200_000) + 0.2 * classes
        whole, apart, rounds = self.cuts(
            (values, classes, None, random.integers(0, 4, 200_000)), 2000, cost)
        np.testing.assert_array_equal(whole.cut_points()[0], apart.cut_points()[0])
        fetched = sum(question.size for questions in rounds for _, question in questions
                      if isinstance(question, Blocks))
        assert len(whole.cut_points()[0]) > 3
        assert fetched < 200_000 * 0.05 * np.sqrt(cost)

    def test_all_columns_share_rounds(self):
        random = np.random.default_rng(0)
        classes = random.integers(0, 2, 20_000)
        groups = ClassGroups(classes, 2)
        runs = [groups.runs(random.normal(size=20_000) + shift * classes)
                for shift in (0.5, 0.5, 0.5, 0)]
        rounds = []

        def ask(questions):
            rounds.append(questions)
            return [question.answer(runs[column]) for column, question in questions]

        splitter = Splitter(2000)
        progress = []
        splitter.add_together([run.totals for run in runs], [run.size for run in runs],
                              ask, progress=progress.append)
        expected = Splitter(2000)
        for run in runs:
            expected.add(run)
        for mine, yours in zip(splitter.cut_points(), expected.cut_points(),
                               strict=True):
            np.testing.assert_array_equal(mine, yours)
        assert len({column for column, _ in rounds[0]}) == 4
        assert len(rounds) < 40
        assert progress[0] == 0 and progress == sorted(progress) and progress[-1] <= 1


class TestRounds:
    @pytest.mark.parametrize("room", [1, 500, 10 ** 6])
    def test_not_more_than_fits_into_a_round(self, room):
        random = np.random.default_rng(0)
        classes = random.integers(0, 2, 30_000)
        groups = ClassGroups(classes, 2)
        runs = [groups.runs(random.normal(size=30_000) + 0.5 * classes)
                for _ in range(6)]
        under_way, begun = set(), []

        def ask(questions):
            assert len(questions) == 1 or sum(
                question.numbers(2, 0) for _, question in questions) <= room
            columns = {column for column, _ in questions}
            begun.extend(columns - under_way)
            under_way.update(columns)
            return [question.answer(runs[column]) for column, question in questions]

        splitter, expected = Splitter(2000), Splitter(2000)
        splitter.add_together([run.totals for run in runs], [run.size for run in runs],
                              ask, room=room)
        for run in runs:
            expected.add(run)
        for mine, yours in zip(splitter.cut_points(), expected.cut_points(),
                               strict=True):
            np.testing.assert_array_equal(mine, yours)
        assert begun == sorted(begun)

    def test_what_has_begun_is_finished_first(self):
        asked = []

        def search(interval, column, depth):
            yield Count(np.zeros(1))
            yield Count(np.zeros(1))
            return [(interval, column, depth - 1)] * 2 if depth else ()

        def ask(questions):
            (column, _), = questions
            asked.append(column)
            return [None]

        interval = SimpleNamespace(size=1)
        search_in_rounds([(interval, 0, 2), (interval, 1, 1)], search, ask,
                         lambda _, question: question.numbers(2, 0), room=1)
        assert asked == [0] * 14 + [1] * 6


def test_answers_from_memory():
    runs = ClassRuns([np.arange(10.)])

    def search():
        thresholds = yield Sample(np.array([0.]), np.array([10.]), 2.)
        return (yield Count(thresholds))

    np.testing.assert_array_equal(answer_from(runs, search()), [[1, 3, 5, 7, 9]])
