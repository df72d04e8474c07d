"""Types in the signatures of this package.

Shapes and meanings are in docstrings.
"""

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["ArrayLike", "Callback", "CategoricalFeatures", "Data", "Encoding", "Floats",
           "Integers", "LabellerLike", "LossName", "Mask", "Matrix", "Missing",
           "NeighbourCount", "RandomState"]

#: Anything that numpy makes an array of, a data frame included
ArrayLike: TypeAlias = npt.ArrayLike
#: The same, or data for Dask. Results are then also Dask's, which the types omit.
Data: TypeAlias = Any
Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.integer[Any]]
Mask: TypeAlias = npt.NDArray[np.bool_]

#: An ndarray or a sparse matrix; scipy has no types for the latter
Matrix: TypeAlias = Any

#: Called with the fraction of work done, from 0 to 1; may raise an exception to stop it
Callback: TypeAlias = Callable[[float], object]

#: Mask, indices or names of columns, or "from_dtype"
CategoricalFeatures: TypeAlias = ArrayLike | Literal["from_dtype"] | None

#: Number of neighbours, a way to choose it, or numbers to choose from
NeighbourCount: TypeAlias = int | Literal["auto", "validation"] | Sequence[int]

#: A name, a classifier with `predict_proba`, or a list of such classifiers
LabellerLike: TypeAlias = Any

#: Loss that weights minimize
LossName: TypeAlias = Literal["squared_error", "log_loss"]

#: Missing values: ignored, or an interval of their own
Missing: TypeAlias = Literal["ignore", "interval"]

#: Results of discretizers: codes, names of intervals, or ones and zeros
Encoding: TypeAlias = Literal["ordinal", "interval", "onehot"]

RandomState: TypeAlias = int | np.random.RandomState | None
