"""The table of attribute weightings, and the learners that RNB+ makes of it."""

from dataclasses import dataclass, field
from inspect import signature

from orangecontrib.sadd.classification import (
    RECIPES,
    AIWNBLearner,
    CAWNBLearner,
    NBLearner,
    RNBLearner,
    RNBPlusLearner,
    WANBIALearner,
)
from orangecontrib.sadd.discretize import make_discretization
from orangecontrib.sadd.explain.parameters import Parameters, full_name

__all__ = ["OBJECTIVES", "RECIPE_TITLES", "WEIGHTINGS", "LearnerSettings", "Weighting"]


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
        "other, rows anew for each prediction, by how similar they are to its row.",
        AIWNBLearner, "lazy", {"instance_weighting": "lazy"}, False),
    Weighting(
        "NB", "None", "Naive Bayes, in which all attributes count the same.",
        NBLearner, optimizes=False),
)
# What is set at once by the choice of a recipe: its name, title and description
RECIPE_TITLES = (
    ("published", "Published", "All settings as in the paper."),
    ("few-labels", "Few labels",
     "A committee lends labels, unlabelled rows count in the probabilities, too, and "
     "weights are drawn to those of naive Bayes: recommended below 100 labelled rows."),
)
OBJECTIVES = (
    ("mse", "Squared error", ""),
    ("cll", "Log-likelihood", "CLL"),
)


@dataclass(frozen=True)
class LearnerSettings:
    """The choices of a user: a method, indices, names and numbers."""

    parameters: Parameters = Parameters()
    weighting_index: int = 0
    objective_index: int = 0
    max_iter: int = 100
    counts_pool: bool = False
    shrinkage: float = 0
    recipe: str = "published"

    @property
    def weighting(self):
        """The weighting."""
        return WEIGHTINGS[self.weighting_index]

    @property
    def uses_unlabelled(self):
        """Whether the discretization learns from unlabelled rows."""
        return self.parameters.uses_unlabelled

    def name(self, has_pool=False):
        """
        Return a name for the learner that explains itself in a table of scores.

        Examples
        --------
        >>> LearnerSettings().name()
        'RNB+'
        >>> LearnerSettings(Parameters("MDLP"), weighting_index=1).name()
        'CAWNB with MDLP'
        >>> LearnerSettings(weighting_index=4).name(has_pool=True)
        'AIWNB+ (lazy) with pool'
        >>> LearnerSettings(recipe="few-labels", objective_index=1).name()
        'RNB+ few labels'
        """
        weighting = self.weighting
        objective, _, short = OBJECTIVES[self.objective_index]
        few_labels = self.uses_unlabelled and self.recipe == "few-labels"
        usual = RECIPES[self.recipe if few_labels else "published"]["objective"]
        if not weighting.optimizes or objective == usual:
            short = ""
        elif not short:
            short = "MSE"
        variants = ", ".join(filter(None, (weighting.variant, short)))
        name = weighting.name + "+" * self.uses_unlabelled + " few labels" * few_labels
        if variants:
            name += f" ({variants})"
        if not self.uses_unlabelled:
            return f"{name} with {self.parameters.method}"
        return f"{name} with pool" if has_pool else name

    def described(self):
        """
        Return names and values of the settings that have an effect, for a report.

        Examples
        --------
        >>> LearnerSettings(Parameters("EW"), weighting_index=5).described()
        [('Discretization', 'Equal width (EW)'), ('Attribute weighting', 'None (NB)')]
        """
        items = [("Discretization", full_name(self.parameters.method))]
        if self.uses_unlabelled:
            items.append(("Unlabelled rows count", "in intervals and probabilities"
                          if self.counts_pool else "in intervals"))
        items.append(("Attribute weighting", self.weighting.label))
        if self.weighting.optimizes:
            items += [("Objective", OBJECTIVES[self.objective_index][1].lower()),
                      ("Shrinkage", f"{self.shrinkage:g}"),
                      ("Iterations", f"at most {self.max_iter:,}")]
        return items

    def learner(self, unlabelled=None, preprocessors=None):
        """
        Make the learner.

        Examples
        --------
        >>> LearnerSettings().learner()
        RNBPlusLearner()
        >>> fewer = Parameters("SADD", {"n0": 500})
        >>> LearnerSettings(fewer, weighting_index=2).learner()
        WANBIALearner(discretization=SADD(n0=500))
        """
        parameters, weighting = self.parameters, self.weighting
        numbers = parameters.changed
        arguments = {**weighting.arguments, "preprocessors": preprocessors}
        if weighting.optimizes:
            arguments.update(objective=OBJECTIVES[self.objective_index][0],
                             shrinkage=self.shrinkage or 0, max_iter=self.max_iter)
        if not self.uses_unlabelled:
            method = parameters.method
            if numbers:
                method = make_discretization(method, **numbers)
            return weighting.learner(discretization=method, **arguments)
        numbers.update(k=parameters.k, labeller=parameters.labeller,
                       min_confidence=parameters.min_confidence)
        arguments.update(
            unlabelled=unlabelled,
            pool_use="counts" if self.counts_pool else "intervals")
        # Parameter Fitter can vary the k and N0 of RNB+
        if weighting.learner is RNBLearner and \
                numbers.keys() <= signature(RNBPlusLearner).parameters.keys():
            return RNBPlusLearner(recipe=self.recipe, **numbers, **arguments)
        return weighting.learner(
            discretization=make_discretization(parameters.method, **numbers),
            **arguments)
