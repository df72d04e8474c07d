"""Workflows that pages show: the steps of the tutorial, right and wrong wiring."""

from make_workflows import Workflow

__all__ = ["own_file", "pool_of_other_rows", "pool_of_tested_rows", "right", "tutorial",
           "wrong"]

# Settings of Data Sampler and of Test and Score
FIXED_SIZE = 1
TEST_ON_TEST_DATA = 5
FIVE_FOLDS = {"resampling": 0, "n_folds": 1, "cv_stratified": True}


def tutorial(registry, step=4):
    """The workflow of the tutorial after a step."""
    flow = Workflow(registry, "Tutorial", "")
    flow.file("heart_disease.tab", (100, 240))
    flow.node("owdatasampler", (240, 240))
    flow.link("File", "Data", "Data Sampler")
    flow.node("owdatasampler", (430, 170), "Data Sampler (1)",
              sampling_type=FIXED_SIZE, sampleSizeNumber=30)
    flow.link("Data Sampler", "Data Sample", "Data Sampler (1)", "Data")
    if step > 1:
        flow.node("owsadddiscretize", (700, 30))
        connect_sampler(flow, "SADD Discretize")
    if step > 2:
        flow.node("owrnbplus", (700, 170))
        connect_sampler(flow, "RNB+")
    if step > 3:
        flow.node("owrnbplus", (700, 420), "RNB+ (1)")
        flow.node("owknn", (700, 520))
        flow.node("owtestandscore", (900, 320), "Test and Score",
                  resampling=TEST_ON_TEST_DATA)
        flow.link("Data Sampler (1)", "Data Sample", "Test and Score", "Data")
        flow.link("Data Sampler", "Remaining Data", "Test and Score", "Test Data")
        for title in ("RNB+", "RNB+ (1)", "kNN"):
            flow.link(title, "Learner", "Test and Score")
    return flow


def connect_sampler(flow, title):
    """Connect both outputs of the second sampler to a widget of ours."""
    flow.link("Data Sampler (1)", "Data Sample", title, "Data")
    flow.link("Data Sampler (1)", "Remaining Data", title, "Unlabelled Data")


def own_file(registry):
    """A file in which the class of most rows is missing."""
    flow = Workflow(registry, "A File of One's Own", "")
    flow.file("heart_disease.tab", (100, 150))
    flow.node("owrnbplus", (350, 40))
    flow.node("owtestandscore", (540, 150), "Test and Score", **FIVE_FOLDS)
    flow.link("File", "Data", "RNB+")
    flow.link("File", "Data", "RNB+", "Unlabelled Data")
    flow.link("File", "Data", "Test and Score")
    flow.link("RNB+", "Learner", "Test and Score")
    return flow


def wrong(registry):
    """Discretized before it is cross-validated: cuts know the classes of test rows."""
    flow = Workflow(registry, "Wrong", "")
    flow.file("heart_disease.tab", (100, 110))
    flow.node("owsadddiscretize", (280, 110))
    flow.node("ownaivebayes", (280, 220))
    flow.node("owtestandscore", (500, 110), "Test and Score", **FIVE_FOLDS)
    flow.link("File", "Data", "SADD Discretize")
    flow.link("SADD Discretize", "Data", "Test and Score")
    flow.link("Naive Bayes", "Learner", "Test and Score")
    return flow


def right(registry):
    """Discretized in each fold, by the preprocessor."""
    flow = Workflow(registry, "Right", "")
    flow.file("heart_disease.tab", (100, 110))
    flow.node("owsadddiscretize", (290, 220))
    flow.node("ownaivebayes", (440, 220))
    flow.node("owtestandscore", (590, 110), "Test and Score", **FIVE_FOLDS)
    flow.link("File", "Data", "Test and Score")
    flow.link("SADD Discretize", "Preprocessor", "Naive Bayes")
    flow.link("Naive Bayes", "Learner", "Test and Score")
    return flow


def pool_of_tested_rows(registry):
    """As in the paper: the same table is cross-validated and is the pool."""
    flow = right(registry)
    flow.link("File", "Data", "SADD Discretize", "Unlabelled Data")
    return flow


def pool_of_other_rows(registry):
    """The pool is another part of the data, which is not tested on."""
    flow = Workflow(registry, "Other Rows", "")
    flow.file("heart_disease.tab", (80, 110))
    flow.node("owdatasampler", (210, 110))
    flow.node("owsadddiscretize", (420, 210))
    flow.node("ownaivebayes", (570, 210))
    flow.node("owtestandscore", (720, 110), "Test and Score", **FIVE_FOLDS)
    flow.link("File", "Data", "Data Sampler")
    flow.link("Data Sampler", "Remaining Data", "SADD Discretize", "Unlabelled Data")
    flow.link("Data Sampler", "Data Sample", "Test and Score", "Data")
    flow.link("SADD Discretize", "Preprocessor", "Naive Bayes")
    flow.link("Naive Bayes", "Learner", "Test and Score")
    return flow
