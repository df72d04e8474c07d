"""The parameters of WANBIA, CAWNB and RNB as one vector."""

from dataclasses import dataclass

import numpy as np

__all__ = ["Layout"]


@dataclass(frozen=True)
class Layout:
    """
    Which parameters a model has, and where they are in the vector to be optimized.

    Parameters
    ----------
    model : {"wanbia", "cawnb", "rnb"}
    n_classes, n_attributes : int

    Examples
    --------
    >>> layout = Layout("rnb", 2, 3)
    >>> layout.size
    10
    >>> layout.unpack(layout.start)
    (array([1., 1., 1.]), array([[1., 1., 1.],
           [1., 1., 1.]]), 0.5)
    """

    model: str
    n_classes: int
    n_attributes: int

    def __post_init__(self):
        if self.model not in ("wanbia", "cawnb", "rnb"):
            raise ValueError("The model must be 'wanbia', 'cawnb' or 'rnb', "
                             f"not {self.model!r}.")

    @property
    def has_weights(self):
        """Whether there are weights of attributes, w."""
        return self.model != "cawnb"

    @property
    def has_class_weights(self):
        """Whether there are weights of attributes for each class, W."""
        return self.model != "wanbia"

    @property
    def has_alpha(self):
        """Whether the share of the class-dependent part, alpha, is free."""
        return self.model == "rnb"

    @property
    def size(self):
        """The number of parameters."""
        n_weights = self.has_weights + self.has_class_weights * self.n_classes
        return n_weights * self.n_attributes + self.has_alpha

    @property
    def start(self):
        """Where the authors start: naive Bayes, mixed of equal parts."""
        theta = np.ones(self.size)
        if self.has_alpha:
            theta[-1] = 0.5
        return theta

    def pack(self, weights, class_weights, alpha):
        """Give the vector; parameters that the model lacks are ignored."""
        parts = [np.ravel(weights)] * self.has_weights \
            + [np.ravel(class_weights)] * self.has_class_weights \
            + [[alpha]] * self.has_alpha
        return np.concatenate(parts)

    def unpack(self, theta):
        """Give (w, W, alpha); None for weights that the model lacks."""
        weights = class_weights = None
        alpha = 1.0 if self.model == "cawnb" else 0.0
        if self.has_alpha:
            alpha, theta = float(theta[-1]), theta[:-1]
        if self.has_weights:
            weights, theta = theta[:self.n_attributes], theta[self.n_attributes:]
        if self.has_class_weights:
            class_weights = theta.reshape(self.n_classes, self.n_attributes)
        return weights, class_weights, alpha
