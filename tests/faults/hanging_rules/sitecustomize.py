"""On PYTHONPATH of a process, makes judging by rules hang, crash or swell as the answer says."""

import os
import re
import signal
from functools import wraps

from app.packs.models import DomainPack
from app.verdicts.judging import rules_verdict
from app.verdicts.judging.rules_verdict import RulesVerdict
from app.verdicts.lifecycle.outcome import Lease

_judge_lease = rules_verdict.judge_lease


@wraps(_judge_lease)
def judge_lease(pack: DomainPack, lease: Lease) -> RulesVerdict:
    if "hangs" in lease.answer:
        # Backtracks for longer than the universe is old, and holds Python's lock meanwhile.
        re.match(r"(a+)+$", "a" * 64 + "b")
    if "crashes" in lease.answer:
        os.kill(os.getpid(), signal.SIGSEGV)
    if "swells" in lease.answer:
        bytearray(2**30)
    return _judge_lease(pack, lease)


rules_verdict.judge_lease = judge_lease
