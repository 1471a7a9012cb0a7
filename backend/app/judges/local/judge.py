"""A judge that asks a detector in this process."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from app.ai_router.local.model_folder import LOCAL
from app.ai_router.types import ModelName
from app.judges.answer import AnswerToJudge
from app.judges.local.detector import Detector, Finding, load_detector
from app.judges.local.draft import Draft, draft_of
from app.judges.local.verdict import LocalVerdict, verdict_of

LOCAL_VERSION = "local-1"


class LocalJudge:
    """Judges with the detector of one folder, loaded when it is first needed.

    threads: cores that one run may use. Runs follow one another in a thread of their own, so that
    the event loop goes on and the model never takes more cores than that.
    """

    def __init__(self, path: str, *, threads: int) -> None:
        self.model = ModelName(LOCAL, path)
        self._threads = threads
        self._detector: Detector | None = None
        self._executor = ThreadPoolExecutor(1, "local-judge")

    async def judge_all(self, subjects: Sequence[AnswerToJudge]) -> list[LocalVerdict | None]:
        """A verdict on each, or None for one without a note to judge by; together they make larger
        batches for the model. Raises ProviderError."""
        judged = [subject for subject in subjects if subject.has_notes]
        drafts = await asyncio.to_thread(_drafts, judged)
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(self._executor, self._detect, drafts)
        verdicts = iter(map(verdict_of, drafts, found))
        return [next(verdicts) if subject.has_notes else None for subject in subjects]

    async def aclose(self) -> None:
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _detect(self, drafts: Sequence[Draft]) -> list[list[Finding]]:
        if self._detector is None:
            self._detector = load_detector(self.model.model, threads=self._threads)
        return self._detector.detect(drafts)


def _drafts(subjects: Sequence[AnswerToJudge]) -> list[Draft]:
    return [draft_of(subject) for subject in subjects]
