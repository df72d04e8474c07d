"""Marks of data sets that are not, or not quite, those of the paper."""

from collections.abc import Iterable

from orangecontrib.sadd.evaluation.report.published import Comparison

__all__ = ["DIFFERENT", "SIMILAR", "difference", "difference_legend"]

DIFFERENT, SIMILAR = "≠", "≈"


def difference(
    comparison: Comparison, table_name: str, dataset: str
) -> tuple[str, str | None]:
    """
    Return the mark of a data set in a table, and the reason for it.

    Parameters
    ----------
    comparison : Comparison
    table_name : str
        The table of the paper that is compared with.
    dataset : str

    Returns
    -------
    (str, str or None)
        An empty mark if the data set is that of the paper.
    """
    if reason := comparison.obstacle(table_name, dataset):
        return DIFFERENT, reason
    if reason := comparison.caveat(table_name, dataset):
        return SIMILAR, reason
    return "", None


def difference_legend(differences: Iterable[tuple[str, str | None]]) -> str:
    """Explain those of the marks from `difference` that occur."""
    marks = {mark for mark, _ in differences}
    text = ""
    if DIFFERENT in marks:
        text += f"{DIFFERENT} not the data that the authors had. "
    if SIMILAR in marks:
        text += (
            f"{SIMILAR} described otherwise in the paper, but comparable here. "
        )
    return f"{text}Reasons are under “Data sets”. " if text else ""
