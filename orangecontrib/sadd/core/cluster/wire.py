"""What is sent, as bytes: measured, and as few as possible.

Counts below increasing thresholds increase, too, and by little: they are sent as
differences, in the shortest type that holds them.
"""

import io
import pickle

import numpy as np

__all__ = ["dumps", "loads"]


def dumps(content):
    """
    Return an object as bytes.

    Examples
    --------
    >>> import numpy as np
    >>> counts = np.arange(0, 10 ** 9, 1000)
    >>> len(dumps(counts)) / counts.nbytes < 0.26
    True
    >>> np.array_equal(loads(dumps(counts)), counts)
    True
    """
    file = io.BytesIO()
    _Pickler(file, protocol=5).dump(content)
    return file.getvalue()


def loads(content):
    """Return the object of which these are the bytes."""
    return pickle.loads(content)


class _Pickler(pickle.Pickler):
    def reducer_override(self, array):
        if type(array) is not np.ndarray or array.dtype != np.int64 \
                or not array.ndim or array.shape[-1] < 8:
            return NotImplemented
        steps = np.diff(array, axis=-1)
        if not steps.size or steps.min() < 0 or steps.max() >= 2 ** 32:
            return NotImplemented
        steps = steps.astype(np.min_scalar_type(steps.max()))
        return _cumulate, (array[..., :1].copy(), steps)


def _cumulate(first, steps):
    return np.cumsum(np.concatenate((first, steps), axis=-1), axis=-1, dtype=np.int64)
