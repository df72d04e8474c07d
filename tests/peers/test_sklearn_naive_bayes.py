"""scikit-learn's tests of CategoricalNB, with our naive Bayes in its place."""

import numpy as np

from orangecontrib.sadd.core import NaiveBayesClassifier
from tests.peers.peertests import (
    Disagreement,
    functions,
    load,
    test_listed,  # noqa: F401
)

AT_ONCE = "all rows are seen at once: there is no partial_fit"
PRIORS = "the prior is that of the rows, which cannot be chosen"
CATEGORIES = "values that do not occur have no probability: no min_categories"

DISAGREEMENTS = [
    Disagreement("test_discretenb_partial_fit", AT_ONCE),
    Disagreement("test_NB_partial_fit_no_first_classes", AT_ONCE),
    Disagreement("test_discretenb_provide_prior_with_partial_fit", AT_ONCE),
    Disagreement("test_discretenb_sample_weight_multiclass", AT_ONCE),
    Disagreement("test_discretenb_degenerate_one_class_case", AT_ONCE,
                 use_partial_fit=True),
    Disagreement("test_discretenb_uniform_prior", PRIORS),
    Disagreement("test_discretenb_provide_prior", PRIORS),
    Disagreement("test_categoricalnb", PRIORS),
    Disagreement("test_categoricalnb_with_min_categories", CATEGORIES),
    Disagreement("test_categoricalnb_min_categories_errors", CATEGORIES),
    Disagreement("test_alpha", "smoothing is that of the paper, without alpha"),
    Disagreement("test_predict_joint_proba",
                 "there is no predict_joint_log_proba: RNB is a mixture"),
    Disagreement("test_categorical_input_tag",
                 "numbers are numeric unless categorical_features says otherwise"),
]


class CategoricalNB(NaiveBayesClassifier):
    """Parameters and findings are called as scikit-learn does."""

    def __init__(self, alpha=1.0, *, force_alpha=True, fit_prior=True,
                 class_prior=None, min_categories=None):
        super().__init__()
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.min_categories = min_categories

    def fit(self, X, y, sample_weight=None):
        if not self.fit_prior or self.class_prior or self.min_categories:
            raise NotImplementedError
        self.categorical_features = range(np.shape(X)[1])
        return super().fit(X, y, sample_weight)

    @property
    def class_count_(self):
        return self.tables_.class_counts

    @property
    def class_log_prior_(self):
        return self.tables_.log_prior

    @property
    def feature_log_prob_(self):
        return np.split(self.tables_.log_likelihood[:, :-1],
                        self.tables_.n_values.cumsum()[:-1], axis=1)


globals().update(functions(
    load("sklearn.tests.test_naive_bayes",
         sklearn__naive_bayes__CategoricalNB=CategoricalNB), CategoricalNB))
