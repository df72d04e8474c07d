"""The tables, and the preprocessor, that widgets send."""

import numpy as np
import scipy.sparse as sp
from Orange.data import (
    ContinuousVariable,
    DiscreteVariable,
    Domain,
    StringVariable,
    Table,
)
from Orange.data.filter import HasClass
from Orange.data.util import get_unique_names
from Orange.preprocess.preprocess import PreprocessorList
from Orange.util import dummy_callback

from orangecontrib.sadd.core.methods.criterion import mutual_information
from orangecontrib.sadd.core.parameters import select
from orangecontrib.sadd.core.registry import make_discretizer
from orangecontrib.sadd.scripting.cutting import discretized_table, with_counts
from orangecontrib.sadd.scripting.encodings import encode_intervals
from orangecontrib.sadd.scripting.preprocessors import SADDDiscretize
from orangecontrib.sadd.scripting.tables import class_codes, set_attributes

__all__ = ["make_outputs", "make_preprocessor", "select_rows", "weights_output"]

# Values of the meta Source of pseudo-labelled rows
SOURCES = "Data, labelled", "Data, unlabelled", "Unlabelled Data"

# Of columns of a table of intervals
TITLES = {"woe": "Weight of evidence", "iv": "Information value", "share": "Share",
          "total_iv": "Total information value", "monotonic": "Monotonic",
          "unlabelled": "Unlabelled rows", "missing": "Missing values"}


def make_outputs(findings, *, carried=(), remove_const=True,
                 encode="interval", callback=dummy_callback):
    """
    Make all outputs of SADD Discretize.

    Parameters
    ----------
    findings : Findings
    carried : sequence of (str, str, treatment)
        The treatments in the preprocessor; see `SADDDiscretize`.
    remove_const : bool
        Whether to leave out variables with a single interval.
    encode : {"interval", "onehot", "evidence"}
    callback : callable
        Called with the fraction done. May raise an exception to stop the work.

    Returns
    -------
    dict
        Outputs by name; None for an output without data.
    """
    analysis, (treated, exempt) = findings.analysis, findings.treatment
    data = encode_intervals(discretized_table(
        analysis.data, treated, exempt=exempt, remove_const=remove_const), encode)
    callback(0.4)
    pool = analysis.pool
    if pool is not None:
        pool = pool.transform(Domain(
            data.domain.attributes, pool.domain.class_vars, pool.domain.metas))
    callback(0.6)
    pseudo_labelled = _pseudo_labelled_table(analysis, findings.labels)
    callback(0.8)
    return {"data": data, "unlabelled": pool, "pseudo_labelled": pseudo_labelled,
            "cut_points": _cut_point_table(analysis, treated),
            "preprocessor": make_preprocessor(
                findings.parameters, _joint_pool(analysis), carried=carried,
                remove_const=remove_const, encode=encode)}


def make_preprocessor(parameters, pool, *, carried, remove_const, encode):
    """Return the preprocessor for other data; see `make_outputs`."""
    method, numbers = parameters.method, parameters.changed
    own = select(SADDDiscretize, numbers)
    if len(own) < len(numbers):
        method = make_discretizer(method, **numbers)
    preprocessor = SADDDiscretize(
        pool, method=method, remove_const=remove_const, encode=encode,
        treatments=carried, **parameters.of_labeller, **own)
    if encode == "interval":
        return preprocessor
    # Learners that need numbers also need classes, but a connected preprocessor
    # replaces those that they use by default
    return PreprocessorList([preprocessor, HasClass()])


def select_rows(analysis, index, lower, upper):
    """
    Return the rows of data and pool with a value in an interval of a variable.

    Examples
    --------
    >>> from orangecontrib.sadd.explain.analysis import Analysis
    >>> iris = Table("iris")
    >>> len(select_rows(Analysis(iris[::2], iris), 2, 1, 2.45))
    50
    """
    values = analysis.column(index)
    return _all_rows(analysis)[(values >= lower) & (values < upper)]


def _all_rows(analysis):
    """Return the rows of the data, and rows of the pool that are not in the data."""
    data, pool = analysis.data, analysis.pool
    if pool is None:
        return data
    pool = pool[~np.isin(pool.ids, data.ids)]
    table = _concatenate([data, pool.transform(data.domain)])
    table.name = data.name
    return table


def _joint_pool(analysis):
    """
    Return all unlabelled rows of the data and of the pool in one table.

    Test and Score removes unlabelled rows from data, so the preprocessor holds them.
    """
    unlabelled = np.isnan(class_codes(analysis.data))
    if not analysis.has_classes or not unlabelled.any():
        return analysis.given_pool
    rows = analysis.data[unlabelled]
    if analysis.pool is None:
        return rows
    domain = Domain(analysis.data.domain.attributes, analysis.data.domain.class_var)
    return _concatenate([rows.transform(domain), analysis.pool.transform(domain)])


