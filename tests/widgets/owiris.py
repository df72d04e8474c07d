"""A source of data for workflows in tests; Orange's File depends on recent files."""

from Orange.data import Table
from Orange.widgets.widget import Output, OWWidget


class OWIris(OWWidget):
    name = "Iris"
    description = "Gives Iris."
    want_main_area = False

    class Outputs:
        data = Output("Data", Table)

    def __init__(self):
        super().__init__()
        self.Outputs.data.send(Table("iris"))
