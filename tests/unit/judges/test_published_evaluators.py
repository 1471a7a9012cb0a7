"""The evaluators by the paths and the names of arguments under which others call them."""

import json

from test_search_qa_evaluator import ANSWER, NOTES, QUESTION, TITLES, ticks, verdict

import samples
from app.ai_router.prompts.search_qa_eval import PROMPT_VERSION, build_messages
from app.ai_router.quality_gate import QualityGate
from app.ai_router.search_qa_evaluator import SearchQAEvaluator
from app.judges.answer import AnswerToJudge
from app.judges.published.llm_judge import LLMJudge
from app.judges.published.quality_evaluator import QualityEvaluator
from scripted_router import ScriptedRouter


async def test_search_qa_evaluator():
    evaluator = SearchQAEvaluator(ai_router=ScriptedRouter(verdict()))
    result = await evaluator.evaluate(
        question=QUESTION, context_notes=NOTES, note_titles=TITLES, ai_response=ANSWER, lang="ko"
    )
    assert (result.correctness, result.utility) == (0.9, 0.8)


async def test_quality_gate():
    gate = QualityGate(ai_router=ScriptedRouter(ticks("+++-")))
    result = await gate.evaluate(
        feature="search_qa", question=QUESTION, ai_response=ANSWER, lang="ko"
    )
    assert result.pass_ratio == 0.75


async def test_quality_evaluator():
    result = await QualityEvaluator(ScriptedRouter(samples.evaluation())).evaluate(
        user_query=samples.QUESTION,
        answer="혈당을 낮춥니다.",
        retrieved_docs=[],
        profile_summary=None,
        previous_feedback=None,
    )
    assert not result.heuristic


async def test_llm_judge():
    reply = json.dumps({"reasoning": "노트에 있음", "score": 0.9})
    judge = LLMJudge(ScriptedRouter(reply, reply))
    faithful = await judge.score_faithfulness(
        question=QUESTION, answer=ANSWER, context_chunks=NOTES
    )
    relevant = await judge.score_answer_relevancy(question=QUESTION, answer=ANSWER)
    assert (faithful.score, relevant.score) == (0.9, 0.9)


def test_the_prompt_of_the_evaluator():
    system, user = build_messages(AnswerToJudge(QUESTION, ANSWER), b"key")
    assert (system.role, user.role) == ("system", "user")
    assert PROMPT_VERSION.startswith("search-qa-eval-")
