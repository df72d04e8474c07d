"""The report of SADD Discretize."""

from html import escape

from orangecontrib.sadd.explain.parameters import full_name

__all__ = ["send_report"]


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
