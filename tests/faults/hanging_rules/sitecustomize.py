"""On PYTHONPATH of a process, makes judging by rules hang, crash or swell as the answer says."""

import os
import re
import signal
from functools import wraps

from app.packs.models import DomainPack
from app.verdicts.judging import rules_verdict
from app.verdicts.judging.rules_verdict import RulesVerdict
from app.verdicts.lifecycle.outcome import Claim

_judge_claim = rules_verdict.judge_claim


@wraps(_judge_claim)
def judge_claim(pack: DomainPack, claim: Claim) -> RulesVerdict:
    if "hangs" in claim.answer:
        # Backtracks for longer than the universe is old, and holds Python's lock meanwhile.
        re.match(r"(a+)+$", "a" * 64 + "b")
    if "crashes" in claim.answer:
        os.kill(os.getpid(), signal.SIGSEGV)
    if "swells" in claim.answer:
        bytearray(2**30)
    return _judge_claim(pack, claim)


rules_verdict.judge_claim = judge_claim
