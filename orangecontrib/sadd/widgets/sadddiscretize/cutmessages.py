"""What SADD Discretize says: of data, settings and edited cuts, and in its report."""

from html import escape

from Orange.widgets.utils.localization import pl
from Orange.widgets.widget import Msg, OWWidget

from orangecontrib.sadd.explain.parameters import full_name
from orangecontrib.sadd.labelling import LabellerError
from orangecontrib.sadd.widgets.common import messages

__all__ = ["CONNECT_DATA", "NO_STATUS", "Error", "Information", "Warning",
           "clear_messages", "explain_failure", "send_report", "show_data_messages",
           "show_edit_message"]

CONNECT_DATA = ("Connect Data with a categorical class and numeric variables to see "
                "how they are cut.\n\nThe Preprocessor is ready: it discretizes "
                "whatever data it gets by the settings on the left.")
NO_STATUS = "Nothing is discretized."

# Fraction of missing values above which there is a warning about a variable
MANY_MISSING = 0.5


class Error(OWWidget.Error, messages.Errors):
    no_class = Msg(messages.OBSTACLES["no_class"])
    no_numeric = Msg(messages.OBSTACLES["no_numeric"])
    no_rows = Msg(messages.OBSTACLES["no_rows"])
    all_unlabelled = Msg(messages.OBSTACLES["all_unlabelled"])
    one_class = Msg(messages.OBSTACLES["one_class"])
    labeller_failed = Msg("The connected labeller failed: {}. Connect another "
                          "learner, or disconnect it.")


class Warning(OWWidget.Warning, messages.Warnings):
    stopped = Msg("The computation was stopped, so there are no results. Press "
                  "Start Again to get them.")
    missing_values = Msg("More than half of the values are missing in some "
                         "variables: {}. Impute them, or remove these variables.")


class Information(OWWidget.Information):
    known_rows = Msg("{} of Unlabelled Data {} also in Data and {} left out. This "
                     "is right if both come from the same table; otherwise check "
                     "what is connected.")
    edited = Msg("{} edited by hand. Preprocessor {}; use Reset to go back.")


def clear_messages(widget):
    """Clear what was said about other data."""
    widget.Error.clear()
    widget.Information.clear()
    for warning in list(widget.Warning.active):
        if warning is not widget.Warning.unknown_method:  # which is not about data
            warning.clear()


def show_data_messages(widget, analysis):
    """Show what there is to say about data and pool."""
    messages.show_pool_messages(widget, messages.Pool(
        analysis.rows.n_known, analysis.missing,
        analysis.pool is not None or not analysis.missing))
    sparse = [var for var, fraction
              in zip(analysis.variables, analysis.missing_shares, strict=True)
              if fraction > MANY_MISSING]
    widget.Warning.missing_values(messages.listed(sparse), shown=bool(sparse))


def show_edit_message(widget, n_edited, carries):
    """Show how many variables are edited, and whether Preprocessor carries this."""
    widget.Information.edited(
        f"{n_edited} {pl(n_edited, 'variable')} {pl(n_edited, 'was|were')}",
        "carries these cuts to whatever data it gets" if carries else
        "ignores this, since it finds new cuts in the data that it gets",
        shown=n_edited > 0)


def explain_failure(widget, ex):
    """Show an error for an exception, and return its text; empty for a fault."""
    if isinstance(ex, MemoryError):
        widget.Error.out_of_memory()
        return widget.Error.out_of_memory.formatted
    if isinstance(ex, LabellerError):
        widget.Error.labeller_failed(str(ex).rstrip("."))
        return widget.Error.labeller_failed.formatted
    return ""


def send_report(widget):
    """Report the settings, and what was found."""
    widget.report_items("Settings", (
        ("Method", full_name(widget.method)),
        *widget.method_numbers.describe(widget.method),
        ("Compared with", full_name(widget.compared_method)
         if widget.compared_method else "none"),
        *widget.describe_labeller_settings(),
        ("Normalize variables", "yes" if widget.normalize else "no")))
    view = widget.view
    if view.findings is None:
        return
    widget.report_data("Data", widget.data)
    if widget.unlabelled is not None:
        widget.report_data("Unlabelled data", widget.unlabelled)
    widget.report_paragraph("Status", escape(widget.status.text()).replace(
        "\n", "<br/>"))
    widget.report_table("Variables", view.table.model.as_lists(), header_rows=1)
    if view.variable is not None:
        name = escape(view.variable.name)
        widget.report_plot(f"Distribution of {name}", view.details.cut_plot)
        widget.report_plot(f"Decisions about {name}", view.details.split_tree)
        widget.report_raw(
            "<br/>".join(map(escape, view.details.stories.sentences())))
