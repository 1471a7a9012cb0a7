"""The command line as a shell sees it: output, error and exit code."""

import json
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import httpx
import pytest
import typer

from app.cli import COMMANDS, ask, refine, verdicts
from app.cli.language import _, in_language, word
from scripted_http import EVENT_STREAM, connect_to

Handler = Callable[[httpx.Request], httpx.Response]

# By rules, of a long answer with faults; its texts hold control characters.
VIEW = json.loads((Path(__file__).parents[2] / "data" / "verdict.json").read_text("utf-8"))
ID = VIEW["id"]


LABELS = ("high", "rules_matches", "local_high", "degraded_matches")
CHECKED = {"passed": True, "met": 1, "items": 2, "source": "rules"}
ROW = {name: value for name, value in VIEW.items() if name != "qa_evaluation"}
ROW |= {"confidence": "high", "correctness": 0.9, "utility": 0.75, "quality": CHECKED}
BY_MODEL = {"judged_by": "model", "provider": "openai", "model": "gpt-4o"}


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Callable[[Handler], None]:
    def serve(handler: Handler) -> None:
        for module in (ask, verdicts, refine):
            monkeypatch.setattr(sys.modules[module.__name__], "connect", connect_to(handler))

    return serve


def _summary(name: str) -> str:
    module = import_module(f"app.cli.{COMMANDS[name][2]}")
    found = getattr(module, name.replace("-", "_"))
    if isinstance(found, typer.Typer):
        alone = found.registered_callback is None and found.registered_commands[0].callback
        text = alone.__doc__ if alone else found.info.help
    else:
        text = found.__doc__
    return " ".join(str(text).strip().partition("\n\n")[0].split())


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_each_says_itself(name):
    assert _summary(name) == COMMANDS[name][1]


def test_the_help_lists_no_former_name(run_cli):
    listed = {
        line.split()[1] for line in run_cli("--help").out.splitlines() if line.startswith("│ ")
    }
    assert {"verdicts", "dataset", "run"} <= listed
    assert listed.isdisjoint({"evaluation", "evaluations"})


def test_help_is_quick_because_it_loads_no_command():
    script = (
        "import sys; from app.cli import main; sys.argv = ['searchqa', '--help']\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'kiwipiepy', 'sqlalchemy', 'celery', 'httpx', 'fastapi', 'pydantic'}\n"
        "sys.exit(str(heavy & set(sys.modules)) if heavy & set(sys.modules) else 0)"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    for name in COMMANDS:
        assert name in ended.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["ask", "?"],
        ["notes", "list"],
        ["verdicts", "list"],
        ["api", "GET", "/jobs"],
        ["policy", "show"],
        ["token", "list"],
        ["login"],
        ["psql"],
    ],
)
def test_without_a_server_one_sentence_says_how_to_start_one(run_cli, arguments):
    ended = run_cli(*arguments)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith("searchqa: No stack runs on .searchqa; start it with")
    assert ended.err.count("\n") == 1


