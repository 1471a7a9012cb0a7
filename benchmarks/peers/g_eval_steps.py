"""What deepeval's GEval is told to do, so that it asks no model for that."""

from deepeval.test_case import SingleTurnParams

STEPS = [
    "Compare each claim of the actual output with the retrieval context.",
    "Lower the score for each claim that the context does not support.",
    "Check that the actual output answers the input.",
]
PARAMS = [
    SingleTurnParams.INPUT,
    SingleTurnParams.ACTUAL_OUTPUT,
    SingleTurnParams.RETRIEVAL_CONTEXT,
]
