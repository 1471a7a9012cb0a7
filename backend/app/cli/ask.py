"""`searchqa ask`: a question, its answer as it streams, and its verdict."""

import json
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any, Literal

import typer
from pydantic import ValidationError
from searchqa_client import Api, ServerEvent
from searchqa_client.errors import problem_of_document

from app.ai_router.types import Lang
from app.answering.profile import SLOT_LABELS, Feature, Slots
from app.cli.language import _, choose_language, chosen_language, in_language
from app.cli.output import AsJson, NotebookName, console, print_json, printable
from app.cli.server import connect, is_final, notebook_id
from app.cli.verdict_view import not_stored, show_explanation, show_verdict
from app.platform.errors import SetupError
from app.platform.settings import get_settings
from app.text.language import detect_language
from app.verdicts.answers.attributes import TEXT_LIMITS
from app.verdicts.status import Status, WaitReason

_ANSWERED = "[DONE]"
_WAITING = frozenset({Status.QUEUED, Status.RETRYING})


@dataclass
class Asked:
    """The outcome of a question.

    evaluation: the reply of `GET /qa-evaluations/{id}`; None without waiting for the verdict, or
    when the answer could not be stored. judge_paused: why its judge is paused; the verdict follows
    once the judge is resumed.
    """

    answer: str = ""
    matched_notes: list[dict[str, Any]] = field(default_factory=list)
    evaluation_id: str | None = None
    evaluation: dict[str, Any] | None = None
    judge_paused: str | None = None


def ask_question(
    client: Api,
    body: Mapping[str, Any],
    *,
    wait: bool = True,
    on_chunk: Callable[[str], object] = lambda _: None,
    on_answered: Callable[[Asked], object] = lambda _: None,
) -> Asked:
    """Asks, and waits for the verdict unless `wait` is false.

    on_chunk receives each piece of the answer, on_answered is called when it is complete.
    Raises Problem when the answer model failed, SetupError when the answer broke off.
    """
    asked = Asked()
    pieces: list[str] = []
    with closing(client.events("/ai/stream", dict(body))) as events:
        for piece in _pieces(events, asked):
            pieces.append(piece)
            on_chunk(piece)
        asked.answer = "".join(pieces)
        on_answered(asked)
        asked.evaluation_id = _evaluation_id(events)
    if asked.evaluation_id and wait:
        path = f"/qa-evaluations/{asked.evaluation_id}"
        asked.judge_paused = _wait(client, path)
        asked.evaluation = client.get(path)
    return asked


def _pieces(events: Iterator[ServerEvent], asked: Asked) -> Iterator[str]:
    """The text up to the end marker."""
    for event in events:
        if event.name == "metadata":
            asked.matched_notes = json.loads(event.data)["matched_notes"]
        elif event.name == "error":
            raise problem_of_document(json.loads(event.data))
        elif event.name == "message" and event.data == _ANSWERED:
            return
        elif event.name == "message":
            yield json.loads(event.data)["chunk"]
    raise SetupError(_("The answer broke off before its end; ask again."))


def _evaluation_id(events: Iterator[ServerEvent]) -> str | None:
    """The id follows the answer; None for an answer that could not be stored."""
    for event in events:
        if event.name == "evaluation":
            stored: dict[str, Any] = json.loads(event.data)
            return stored.get("id")
    return None


def _wait(client: Api, path: str) -> str | None:
    """Waits for the final state, except while the daily budget is spent or the judge is paused;
    returns why it is paused. The answer's own stream does not report a pause."""
    for event in client.follow(f"{path}/events", is_final):
        state = json.loads(event.data) if event.name == "evaluation" else {}
        if state.get("status") in _WAITING:
            if state.get("reason") == WaitReason.BUDGET_SPENT:
                return None
            judge_model = client.get(path)["judge_model"]
            for pause in client.get("/judges/paused"):
                if pause["judge_model"] == judge_model:
                    return str(pause["reason"])
    return None


