"""The table of attribute weightings, and the learners that RNB+ makes of it."""

from dataclasses import dataclass, field

from orangecontrib.sadd.classification import (
    AIWNBLearner,
    CAWNBLearner,
    NBLearner,
    RNBLearner,
    RNBPlusLearner,
    WANBIALearner,
)
from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.discretize import SADD

__all__ = ["OBJECTIVES", "WEIGHTINGS", "LearnerSettings", "Weighting"]


@dataclass(frozen=True)
class Weighting:
    """
    A way to weight attributes.

    Attributes
    ----------
    name : str
        As the paper prints it.
    title : str
        A few words on what it does.
    description : str
        A sentence on what it does.
    learner : type
    variant : str
        Distinguishes it from another one with the same name.
    arguments : dict
        Arguments of the learner.
    optimizes : bool
        Whether weights are searched for, with an objective and a limit of iterations.
    """

    name: str
    title: str
    description: str
    learner: type
    variant: str = ""
    arguments: dict = field(default_factory=dict)
    optimizes: bool = True

    @property
    def label(self):
        """The text of a control."""
        name = f"{self.name}, {self.variant}" if self.variant else self.name
        return f"{self.title} ({name})"


# Settings of widgets are indices of these: append to them, do not sort them
WEIGHTINGS = (
    Weighting(
        "RNB", "Regularized",
        "A mixture of two models, one with a weight for each attribute and class, one "
        "with a weight for each attribute; the share of each is learned as well.",
        RNBLearner),
    Weighting(
        "CAWNB", "Class-specific", "A weight for each attribute and class.",
        CAWNBLearner),
    Weighting(
        "WANBIA", "Class-independent",
        "A weight for each attribute. Nomogram shows the model.",
        WANBIALearner),
    Weighting(
        "AIWNB", "Attribute + instance",
        "Attributes are weighted by their information about the class and about each "
        "other, rows by how frequent their values are.",
        AIWNBLearner, "eager", {"instance_weighting": "eager"}, False),
    Weighting(
        "AIWNB", "Attribute + instance",
        "Attributes are weighted by their information about the class and about each "
        "other, rows for each prediction again, by how similar they are to its row.",
        AIWNBLearner, "lazy", {"instance_weighting": "lazy"}, False),
    Weighting(
        "NB", "None", "Naive Bayes, in which all attributes count the same.",
        NBLearner, optimizes=False),
)
OBJECTIVES = (
    ("mse", "Squared error", ""),
    ("cll", "Conditional log-likelihood", "CLL"),
)


@dataclass(frozen=True)
class LearnerSettings:
    """The choices of a user: indices, names and numbers."""

    discretization: str = "SADD"
    k: int | str = "auto"
    n0: int = 2000
    weighting_index: int = 0
    objective_index: int = 0
    max_iter: int = 100

    @property
    def weighting(self):
        """The weighting."""
        return WEIGHTINGS[self.weighting_index]

    @property
    def uses_unlabelled(self):
        """Whether the discretization learns from unlabelled rows."""
        return DISCRETIZERS[self.discretization].uses_unlabelled

    def name(self, has_pool=False):
        """
        Return a name for the learner that explains itself in a table of scores.

        Examples
        --------
        >>> LearnerSettings().name()
        'RNB+'
        >>> LearnerSettings(weighting_index=1, discretization="MDLP").name()
        'CAWNB with MDLP'
        >>> LearnerSettings(weighting_index=4).name(has_pool=True)
        'AIWNB+ (lazy) with pool'
        """
        weighting, *_, objective = self.weighting, *OBJECTIVES[self.objective_index]
        variants = (weighting.variant, objective if weighting.optimizes else "")
        variants = ", ".join(filter(None, variants))
        name = weighting.name + "+" * self.uses_unlabelled
        if variants:
            name += f" ({variants})"
        if not self.uses_unlabelled:
            return f"{name} with {self.discretization}"
        return f"{name} with pool" if has_pool else name

    def described(self):
        """
        Return names and values of the settings that have an effect, for a report.

        Examples
        --------
        >>> LearnerSettings("EW", weighting_index=5).described()
        [('Discretization', 'Equal width'), ('Attribute weighting', 'None (NB)')]
        """
        items = [("Discretization", DISCRETIZERS[self.discretization].title)]
        if self.uses_unlabelled:
            k = "chosen by validation" if self.k == "auto" else str(self.k)
            items += [("k", k), ("N0", f"{self.n0:,}")]
        items.append(("Attribute weighting", self.weighting.label))
        if self.weighting.optimizes:
            items += [("Objective", OBJECTIVES[self.objective_index][1].lower()),
                      ("Iterations", f"at most {self.max_iter:,}")]
        return items

    def learner(self, unlabelled=None, preprocessors=None):
        """
        Make the learner.

        Examples
        --------
        >>> LearnerSettings().learner()
        RNBPlusLearner()
        >>> LearnerSettings(weighting_index=2, n0=500).learner()
        WANBIALearner(discretization=SADD(n0=500))
        """
        weighting = self.weighting
        arguments = {**weighting.arguments, "preprocessors": preprocessors}
        if weighting.optimizes:
            arguments.update(objective=OBJECTIVES[self.objective_index][0],
                             max_iter=self.max_iter)
        if not self.uses_unlabelled:
            return weighting.learner(discretization=self.discretization, **arguments)
        arguments["unlabelled"] = unlabelled
        if weighting.learner is RNBLearner:  # Parameter Fitter can vary its k and N0
            return RNBPlusLearner(k=self.k, n0=self.n0, **arguments)
        return weighting.learner(discretization=SADD(self.k, self.n0), **arguments)
