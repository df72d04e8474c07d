"""The table of weights that RNB+ sends."""

from Orange.data import Domain

__all__ = ["weights_output"]


def weights_output(model):
    """
    Give the weights that a model has, ready for Heat Map and Bar Plot.

    Columns of weights that the model lacks are left out. Alpha is the same in all rows
    and not a weight, so it is a meta, beside the names of attributes. Weights of
    attributes with a single interval are missing, since they have no effect.

    Returns
    -------
    Table or None
        None if the model has no weights.

    Examples
    --------
    >>> from Orange.data import Table
    >>> from orangecontrib.sadd.classification import RNBLearner, WANBIALearner
    >>> print(weights_output(WANBIALearner()(Table("iris"))).domain)
    [w] {Attribute}
    >>> print(weights_output(RNBLearner()(Table("iris"))).domain)
    [Iris-setosa, Iris-versicolor, Iris-virginica, w] {Attribute, alpha}
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
