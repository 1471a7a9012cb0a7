"""On PYTHONPATH of a process, makes judging by rules hang, crash or swell as the answer says."""

import os
import re
import signal
from functools import wraps

from app.judges.answer import AnswerToJudge
from app.judges.judge import Evaluators, Judgement
from app.text.packs.models import DomainPack
from app.verdicts.judging import rules_verdict

_judge_by_rules = rules_verdict.judge_by_rules


@wraps(_judge_by_rules)
def judge_by_rules(pack: DomainPack, subject: AnswerToJudge, evaluators: Evaluators) -> Judgement:
    if "hangs" in subject.answer:
        # Backtracks for longer than the universe is old, and holds Python's lock meanwhile.
        re.match(r"(a+)+$", "a" * 64 + "b")
    if "crashes" in subject.answer:
        os.kill(os.getpid(), signal.SIGSEGV)
    if "swells" in subject.answer:
        bytearray(2**30)
    return _judge_by_rules(pack, subject, evaluators)


rules_verdict.judge_by_rules = judge_by_rules
