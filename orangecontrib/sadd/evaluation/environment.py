"""What a benchmark ran on: versions and machine."""

import os
import platform
from importlib.metadata import PackageNotFoundError, version

__all__ = ["machine", "versions"]

PACKAGES = ("Orange3-SADD", "Orange3", "numpy", "scipy", "scikit-learn", "joblib")


def versions() -> dict[str, str]:
    """
    Return the versions of Python and of the packages that make the numbers.

    Examples
    --------
    >>> list(versions())[:2]
    ['Python', 'Orange3-SADD']
    """
    found = {"Python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def machine() -> dict[str, str | int]:
    """Return processor, number of cores and system; no name of host or user."""
    return {
        "cpu": _processor(),
        "cores": os.cpu_count() or 1,
        "system": f"{platform.system()} {platform.machine()}",
    }


def _processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