@pytest.mark.parametrize(
    ("ended", "said"),
    [
        ({"status": "succeeded", "error": None}, "d v1: 1 test cases."),
        (
            {"status": "failed", "error": "No question was left."},
            "created: No question was left.\n",
        ),
    ],
)
def test_a_generated_dataset_is_named_and_a_failure_is_one_sentence(
    run_cli, monkeypatch, ended, said
):
    made = {"id": ID, "name": "d", "version": 1, "cases": 1, "origin": {}}
    replies = {
        "/notebooks": [{"id": ID, "name": "Lab"}],
        "/evaluation/datasets/generate": {"id": ID},
        "/evaluation/datasets": {"items": [made], "next": None},
    }

    def handler(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/events"):
            text = f"id: 1\nevent: progress\ndata: {json.dumps(ended)}\n\n"
            return httpx.Response(200, text=text, headers=EVENT_STREAM)
        return httpx.Response(200, json=replies[request.url.path])

    monkeypatch.setattr("app.cli.dataset.connect", connect_to(handler))
    shown = run_cli("dataset", "generate", "Lab", "-n", "d ")
    assert said in shown.out + shown.err


def test_no_more_runs_are_compared_than_the_server_takes(run_cli):
    ended = run_cli("run", "compare", *["019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11"] * 8)
    assert (ended.code, ended.out) == (2, "")
    assert "At most 6 runs" in ended.err


def test_a_bad_setting_is_one_sentence(run_cli, monkeypatch):
    monkeypatch.setenv("SEARCHQA_SAMPLE_RATE", "2")
    ended = run_cli("verdicts", "list")
    assert ended.code == 1
    assert "SAMPLE_RATE" in ended.err.upper()
    assert ended.err.count("\n") == 1


def test_a_shown_verdict_says_all_of_it(run_cli, serve):
    in_dialogue = {
        "history": [{"question": "PCR은 무엇인가요?", "answer": "증폭입니다."}],
        "standalone_question": "PCR 변성 온도는 몇 도인가요?",
    }
    serve(lambda _: httpx.Response(200, json=VIEW | BY_MODEL | in_dialogue))
    ended = run_cli("verdicts", "show", ID)
    assert ended.code == 0
    for fragment in (
        "이해한 질문: PCR 변성 온도는 몇 도인가요?",
        "앞선 질문: PCR은 무엇인가요?",
        "● 높은 신뢰도 · 정확성 90% · 유용성 75% · 규칙 체크리스트 1/2 통과",
        "✔ [노트 1] PCR — 인용됨: 95도",
        "· 미인용: [노트 2] 효모",
        "'72도'는 노트에 없음",
        "점: 평가 모델의 인용문이 노트에 없거나 근거가 되지 못함; 평가 모델이 수치가",
        "규칙 체크리스트 1/2 통과:",
        "✘ 출처를 밝혔는가? (없음)",
        "평가: openai:gpt-4o · 12 ms · attempt 2",
        "검색: contextual",
        "classification_search_skipped → contextual_search_started",
        "· [노트 1] 높음, contextual: “변성은 95도에서 한다.” (태그: 라벨_부착)",
        "단계별 평가: 종합 62%, 개선 필요",
        "1 인용 50% (규칙) · 인용한 근거의 관련도 100%",
        "✘ [노트 7] 없는 노트를 인용함",
        "✘ [노트 1] 노트가 뒷받침하지 않음: “95도입니다.”",
        "2 정보 완전성 확인할 것 없음 (모델 대신 규칙: transient: busy)",
        "빠진 정보: 시간",
        "3 근거성 50% (모델)",
        "✔ 95도입니다. ← [노트 1] “변성은 95도”",
        "✘ 72도에서 끝납니다.",
        "4 다음 단계 (긴급도: 보통)",
        "→ 할 일: 라벨 확인하기",
        "→ 물어볼 것: 시간은 얼마인가요?",
    ):
        assert fragment in ended.out
    assert "\x1b" not in ended.out
    assert "\x07" not in ended.out


@pytest.mark.parametrize(
    ("outcome", "fragments", "absent"),
    [
        (
            "matches",
            ("◇ 노트와 일치 · 체크리스트 1/2", "노트와 일치해도 맞는 답변이라는"),
            ("✘ 답변", "개선 필요"),
        ),
        (
            "mismatch",
            (
                "◇ 노트와 어긋남",
                "✘ 답변: 72도에서 끝납니다.",
                "노트 1: 변성은 95도",
                "다른 값입니다",
                "개선 필요",
            ),
            ("근거 이슈",),
        ),
        (
            "undecided",
            ("◇ 규칙으로는 판단할 수 없음", "노트에 근거한 답변입니다."),
            ("체크리스트", "✘ 답변", "개선 필요"),
        ),
        ("rightly_refused", ("◇ 노트에 없다고 바르게 답함",), ("체크리스트", "개선 필요")),
    ],
)
def test_rules_conclude_in_words(run_cli, serve, outcome, fragments, absent):
    issue = "“72도에서 끝납니다.” – 노트에는 다른 값입니다: 72도"
    source = {"note_index": 1, "note_title": "PCR", "cited": True, "quote": "변성은 95도"}
    judged = VIEW["qa_evaluation"] | {
        "outcome": outcome,
        "grounding_issues": [issue],
        "source_coverage": [source | {"relevant_claim": "72도에서 끝납니다."}],
    }
    phases = VIEW["feedback"] | {"needs_improvement": True, "citation": None}
    serve(lambda _: httpx.Response(200, json=VIEW | {"qa_evaluation": judged, "feedback": phases}))
    shown = run_cli("verdicts", "show", ID).out
    assert all(each in shown for each in fragments)
    assert not any(each in shown for each in (*absent, "%"))


@pytest.mark.parametrize(
    ("change", "fragment"),
    [
        ({"status": "failed", "error": "quota exhausted"}, "Judging failed: quota exhausted"),
        ({"status": "skipped", "reason": "no_context"}, "Not judged (skipped): no note matched"),
        ({"status": "queued", "reason": "judge_paused"}, "No verdict yet (queued): the judge is"),
        ({"degraded": True}, "rules judged instead"),
        ({"status": "skipped", "reason": "filtered_language"}, "the policy excludes this language"),
        (
            {
                "status": "queued",
                "reason": "budget_spent",
                "next_attempt_at": "2031-05-10T15:00:00+00:00",
            },
            "today's budget is spent; judging resumes after 2031-05-1",
        ),
        (
            {"fallback_because": "openai:a is paused"},
            "Judged by another model (openai:a is paused)",
        ),
        ({"qa_evaluation": None}, "Rules checklist 1/2 passed"),
    ],
)
def test_what_is_no_full_verdict_is_said_honestly(run_cli, serve, change, fragment):
    serve(lambda _: httpx.Response(200, json=VIEW | {"lang": "en"} | change))
    assert fragment in run_cli("verdicts", "show", ID).out


@pytest.mark.parametrize(
    ("lang", "fragment"),
    [
        ("ko", "답변이 길어 전체 52,000자 가운데 앞부분 47,980자까지만 평가했습니다"),
        ("en", "Only the first 47,980 of the answer's 52,000 characters were judged"),
    ],
)
def test_what_was_not_judged_is_said(run_cli, serve, lang, fragment):
    extent = {"answer_chars": 52_000, "judged_answer_chars": 47_980}
    extent |= {"note_chars": 30_000, "judged_note_chars": 24_000}
    judged = VIEW["qa_evaluation"] | {"extent": extent}
    serve(lambda _: httpx.Response(200, json=VIEW | {"lang": lang, "qa_evaluation": judged}))
    shown = run_cli("verdicts", "show", ID).out
    assert fragment in shown
    assert "24,000" in shown


@pytest.mark.parametrize(
    ("lang", "state", "fragment"),
    [
        ("en", "holds", "Of 100 such answers people find at least 95 right (with 90 % confidence,"),
        ("ko", "holds", "이런 답변 100개 중 95개 이상을 사람도 맞다고 봅니다(신뢰 수준 90%,"),
        ("en", "below", "it holds from a correctness of 0.930 on"),
        ("en", "lapsed", "it was for another judge or an earlier version of this one"),
    ],
)
def test_a_guarantee_is_explained(run_cli, serve, lang, state, fragment):
    guarantee = {"state": state, "precision": 0.95, "confidence": 0.9, "threshold": 0.93}
    guarantee |= {"labels": 240, "calibrated_at": "2026-11-20T12:00:00Z"}
    judged = VIEW["qa_evaluation"] | {"guarantee": guarantee, "probability": 0.97}
    view = VIEW | BY_MODEL | {"lang": lang, "qa_evaluation": judged}
    serve(lambda _: httpx.Response(200, json=view))
    shown = run_cli("verdicts", "show", ID).out
    assert fragment in shown
    assert "97%" in shown
    assert ("240" in shown and "2026-11-20" in shown) is (state == "holds")


def test_json_is_whole_and_unchanged(run_cli, serve):
    serve(lambda _: httpx.Response(200, json=VIEW | {"question": "가" * 3_000}))
    shown = json.loads(run_cli("verdicts", "show", ID, "--json").out)
    assert shown == VIEW | {"question": "가" * 3_000}


def test_a_list_follows_its_pages_up_to_the_limit(run_cli, serve):
    asked: list[dict[str, str]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(dict(request.url.params))
        size = min(int(asked[-1]["limit"]), 200)
        return httpx.Response(200, json={"items": [VIEW] * size, "next": "more"})

    serve(answer)
    ended = run_cli("verdicts", "list", "--limit", "250", "--status", "failed", "--json")
    assert len(json.loads(ended.out)) == 250
    assert asked == [
        {"status": "failed", "limit": "200"},
        {"status": "failed", "limit": "50", "after": "more"},
    ]


@pytest.mark.parametrize("lang", ["ko", "en"])
@pytest.mark.parametrize(
    ("judge", "degraded", "provider"),
    [
        ("model", False, "openai"),
        ("rules", False, "offline"),
        ("rules", True, "offline"),
        ("local", False, "local"),
    ],
)
def test_only_a_model_has_high_confidence(run_cli, serve, lang, judge, degraded, provider):
    sure = VIEW["qa_evaluation"] | {"grounding_issues": [], "flags": []}
    who = {"judged_by": judge, "degraded": degraded, "provider": provider}
    serve(lambda _: httpx.Response(200, json=VIEW | who | {"lang": lang, "qa_evaluation": sure}))
    shown = run_cli("verdicts", "show", ID).out
    found = "matches" if judge == "rules" else "high"
    voice = "high" if judge == "model" else f"{'degraded' if degraded else judge}_{found}"
    with in_language(lang):
        shown_names = [
            name for name in LABELS if f"● {word(name)}" in shown or f"◇ {word(name)}" in shown
        ]
        assert shown_names == [voice]
        assert (f"✔ {_('No grounding issues')}" in shown) is (judge == "model")
        assert (_("The judge model was unavailable; rules judged instead") in shown) is degraded
        limits = [name for name in ("rules_limits", "local_limits") if word(name)[:40] in shown]
    assert limits == ([] if judge == "model" else [f"{judge}_limits"])


@pytest.mark.parametrize(
    ("who", "cell"),
    [
        ({"judged_by": "model"}, " high "),
        ({"judged_by": "local"}, "local: supported"),
        ({"judged_by": "rules", "outcome": "matches"}, "rules: match "),
        ({"judged_by": "rules", "outcome": "undecided"}, "rules: cannot tell  -  "),
        # Of a server that is older than this command.
        ({"judged_by": "rules", "degraded": True}, "degraded, rules: match "),
    ],
)
def test_a_list_says_who_judged_and_how_the_checklist_went(run_cli, serve, who, cell):
    serve(lambda _: httpx.Response(200, json={"items": [ROW | who], "next": None}))
    listed = run_cli("verdicts", "list").out
    assert cell in listed
    assert " 1/2 " in listed


def test_a_newcomer_hears_once_where_notes_and_judges_come_from(run_cli, serve, tmp_path):
    notes, verdicts_by_rules = 0, 4
    (tmp_path / ".searchqa").mkdir()

    def answer(request: httpx.Request) -> httpx.Response:
        match request.url.path:
            case "/notebooks":
                return httpx.Response(200, json=[{"name": "Lab", "id": "n1", "notes": notes}])
            case "/qa-evaluations":
                return httpx.Response(200, json={"items": [ROW] * verdicts_by_rules, "next": None})
            case "/ai/stream":
                stream = 'event: metadata\ndata: {"matched_notes": []}\n\ndata: [DONE]\n\n'
                return httpx.Response(200, text=stream, headers=EVENT_STREAM)
        raise AssertionError(request.url.path)

    serve(answer)
    asking = ("ask", "변성 온도는?", "--no-wait")
    output = run_cli(*asking).out
    assert "searchqa notes import FOLDER\n  searchqa notes samples\n" in output
    assert "JUDGE_MODEL" not in output, "four verdicts are too few"
    notes, verdicts_by_rules = 3, 5
    output = run_cli(*asking).out
    assert "searchqa notes" not in output
    assert "export OPENAI_API_KEY=…\n  SEARCHQA_JUDGE_MODEL=openai:gpt-6-luna searchqa up" in output
    assert "JUDGE_MODEL" not in run_cli(*asking).out


def test_asking_as_json_holds_answer_and_verdict(run_cli, serve):
    bodies: list[dict[str, object]] = []
    stream = (
        'event: metadata\ndata: {"matched_notes": []}\n\ndata: {"chunk": "95도"}\n\n'
        f'data: [DONE]\n\nevent: evaluation\ndata: {{"id": "{ID}", "status": "queued"}}\n\n'
    )

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/notebooks":
            return httpx.Response(200, json=[{"name": "Lab", "id": "n1"}])
        if request.url.path == "/ai/stream":
            bodies.append(json.loads(request.content))
            return httpx.Response(200, text=stream, headers=EVENT_STREAM)
        if request.url.path.endswith("/events"):
            state = f'id: 1-1\nevent: evaluation\ndata: {{"id": "{ID}", "status": "failed"}}\n\n'
            return httpx.Response(200, text=state, headers=EVENT_STREAM)
        return httpx.Response(200, json=VIEW | {"status": "failed"})

    serve(answer)
    ended = run_cli("ask", "변성 온도는?", "--notebook", "Lab", "--json")
    result = json.loads(ended.out)
    assert (ended.code, result["answer"], result["evaluation"]["status"]) == (1, "95도", "failed")
    options = {"notebook_id": "n1"}
    assert bodies == [{"feature": "search_qa", "content": "변성 온도는?", "options": options}]
    missing = run_cli("ask", "변성 온도는?", "--notebook", "Home")
    assert missing.err == "searchqa: There is no notebook 'Home'; there are: Lab.\n"


FIRST = {
    "position": 0,
    "query": "변성 온도는?",
    "documents": [{"title": "PCR"}],
    "answer": "95도입니다.",
    "overall_score": 0.42,
    "grounding": 0.4,
    "completeness": 0.3,
    "accuracy": 0.7,
    "heuristic": False,
    "missing_info": ["시간"],
    "searched": True,
    "rewritten_by": None,
    "needs_retrieval": True,
    "correctness": None,
    "utility": None,
    "verdict_error": None,
    "calls": 1,
}
SECOND = FIRST | {"position": 1, "query": "변성 온도와 시간은?", "overall_score": 0.92}
NO_ANSWER = SECOND | {"answer": None, "overall_score": None}
ENDED = {
    "status": "succeeded",
    "error": None,
    "correctness_lift": None,
    "utility_lift": None,
    "targeted_retrieval": None,
    "first_precision": None,
    "last_precision": None,
    "first_recall": None,
    "last_recall": None,
    "relevance": None,
}


@pytest.mark.parametrize(
    ("iterations", "end", "message"),
    [
        (
            [FIRST, SECOND],
            {"stop_reason": "threshold", "best_iteration": 1, "lift": 0.5},
            "✔ 답변의 품질이 기준에 이르러 마쳤습니다. 1회차의 답변이 처음보다 0.50 낫습니다.",
        ),
        (
            [FIRST],
            {"stop_reason": "threshold", "best_iteration": 0, "lift": None},
            "○ 답변의 품질이 기준에 이르러 마쳤습니다. 첫 답변을 그대로 둡니다.",
        ),
        (
            [FIRST, NO_ANSWER],
            {"stop_reason": "same_documents", "best_iteration": 0, "lift": None},
            "○ 다시 쓴 질의로도 같은 문서만 찾아 마쳤습니다. 첫 답변을 그대로 둡니다.",
        ),
        (
            [FIRST, SECOND],
            {"stop_reason": "no_gain", "best_iteration": 0, "lift": 0.0},
            "○ 새 답변이 더 낫지 않아 마쳤습니다. 첫 답변보다 나은 답변이 없습니다.",
        ),
        (
            [FIRST],
            {
                "stop_reason": None,
                "best_iteration": None,
                "lift": None,
                "status": "failed",
                "error": "permanent: content filter",
            },
            "✘ 개선하지 못했습니다: permanent: content filter",
        ),
    ],
)
def test_an_improvement_tells_each_round_and_why_it_stopped(
    run_cli, serve, iterations, end, message
):
    view = {"id": ID} | ENDED | end | {"iterations": iterations}
    about_the_evaluation = f"/qa-evaluations/{ID}"
    serve(
        lambda request: httpx.Response(
            200, json=VIEW if request.url.path == about_the_evaluation else view
        )
    )

    ended = run_cli("refine", ID)

    assert ended.code == (1 if end.get("status") == "failed" else 0)
    assert "종합 0.42 · 근거성 0.40 · 완전성 0.30 · 정확성 0.70" in ended.out
    assert ("1회차" in ended.out) is (len(iterations) > 1)
    assert ended.out.rstrip().endswith(message)


def test_an_improvement_that_began_by_itself_is_shown_without_beginning_one(run_cli, serve):
    second = SECOND | {
        "searched": False,
        "heuristic": True,
        "needs_retrieval": False,
        "correctness": 0.9,
        "utility": 0.8,
    }
    measured = {"correctness_lift": 0.5, "utility_lift": -0.1, "targeted_retrieval": 0.5}
    measured |= {"relevance": "words"}
    end = {"stop_reason": "threshold", "best_iteration": 1, "lift": 0.5, "automatic": True}
    view = {"id": "r"} | ENDED | measured | end | {"iterations": [FIRST, second]}
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.method)
        of = {f"/qa-evaluations/{ID}": VIEW | {"refinement": view}, "/refinements/r": view}
        return httpx.Response(200, json=of.get(request.url.path, [view]))

    serve(answer)

    shown, verdict = run_cli("refine", ID, "--show"), run_cli("verdicts", "show", ID)

    assert set(asked) == {"GET"}
    for line in (
        "같은 노트로 답변만 다시 썼습니다.",
        "(모델 없이 어림한 점수)",
        "찾은 노트로 충분합니다.",
        "첫 답변의 평가 모델: 정확성 0.90 · 유용성 0.80",
        "같은 평가 모델의 점수 변화: 정확성 +0.50 · 유용성 -0.10",
        "부족한 정보를 찾은 비율 50% · 관련 여부는 낱말로 어림 · 모델 호출 2회",
    ):
        assert line in shown.out
    assert "↻ 자동 개선: 1회차의 답변이 처음보다 0.50 낫습니다." in verdict.out
    assert f"searchqa refine {ID} --show" in " ".join(verdict.out.split())


def test_there_is_nothing_to_show_before_an_improvement(run_cli, serve):
    serve(lambda request: httpx.Response(200, json=VIEW if request.url.path.endswith(ID) else []))

    ended = run_cli("refine", ID, "--show")

    assert (ended.code, ended.out) == (1, "")
    assert "이 답변을 개선한 기록이 없습니다" in ended.err
