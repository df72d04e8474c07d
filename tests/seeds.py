"""Seeds of tests with random actions."""

import datetime
import os

__all__ = ["monkey_seed"]


def monkey_seed():
    """Return the seed that SADD_MONKEY_SEED names; by default 0, in CI the date."""
    default = datetime.date.today().strftime("%Y%m%d") if os.environ.get("CI") else 0
    return int(os.environ.get("SADD_MONKEY_SEED", default))
