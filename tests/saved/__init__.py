"""Files that users save: those of each version are kept, and later versions read them.

``python -m tests.saved.make`` writes the files of the current version. Files of older
versions are never changed. Those of the commit a3ac8ca have no pickles, because modules
were moved after it.
"""

from pathlib import Path

import numpy as np
import pandas as pd

FOLDER = Path(__file__).parent

#: Numbers with gaps, one with missing values, and categories
ROWS = pd.DataFrame({
    "length": np.round(np.arange(60) / 7 % 3 + np.arange(60) // 20, 3),
    "width": np.where(np.arange(60) % 11, np.arange(60) % 13 / 4, np.nan),
    "colour": np.where(np.arange(60) % 4, "rot", "grün")})
LABELS = np.array(["no", "perhaps", "ja"])[np.arange(60) // 20]

#: Settings of windows: the module, the settings, and parameters that follow from them
WINDOWS = {
    "SADD Discretize": ("owsadddiscretize", {
        "method": "ChiMerge", "compared_method": "EF", "remove_const": False,
        "method_parameters": {"SADD": {"n0": 30}, "ChiMerge": {"significance": 0.2}},
        "limits": {"max_intervals": 4, "missing": True},
        "labelling": {"k": 7, "labeller": "committee", "min_confidence": 0.6,
                      "standardize": False},
        "intervals_as": "indicators", "folds": {"labels": True},
        "edited_cuts": [["petal length", "continuous", [1.5, 3.25]],
                        ["sepal width", "continuous", "remove"]],
        "__version__": 4}),
    "RNB+": ("owrnbplus", {
        "discretization": "SADD", "weighting": 1, "objective": 1, "max_iter": 77,
        "method_parameters": {"SADD": {"n0": 300}}, "limits": {"min_samples": 3},
        "labelling": {"k": "validation", "labeller": "neighbours",
                      "min_confidence": 0.55, "standardize": False},
        "learner_name": "Mine", "__version__": 4}),
    "SADD Tables": ("owsaddtables", {
        "discretization": "EF", "method_parameters": {"EF": {"n_bins": 6}},
        "smoothness": 0, "labelling": {"labeller": "committee", "min_confidence": 0.7},
        "learner_name": "Tables", "__version__": 4}),
}

#: The command that applies the cuts that the command line has written
COMMAND = ["discretize", "rows.csv", "--target", "label", "--apply", "command.json",
           "--plain", "-o"]
