"""A workspace in which something has happened: notes, four weeks of answers with their verdicts,
what people say of them, and a dataset with a run over it. All verdicts are those of the rules."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

import app.notes.samples
from cases import eventually
from live_stack import LiveStack

NOTES = Path(app.notes.samples.__file__).parent / "laboratory" / "ko"
WORKSPACE = "sample"
DAYS = 28
FULL_RAG = {"evaluation_type": "full_rag"}

ASKED = [
    "PCR 어닐링 온도와 시간은 어떻게 설정하나요?",
    "CO2 배양기의 온도와 습도 설정값은 얼마인가요?",
    "3월 정기 회의에서 시약 주문은 언제 하기로 정했나요?",
    "출장 숙박비는 1박에 얼마까지 정산되나요?",
    "폐액은 몇 가지로 나누어 모으나요?",
    "TAE 버퍼는 실온에서 얼마 동안 쓸 수 있나요?",
    "초저온 냉동고 문은 얼마 동안 열어도 되나요?",
    "원심분리기 로터의 제조사는 어디인가요?",
]

# What a page must bear without getting wider: words, and a word without an end.
LONG_TITLE = "실험실 배양기 점검과 폐액 처리, 시약 주문에 관한 아주 자세한 표준 작업 절차서 " * 4
LONG_WORD = f"https://notes.example.org/{'standard-operating-procedure-' * 5}v12"

# Of another application: title of the note, question, answer. Some say what no note says.
ANSWERS = [
    (
        "PCR 반응 조건 (표준 프로토콜)",
        "PCR 변성은 몇 도에서 얼마 동안 하나요?",
        "변성은 95도에서 30초 동안 합니다. [노트 1] 어닐링은 72도에서 5분 동안 합니다. [노트 1]",
    ),
    (
        "초저온 냉동고 사용 수칙",
        "정전이 되면 냉동고를 어떻게 하나요?",
        "문을 열지 말고 드라이아이스 20 kg을 맨 위 선반에 넣습니다. [노트 1]",
    ),
    (
        "국내 출장비 정산 규정",
        "출장비 정산 서류는 언제까지 내나요?",
        "출장에서 돌아온 날부터 30일 안에 냅니다. [노트 1] 영수증 원본은 5년간 보관합니다.",
    ),
    (
        "실험실 폐액 처리",
        "폐액 통은 어디까지 채우나요?",
        "폐액 통은 80%까지만 채웁니다. [노트 1] 수거는 매주 금요일 오전에 합니다. [노트 2]",
    ),
    (
        "CO2 배양기 설정과 점검",
        "배양기 물받이는 얼마나 자주 가나요?",
        "물받이에는 멸균 증류수 2 L를 채우고 매주 월요일에 갑니다. [노트 1]",
    ),
]


@dataclass(frozen=True)
class Sample:
    """Pages below /ui that show one thing each, and the token that made them."""

    token: str
    evaluation: str
    note: str
    dataset: str
    run: str
    comparison: str
    bench: str
    panel: str
    playground: str


@dataclass(frozen=True)
class LongSample:
    """Pages below /ui of things with long titles."""

    long_evaluation: str
    long_note: str
    long_run: str


async def fill(stack: LiveStack) -> Sample:
    token = await stack.token(WORKSPACE)
    await import_notes(stack, token)
    async with stack.client(token) as client:
        notes = {note["title"]: note for note in (await got(client, "/notes?limit=100"))["items"]}
        ids = await _answers(client, notes)
        await _judged(stack)
        await _over_days(stack)
        await _opinions(client, ids)
        notebook = next(iter(notes.values()))["notebook_id"]
        dataset, runs = await _runs(
            client, notebook, "실험실 질문", {"retrieval": "evidence"}, FULL_RAG
        )
        bench = await _bench(client)
    return Sample(
        token,
        evaluation=f"/evaluations/{ids[2]}",
        note=f"/notes/{notes['CO2 배양기 설정과 점검']['id']}",
        dataset=f"/datasets/{dataset}",
        run=f"/runs/{runs[1]}",
        comparison=f"/runs/compare?a={runs[0]}&b={runs[1]}",
        bench=f"/benches/{bench}",
        panel=f"/evaluations?open={ids[2]}",
        playground=f"/playground?evaluation={ids[2]}",
    )


async def import_notes(stack: LiveStack, token: str) -> None:
    user = {"SEARCHQA_URL": stack.info.api_url, "SEARCHQA_TOKEN": token}
    await stack.succeed("notes", "import", str(NOTES), "--notebook", "실험실", **user)


async def got(client: httpx.AsyncClient, path: str) -> dict[str, Any]:
    return (await client.get(path)).raise_for_status().json()


async def sent(client: httpx.AsyncClient, path: str, body: dict[str, Any]) -> dict[str, Any]:
    return (await client.post(path, json=body)).raise_for_status().json()


async def _answers(client: httpx.AsyncClient, notes: dict[str, Any]) -> list[str]:
    """Six of each; the ids of the verdicts on what another application said."""

    async def ask(question: str) -> None:
        await sent(client, "/ai/chat", {"feature": "search_qa", "content": question})

    async def store_answer(title: str, question: str, answer: str) -> str:
        note = await got(client, f"/notes/{notes[title]['id']}")
        source = {"title": title, "content": note["content"]}
        body = {"question": question, "answer": answer, "sources": [source]}
        return str((await sent(client, "/qa-evaluations", body))["id"])

    await asyncio.gather(*(ask(question) for question in ASKED * 6))
    return list(await asyncio.gather(*(store_answer(*each) for each in ANSWERS * 6)))


async def add_long_titles(stack: LiveStack, sample: Sample) -> LongSample:
    """Beside the others: a note, an answer with its verdict, a dataset and a run over it."""
    async with stack.client(sample.token) as client:
        titles = [LONG_TITLE.strip(), LONG_WORD]
        content = f"배양기는 37도로 맞춘다. 자세한 것은 {LONG_WORD} 에 있다."
        notes = [
            {"title": title, "content": content, "tags": [LONG_WORD[:100]], "category": LONG_WORD}
            for title in titles
        ]
        await sent(client, "/notes/import", {"notebook": LONG_TITLE.strip(), "notes": notes})
        asked = {
            "question": f"{LONG_TITLE * 5} {LONG_WORD}",
            "answer": f"배양기는 55도로 맞춥니다. [노트 1] {LONG_WORD} 를 보세요. [노트 2]",
            "sources": [{"title": title, "content": content} for title in titles],
        }
        evaluation = (await sent(client, "/qa-evaluations", asked))["id"]
        await _judged(stack)
        found = (await got(client, "/notes?limit=100"))["items"]
        note = next(note for note in found if note["title"] == LONG_WORD)
        _, (run,) = await _runs(client, note["notebook_id"], LONG_TITLE.strip(), FULL_RAG)
    return LongSample(f"/evaluations/{evaluation}", f"/notes/{note['id']}", f"/runs/{run}")


async def _judged(stack: LiveStack) -> None:
    async def none_waits() -> bool:
        final = "('succeeded', 'skipped', 'failed')"
        return not await stack.rows(f"SELECT id FROM qa_evaluations WHERE status NOT IN {final}")

    await eventually(none_waits)


async def _over_days(stack: LiveStack) -> None:
    """Every answer as if it had been asked on another of the days, with all that followed it."""
    shifted = {
        "qa_answers": ("id", ["created_at"]),
        "qa_evaluations": ("answer_id", ["answered_at", "created_at", "started_at", "finished_at"]),
    }
    # The driver takes a lone percent sign for a parameter.
    ago = f"make_interval(days => s.at %% {DAYS}, mins => (s.at * 37) %% 480)"
    numbers = "SELECT a.id, (row_number() OVER (ORDER BY md5(question || a.id)))::int AS at"
    here = f"qa_answers a JOIN workspaces w ON w.id = a.workspace_id AND w.name = '{WORKSPACE}'"
    for table, (key, columns) in reversed(shifted.items()):
        changes = ", ".join(f"{column} = t.{column} - {ago}" for column in columns)
        await stack.rows(
            f"UPDATE {table} t SET {changes} FROM ({numbers} FROM {here}) s"
            f" WHERE t.{key} = s.id RETURNING t.id"
        )


async def _opinions(client: httpx.AsyncClient, ids: list[str]) -> None:
    for number, id_ in enumerate(ids[:12]):
        label = ("partly", "right", "wrong", "partly", "right")[number % 5]
        await sent(client, f"/qa-evaluations/{id_}/feedback", {"label": label})


async def _bench(client: httpx.AsyncClient) -> str:
    """The rules on what people have labelled."""
    id_ = (await sent(client, "/evaluation/judge-benches", {"judges": ["offline:rules"]}))["id"]

    async def ended() -> bool:
        found = await got(client, f"/evaluation/judge-benches/{id_}/progress")
        return bool(found["status"] == "completed")

    await eventually(ended)
    return str(id_)


async def _runs(
    client: httpx.AsyncClient, notebook_id: str, name: str, *bodies: dict[str, str]
) -> tuple[str, list[str]]:
    generate = {"name": name, "notebook_id": notebook_id, "max_chunks_sample": 12}
    job = await sent(client, "/evaluation/datasets/generate", generate)

    async def generated() -> bool:
        return bool((await got(client, f"/jobs/{job['id']}"))["status"] == "succeeded")

    await eventually(generated)
    dataset = (await got(client, "/evaluation/datasets"))["items"][0]["id"]
    runs = []
    for body in bodies:
        run = await sent(client, f"/evaluation/datasets/{dataset}/runs", body)
        runs.append(run["id"])

    async def ended() -> bool:
        found = (await got(client, "/evaluation/runs"))["items"]
        return all(run["status"] == "completed" for run in found)

    await eventually(ended)
    return dataset, runs