Profile = Annotated[
    str | None, typer.Option("--profile", help="About the asker; leads the improvement of answers.")
]
SlotValues = Annotated[
    list[str] | None,
    typer.Option(
        "--slot",
        metavar="NAME=VALUE",
        help="age, sex, conditions or medications of the asker (나이, 성별, 질환, 약물); repeat it"
        " for several.",
    ),
]
Classified = Annotated[
    str | None,
    typer.Option(
        "--classification",
        metavar="MAJOR[/MINOR]",
        help="What the question is about; its notes are searched first.",
    ),
]


ConversationName = Annotated[
    str | None,
    typer.Option(
        "--conversation",
        metavar="NAME",
        help="A conversation of yours, by a name of your choice or its id; the question may refer"
        " to those before it.",
    ),
]


def conversation_id(name: str) -> str:
    """That of the id, or the one that a name always has."""
    try:
        return str(uuid.UUID(name))
    except ValueError:
        return str(uuid.uuid5(uuid.NAMESPACE_OID, f"searchqa:{name}"))


AttributeOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--attribute",
        metavar="NAME=VALUE",
        help="app_version, environment, user_ref, session_id, tag or an own key; repeatable.",
    ),
]


def attributes_of(given: Sequence[str] | None) -> dict[str, Any]:
    """The attributes as the API takes them. Raises BadParameter."""
    known: dict[str, Any] = {}
    tags, own = [], {}
    for each in given or ():
        name, equals, value = each.partition("=")
        if not equals or not name or not value:
            raise typer.BadParameter(f"{each!r} is not NAME=VALUE.", param_hint="--attribute")
        if name == "tag":
            tags.append(value)
        elif name in TEXT_LIMITS:
            known[name] = value
        else:
            own[name] = value
    return known | {"tags": tags, "attributes": own}


def slots_of(given: Sequence[str] | None) -> dict[str, Any] | None:
    """The slots as the API takes them. Raises BadParameter for one that there is not."""
    if not given:
        return None
    english = {label: name for name, labels in SLOT_LABELS.items() for label in labels.values()}
    slots: dict[str, Any] = {}
    for each in given:
        name, equals, value = (part.strip() for part in each.partition("="))
        known = english.get(name)
        if not equals or not value or known is None:
            raise typer.BadParameter(
                f"{each!r} is not NAME=VALUE; the names are {', '.join(english)}."
            )
        if known in {"conditions", "medications"}:
            slots.setdefault(known, []).append(value)
        elif known in slots:
            raise typer.BadParameter(f"{name} is given twice; name it once.")
        else:
            slots[known] = value
    try:
        return Slots.model_validate(slots).model_dump(mode="json", exclude_defaults=True)
    except ValidationError as error:
        what = error.errors()[0]
        raise typer.BadParameter(f"{what['loc'][0]}: {what['msg']}.") from None


def classification_of(given: str | None) -> dict[str, str] | None:
    """The classification as the API takes it. Raises BadParameter for an empty one."""
    if given is None:
        return None
    major, slash, minor = (part.strip() for part in given.partition("/"))
    if not major or (slash and not minor):
        raise typer.BadParameter(f"{given!r} is not MAJOR or MAJOR/MINOR.")
    return {"major_category": major} | ({"minor_category": minor} if minor else {})


_SUCCESSFUL = frozenset({Status.SUCCEEDED, Status.SKIPPED})
# Verdicts by rules before `ask` names the other judges, and the file of the data folder that says
# that it has.
_RULES_VERDICTS = 5
_HINTED = "model-judge.hinted"


def model_judge_hint() -> Iterator[str]:
    """How a model judges instead of rules, as lines."""
    yield _("Rules compare words. For a judge that reads the answers, stop SearchQA and run:")
    yield "  export OPENAI_API_KEY=…"
    yield "  SEARCHQA_JUDGE_MODEL=openai:gpt-6-luna searchqa up"


def _hints(client: Api, asked: Asked) -> Iterator[str]:
    """What helps a newcomer on: where notes come from; and, once in the life of a data folder, how
    a model judges."""
    if not asked.matched_notes and not any(book["notes"] for book in client.get("/notebooks")):
        yield _("There are no notes to answer from yet. Import yours, or load samples:")
        yield "  searchqa notes import FOLDER"
        yield "  searchqa notes samples"
    settings = get_settings()
    mark = settings.stack.data_dir / _HINTED
    # Another server is configured by others.
    if settings.cli.url or mark.exists():
        return
    newest = client.items("/qa-evaluations", _RULES_VERDICTS, status=Status.SUCCEEDED.value)
    by_rules = sum(view["judged_by"] == "rules" and not view["degraded"] for view in newest)
    if by_rules == _RULES_VERDICTS:
        with suppress(OSError):
            mark.touch()
        yield from model_judge_hint()