def _concatenate(tables):
    """
    Return the rows of tables with the same domain in one table.

    Unlike `Table.concatenate`, this keeps infinite values, and does not fail if only
    some tables have weights. Other rows then have a weight of 1.
    """
    domain, matrices = tables[0].domain, [table.X for table in tables]
    tables = [table.transform(Domain((), domain.class_vars, domain.metas))
              for table in tables]
    weighted = any(table.has_weights() for table in tables)
    for table in tables:
        if table.has_weights() != weighted or not len(table):
            with table.unlocked_reference():
                table.W = np.ones(len(table)) if weighted else np.empty((len(table), 0))
    return set_attributes(
        Table.concatenate(tables), domain, sp.vstack(matrices, format="csr")
        if any(map(sp.issparse, matrices)) else np.concatenate(matrices))


def _pseudo_labelled_table(analysis, labels):
    """
    Return all rows with a class, and its source; None if classes are not known.

    The domain of the data has two more metas. *Confidence* is the probability of the
    class by the labeller, 1 for labelled rows. *Source* is one of `SOURCES`.
    """
    if not analysis.has_classes or labels is None and analysis.n_unlabelled:
        return None
    rows, table = analysis.rows, _all_rows(analysis).copy()
    unlabelled = ~rows.labelled
    classes = np.where(unlabelled, np.nan, rows.given)
    confidence = np.ones(len(rows))
    if labels is not None:
        classes[unlabelled] = labels.classes
        confidence[unlabelled] = labels.confidence
    source = unlabelled.astype(np.float64)
    source[rows.n_data:] = SOURCES.index("Unlabelled Data")
    with table.unlocked(table.Y):
        table.Y = classes
    names = get_unique_names(table.domain, ["Confidence", "Source"])
    table = table.add_column(ContinuousVariable(names[0]), confidence, to_metas=True)
    return table.add_column(DiscreteVariable(names[1], SOURCES), source, to_metas=True)


def _cut_point_table(analysis, cuts):
    """
    Return a table with a row for each interval.

    Columns are the ends of the interval, and the numbers of rows, of unlabelled rows,
    and of rows of each class. An infinite end is missing. Metas are the names of
    variable and interval, the mutual information of the variable, and the evidence of
    the interval (see `Cuts.evidence`).
    """
    classes = analysis.classes if analysis.has_classes else ()
    counted = with_counts(cuts, analysis.rows, classes)
    frame = counted.evidence()
    frame["interval"] = frame["interval"].replace("single_value", "all values")
    if classes:
        frame["mutual_information"] = np.repeat(
            list(map(mutual_information, counted.counts)), counted.n_intervals)
    if "unlabelled" not in frame:
        frame["unlabelled"] = 0.
    columns = ["from", "to", "rows", "unlabelled", *(f"rows_{c}" for c in classes)]
    others = [key for key in frame if key not in columns]
    # Classes keep their names
    keys = columns[:4] + others
    titles = dict(zip(keys, get_unique_names(
        list(classes), [_title(key) for key in keys], equal_numbers=False),
        strict=True))
    titles.update(zip(columns[4:], classes, strict=True))
    attributes, metas = ([
        (StringVariable if key in ("variable", "interval") else ContinuousVariable)(
            titles[key]) for key in part] for part in (columns, others))
    table = Table.from_numpy(
        Domain(attributes, None, metas), frame[columns].to_numpy(dtype=np.float64),
        None, frame[others].to_numpy(dtype=object))
    table.name = f"{analysis.data.name}: cut points"
    return table


def _title(key):
    """Return the title of a column of a table of intervals."""
    for name, title in TITLES.items():
        if key == name:
            return title
        if key.startswith(f"{name}_"):
            return f"{title} of {key.removeprefix(f'{name}_')}"
    return key.capitalize().replace("_", " ")


def weights_output(model):
    """
    Return the weights that a model has, ready for Heat Map and Bar Plot.

    Columns of weights that the model lacks are left out. Alpha, which is the same in
    all rows, is a meta beside the names of attributes. Weights of attributes with a
    single interval have no effect and are missing.

    Returns
    -------
    Table or None
        None if the model has no weights.

    Examples
    --------
    >>> from orangecontrib.sadd import RNBLearner, WANBIALearner
    >>> print(weights_output(WANBIALearner()(Table("iris"))).domain)
    [w] {Variable}
    >>> print(weights_output(RNBLearner()(Table("iris"))).domain)
    [Iris-setosa, Iris-versicolor, Iris-virginica, w] {Variable, alpha}
    """
    if model.weights is None and model.class_weights is None:
        return None
    table = model.weights_table()
    *columns, alpha = table.domain.attributes
    names = table.domain.metas
    if model.class_weights is None:
        columns = columns[-1:]
    elif model.weights is None:
        columns = columns[:-1]
    else:
        names = (*names, alpha)
    result = table.transform(Domain(columns, metas=names))
    result.name = f"Weights of {model.name}"
    return result
