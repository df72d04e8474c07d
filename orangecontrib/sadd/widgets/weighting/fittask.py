"""The task that RNB+ runs in a thread."""

from typing import NamedTuple

from Orange.base import Model

from orangecontrib.sadd.widgets.datachecks import Pool, inspect_pool

__all__ = ["Fitted", "fit"]


class Cancelled(Exception):
    """A user does not want the result any more."""


class Fitted(NamedTuple):
    """What a task has computed."""

    model: Model
    pool: Pool | None


def fit(learner, data, state):
    """Fit a model, in a thread."""
    def callback(share, status=""):
        state.set_progress_value(100 * share)
        if status:
            state.set_status(status)
        if state.is_interruption_requested():
            raise Cancelled

    callback(0)
    pool = inspect_pool(data, learner.unlabelled)
    return Fitted(learner(data, callback), pool)
