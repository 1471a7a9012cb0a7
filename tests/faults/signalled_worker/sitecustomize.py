"""On PYTHONPATH of a worker, sends it the signal SIGNAL when it comes to SIGNAL_BEFORE, a method of
BatchedLifecycle."""

import os
import signal
from functools import wraps

from worker.batched_lifecycle import BatchedLifecycle

_METHOD = os.environ["SIGNAL_BEFORE"]
_SIGNAL = signal.Signals[os.environ["SIGNAL"]]
_original = getattr(BatchedLifecycle, _METHOD)


@wraps(_original)
async def _signalled(*args: object) -> object:
    os.kill(os.getpid(), _SIGNAL)
    return await _original(*args)


setattr(BatchedLifecycle, _METHOD, _signalled)
