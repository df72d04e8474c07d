"""Tables of wins, ties and losses."""

from orangecontrib.sadd.evaluation.report.markup import Cell, Markup, join, table
from orangecontrib.sadd.evaluation.report.published import published_table, wins_in_rows
from orangecontrib.sadd.evaluation.report.scores import Column, Scores
from orangecontrib.sadd.evaluation.report.statistics import compare

__all__ = ["win_row", "wins_table"]


def wins_table(caption: str, rows: list[dict]) -> Markup:
    """
    Make a table of wins, ties and losses.

    Parameters
    ----------
    caption : str
    rows : list of dict
        As from `win_row`.

    Returns
    -------
    Markup
    """
    head = ["Comparison", "Wins", "Ties", "Losses", "Significant wins",
            "Significant losses"]
    is_published = any(row["published_wins"] is not None for row in rows)
    if is_published:
        head += ["Published wins (significant)", "In the published rows"]
    body = []
    for row in rows:
        cells = [
            join([row["first"], Markup(" <i>against</i> "), row["second"]]),
            *(row[key] for key in (
                "wins", "ties", "losses", "significant_wins", "significant_losses"
            )),
        ]
        printed = row["published_wins"]
        if is_published and printed is None:
            cells += [Cell(), Cell()]
        elif is_published:
            cells.append(f"{printed} ({row['published_significant_wins']})")
            cells.append(" / ".join(map(str, row["rows"])))
        body.append(cells)
    return table(caption, head, body, kind="figures")


def win_row(
    scores: Scores, first: Column, second: Column, summary: str | None = None
) -> dict:
    """
    Compare two columns on all data sets.

    Parameters
    ----------
    scores : Scores
    first, second : Column
    summary : str, optional
        Table of the paper with wins, if this comparison is in it; the key in it is
        the second column.

    Returns
    -------
    dict
    """
    record = compare(scores.folds(first), scores.folds(second))
    row = {
        "first": first.label,
        "second": second.label,
        "labelled": first.labelled,
        "classifier_labels": first.classifier_labels,
        "wins": record.wins,
        "ties": record.ties,
        "losses": record.losses,
        "significant_wins": record.significant_wins,
        "significant_losses": record.significant_losses,
        "published_wins": None,
        "published_significant_wins": None,
        "rows": None,
    }
    if summary and first.table and first.published and second.published:
        printed = published_table(summary)["wins"].get(second.published)
        if printed is not None:
            row["published_wins"], row["published_significant_wins"] = printed
            row["rows"] = wins_in_rows(first.table, first.published, second.published)
    return row
