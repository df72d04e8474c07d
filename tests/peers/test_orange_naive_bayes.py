"""Orange's tests of naive Bayes, with each of our learners in its place."""

from orangecontrib.sadd import (
    AIWNBLearner,
    CAWNBLearner,
    NBLearner,
    RNBLearner,
    RNBPlusLearner,
    WANBIALearner,
)
from tests.peers.peertests import (
    Disagreement,
    cases,
    load,
    test_listed,  # noqa: F401
)

SMOOTHING = "probabilities are smoothed as in the paper, by m-estimates"

DISAGREEMENTS = [
    Disagreement("TestNaiveBayesLearner.test_predictions", SMOOTHING),
    Disagreement("TestNaiveBayesLearner.test_predictions_csr_matrix", SMOOTHING),
    Disagreement("TestNaiveBayesLearner.test_predictions_csc_matrix", SMOOTHING),
    Disagreement("TestNaiveBayesLearner.test_no_attributes",
                 "predict_storage takes tables and instances, not arrays"),
    Disagreement("TestNaiveBayesLearner.test_degenerate",
                 "attributes with a single interval stay in the model"),
    Disagreement(
        "TestNaiveBayesLearner.test_compare_results_of_predict_and_predict_storage",
        "there is one way to predict, also for what is not a Table"),
]


class LazyAIWNBLearner(AIWNBLearner):
    def __init__(self, preprocessors=None):
        super().__init__(instance_weighting="lazy", preprocessors=preprocessors)


for ours in (NBLearner, WANBIALearner, CAWNBLearner, AIWNBLearner, LazyAIWNBLearner,
             RNBLearner, RNBPlusLearner):
    peer = load("Orange.tests.test_naive_bayes",
                Orange__classification__NaiveBayesLearner=ours)
    globals().update(cases(peer, ours.__name__, "TestNaiveBayesLearner"))
