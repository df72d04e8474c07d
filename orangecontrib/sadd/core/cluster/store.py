"""Objects that a worker keeps in files, mapped into memory while they are used.

A worker with a gigabyte may be in charge of many gigabytes of sorted columns, of which
each question touches a few pages. Dask would write whole objects to disk and read
them back for each question; here the operating system reads the pages that are used
and keeps them as long as there is memory.

A file is private to its process and is deleted with its object. If an object
is sent elsewhere, its contents are sent; if its worker dies, Dask computes it anew.
"""

import mmap
import os
import pickle
import sys
import tempfile
import weakref

import dask

__all__ = ["SMALL", "Stored"]

# Objects of fewer bytes stay in memory
SMALL = 2 ** 20

ALIGNMENT = 64


class Stored:
    """
    An object in a file.

    Parameters
    ----------
    content : object
        Its NumPy arrays are written as they are and not copied when it is opened;
        they cannot be changed then.
    small : int
        An object of so many bytes or fewer stays in memory.

    Examples
    --------
    >>> import numpy as np
    >>> Stored({"squares": np.arange(3) ** 2}).open()
    {'squares': array([0, 1, 4])}
    """

    def __init__(self, content, small=SMALL):
        buffers = []
        self._head = pickle.dumps(content, protocol=5, buffer_callback=buffers.append)
        views = [buffer.raw() for buffer in buffers]
        self.nbytes = len(self._head) + sum(view.nbytes for view in views)
        self._small = small
        self._content = self._path = None
        if self.nbytes <= small:
            self._content, self._head = content, None
            return
        handle, self._path = tempfile.mkstemp(".columns", "sadd-", _folder())
        weakref.finalize(self, _remove, self._path)
        self._places = []
        with os.fdopen(handle, "wb") as file:
            for view in views:
                file.seek(-file.tell() % ALIGNMENT, os.SEEK_CUR)
                self._places.append((file.tell(), view.nbytes))
                file.write(view)

    def open(self):
        """Return the object; its arrays are read from the file when they are used."""
        if self._path is None:
            return self._content
        with open(self._path, "rb") as file:
            mapped = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)) \
                if os.fstat(file.fileno()).st_size else memoryview(b"")
        return pickle.loads(self._head, buffers=[
            mapped[start:start + length] for start, length in self._places])

    def __reduce__(self):
        return Stored, (self.open(), self._small)

    def __sizeof__(self):
        # What counts for Dask is what the worker holds in memory
        own = len(self._head) if self._path is not None else self.nbytes
        return own + sys.getsizeof(self.__dict__)


def _folder():
    """Where a worker keeps its files, or Dask its own; else that of the system."""
    try:
        from distributed import get_worker

        return get_worker().local_directory
    except (ImportError, ValueError):  # no worker
        folder = dask.config.get("temporary-directory", None)
        if folder is not None:
            os.makedirs(folder, exist_ok=True)
        return folder


def _remove(path):
    try:
        os.remove(path)
    except OSError:  # the worker's folder may have gone already
        pass
