"""Messages about data, unlabelled data and settings that all windows show."""

from Orange.widgets.utils.localization import pl
from Orange.widgets.widget import Msg

from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.explain.descriptions import describe_score
from orangecontrib.sadd.scripting.tables import id_note

__all__ = ["KNOWN_ROWS", "OBSTACLES", "OUT_OF_MEMORY", "Warnings", "describe_obstacle",
           "describe_waiting", "listed", "show_id_message", "show_labeller_warning",
           "show_pool_messages", "with_meaning"]

# The sentence for each obstacle that `table_obstacle` finds
OBSTACLES = {
    "no_class": "{} Set the role of a categorical column to target, in File or Select "
                "Columns.",
    "no_numeric": "Data has no numeric variables, so there is nothing to discretize.",
    "no_rows": "Data has no rows.",
    "all_unlabelled": "No row of Data has a class. Label some rows of at least two "
                      "classes.",
    "one_class": "All labelled rows are of one class. Label rows of another class.",
    "no_attributes": "Data has no features to learn from. Use Select Columns to choose "
                     "some.",
}

OUT_OF_MEMORY = Msg("There is not enough memory. Use Data Sampler to take fewer rows, "
                    "or Select Columns to take fewer variables.")
KNOWN_ROWS = Msg("{} of Unlabelled Data {} also in Data and {} left out.")

# If the accuracy of a labeller is below this, there is a warning
DOUBTFUL = 0.7
# The largest number of names in a message
LISTED_NAMES = 5


def describe_target(domain):
    """
    Return the fault of the target, for the message "no_class".

    Examples
    --------
    >>> from Orange.data import Table
    >>> describe_target(Table("housing").domain)
    'The target of Data, MEDV, is numeric.'
    """
    if not domain.class_vars:
        return "Data has no target."
    if domain.class_var is None:
        return "Data has several targets."
    return f"The target of Data, {domain.class_var.name}, is numeric."


def describe_obstacle(obstacle, domain):
    """Return the sentence about an obstacle; empty without one."""
    return OBSTACLES.get(obstacle, "").format(describe_target(domain))


def describe_waiting(n_unlabelled):
    """
    Return what a window of a model needs if it has no data.

    Examples
    --------
    >>> print(describe_waiting(93))
    93 unlabelled rows wait for Data.
    <BLANKLINE>
    Connect Data with a class to fit a model. The Learner is ready.
    """
    waiting = f"{n_unlabelled:,} unlabelled " + pl(
        n_unlabelled, "row waits|rows wait") + " for Data.\n\n" if n_unlabelled else ""
    return f"{waiting}Connect Data with a class to fit a model. The Learner is ready."


class Warnings:
    """Base class of the warnings of all windows."""

    unknown_method = Msg("Unknown method {} in this workflow; using SADD.")
    doubtful_labels = Msg("Pseudo-labels may mislead: {}. Label more rows, or try "
                          "another labeller.")
    no_shared_columns = Msg("Unlabelled Data has no column in common with Data and is "
                            "ignored. Connect data with the same columns.")
    missing_columns = Msg("Unlabelled Data lacks {}. These count as missing there; add "
                          "them, or remove them from Data.")
    class_is_id = Msg("{} Use Select Columns to choose another target.")


def show_id_message(widget, data):
    """Show, or clear, the warning that each row has a class of its own, like an id."""
    note = id_note(data)
    widget.Warning.class_is_id(note, shown=bool(note))


def show_pool_messages(widget, analysis=None):
    """Show the messages of a widget about the pool of an `Analysis`, or clear them."""
    n_known, missing, is_useless = (0, (), False) if analysis is None else (
        analysis.rows.n_known, analysis.missing,
        analysis.pool is None and bool(analysis.missing))
    widget.Information.known_rows(
        f"{n_known:,} {pl(n_known, 'row')}", *[pl(n_known, "is|are")] * 2,
        shown=n_known > 0)
    widget.Warning.no_shared_columns(shown=is_useless)
    widget.Warning.missing_columns(
        listed(missing), shown=bool(missing) and not is_useless)


def show_labeller_warning(widget, labelling):
    """Show, or clear, the warning about inaccurate pseudo-labels."""
    doubtful = labelling is not None \
        and labelling.score.right < DOUBTFUL * labelling.score.total
    widget.Warning.doubtful_labels(
        describe_score(labelling.score) if doubtful else "", shown=doubtful)


def with_meaning(method):
    """
    Return the acronym of a method with its words, for a sentence.

    Examples
    --------
    >>> with_meaning("EW")
    'EW (equal width)'
    """
    return f"{method} ({DISCRETIZERS[method].title})"


def listed(variables):
    """Return the names of variables, up to a limit."""
    names = ", ".join(var.name for var in variables[:LISTED_NAMES])
    rest = len(variables) - LISTED_NAMES
    return f"{names} and {rest} more" if rest > 0 else names