def ask(
    question: Annotated[str, typer.Argument(help="The question.")],
    feature: Annotated[
        Feature, typer.Option(help="search_qa answers from notes.")
    ] = Feature.SEARCH_QA,
    mode: Annotated[
        Literal["search"] | None, typer.Option(help="With --feature insight: answer from notes.")
    ] = None,
    notebook: NotebookName = None,
    lang: Annotated[
        Lang | None,
        typer.Option(help="Language of the answer and of messages; by default the question's."),
    ] = None,
    profile: Profile = None,
    slot: SlotValues = None,
    classification: Classified = None,
    conversation: ConversationName = None,
    attribute: AttributeOptions = None,
    wait: Annotated[bool, typer.Option(help="Wait for the verdict after the answer.")] = True,
    explain: Annotated[
        bool, typer.Option("--explain", help="Also show search, phases, claims and next steps.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Ask a question; the answer streams at once, its verdict follows in seconds.

    Exit code 1 when there is no answer, when judging failed, or when the verdict waits for a
    paused judge or for tomorrow's budget.

    Examples:

    searchqa ask "PCR 변성 온도는 몇 도인가요?"

    searchqa ask --explain "플라스틱 용기는 어떻게 버리나요?"

    searchqa ask "How long is the annealing step?" --notebook "Lab" --json

    searchqa ask "메트포르민의 부작용은?" --slot 나이=60 --slot 질환=당뇨병 --profile "운동을 즐김"

    searchqa ask "어떻게 버리나요?" --classification 재활용폐기물/플라스틱

    searchqa ask "교환은 며칠 안에 되나요?" --attribute app_version=1.4.2 --attribute tag=beta

    searchqa ask "그럼 겨울에는?" --conversation 매장

    searchqa ask "Summarise my notes on yeast" --feature insight --mode search --no-wait
    """

    def print_piece(piece: str) -> None:
        if not json:
            typer.echo(printable(piece), nl=False)

    slots, classified = slots_of(slot), classification_of(classification)
    if lang is not None:
        choose_language(lang)
    asked_in = chosen_language() or detect_language(question)
    with connect(lang=asked_in) as client:
        options = {
            "mode": mode,
            "notebook_id": notebook and notebook_id(client, notebook),
            "profile": profile,
            "slots": slots,
            "classification": classified,
            "conversation_id": conversation and conversation_id(conversation),
            **attributes_of(attribute),
        }
        body = {
            "feature": feature.value,
            "content": question,
            "options": {name: value for name, value in options.items() if value},
            **({"lang": lang} if lang else {}),
        }
        asked = ask_question(
            client, body, wait=wait, on_chunk=print_piece, on_answered=lambda _: print_piece("\n\n")
        )
        with in_language(asked_in):
            hints = [] if json else list(_hints(client, asked))
    if json:
        print_json({"question": question, **asdict(asked)})
    else:
        _show(asked, asked_in, explain=explain)
        for number, line in enumerate(hints):
            typer.echo(line if number else f"\n{line}")
    if asked.evaluation and asked.evaluation["status"] not in _SUCCESSFUL:
        raise typer.Exit(1)


def _show(asked: Asked, lang: Lang, *, explain: bool) -> None:
    if asked.evaluation:
        show_verdict(console(), asked.evaluation, lang)
        if asked.judge_paused:
            typer.echo(f"  {asked.evaluation['judge_model']}: {printable(asked.judge_paused)}")
        if explain:
            show_explanation(console(), asked.evaluation, lang)
    elif asked.evaluation_id:
        verdict = _("Verdict")
        typer.echo(f"{verdict}: searchqa verdicts show {asked.evaluation_id}")
    else:
        typer.echo(not_stored(lang))
