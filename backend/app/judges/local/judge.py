"""A detector in this process, asked by all who judge with it."""

import asyncio
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache

from app.judges.answer import AnswerToJudge
from app.judges.judge_names import allowed_folder
from app.judges.local.detector import (
    Detector,
    Draft,
    Finding,
    LocalVerdict,
    detector_folder,
    draft_of,
    verdict_of,
)
from app.platform.settings import Settings

LOCAL_VERSION = "local-1"
# Answers that one run of the model reads together; more would only make the first ones wait.
_BATCH = 8

_Asked = tuple[Draft, Future[list[Finding]]]


class LocalJudge:
    """Judges with the detector of one folder, loaded when it is first needed.

    threads: cores that one run may use. Runs follow one another in a thread of their own, so that
    the event loop goes on and the model never takes more cores than that. Answers that wait for a
    run are read together in the next one.
    """

    def __init__(self, path: str, *, threads: int) -> None:
        self._path = path
        self._threads = threads
        self._detector: Detector | None = None
        self._waiting: deque[_Asked] = deque()
        self._executor = ThreadPoolExecutor(1, "local-judge")

    async def judge(self, subject: AnswerToJudge) -> LocalVerdict | None:
        """None without a note to judge by. Raises ProviderError."""
        if not subject.has_notes:
            return None
        draft = await asyncio.to_thread(draft_of, subject)
        return verdict_of(draft, await self.findings(draft))

    async def findings(self, draft: Draft) -> list[Finding]:
        """Raises ProviderError, ConfigurationError when the folder cannot be used; the next call
        reads it again."""
        found: Future[list[Finding]] = Future()
        self._waiting.append((draft, found))
        self._executor.submit(self._run_waiting)
        return await asyncio.wrap_future(found)

    def close(self) -> None:
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _run_waiting(self) -> None:
        """Called once for each answer; nothing is left where an earlier run has taken it."""
        taken = [self._waiting.popleft() for _ in range(min(_BATCH, len(self._waiting)))]
        batch = [asked for asked in taken if asked[1].set_running_or_notify_cancel()]
        if batch:
            self._run(batch)

    def _run(self, batch: Sequence[_Asked]) -> None:
        try:
            if self._detector is None:
                self._detector = load_detector(self._path, threads=self._threads)
            findings = self._detector.detect([draft for draft, _ in batch])
        except Exception as error:  # noqa: BLE001  raised where it is waited for
            if len(batch) > 1:  # one answer must not fail those beside it
                for asked in batch:
                    self._run([asked])
            else:
                batch[0][1].set_exception(error)
            return
        for (_, future), found in zip(batch, findings, strict=True):
            future.set_result(found)


def load_detector(path: str, *, threads: int) -> Detector:
    """Blocks while the model loads. Raises ConfigurationError."""
    from app.ai_router.local.onnx_model import OnnxModel
    from app.judges.local.classifiers import PairClassifier, TokenClassifier

    found = detector_folder(path)
    model = OnnxModel(found.folder, threads=threads)
    return TokenClassifier(found, model) if found.kind == "tokens" else PairClassifier(found, model)


def local_judge(judge_model: str, settings: Settings) -> LocalJudge:
    """The one of this process for `local:FOLDER`, so that a model is in memory once. Raises
    ConfigurationError for a folder that the settings do not name."""
    return _of_folder(allowed_folder(judge_model, settings), settings.models.local_threads)


@cache
def _of_folder(path: str, threads: int) -> LocalJudge:
    return LocalJudge(path, threads=threads)
