"""Runs side by side, in words and figures."""

from collections.abc import Iterator
from operator import itemgetter

from rich.text import Text

from app.cli.language import column_title, translated, value_title
from app.cli.output import View, console, printable
from app.cli.tables import print_rows, print_table

MAX_FLIPPED = 20


def show_comparison(comparison: View) -> None:
    """Prints the reply of `GET /evaluation/runs/{id}/compare/{other}`."""
    out = console()
    for which in ("first", "second"):
        out.print(Text(printable(f"{column_title(which)}: {comparison[f'{which}_name']}")))
    figures = ("mean", "first", "second", "difference", "95 % interval", "p", "cases")
    print_table(
        [column_title(name) for name in figures],
        map(_difference, comparison["differences"]),
        last="whole",
    )
    out.print(Text(_significant(), "dim"))
    for name, unit in (("cost_usd", "$"), ("latency_ms", "ms a case")):
        first, second = comparison[f"first_{name}"], comparison[f"second_{name}"]
        if first is not None and second is not None:
            out.print(f"{unit}: {first:,.4f} and {second:,.4f}")
    searches = [comparison[f"{which}_retrieval"] for which in ("first", "second")]
    if len(set(searches)) > 1:
        out.print(f"search: {searches[0]} and {searches[1]}")
    unread = max((each["unread"] for each in comparison["differences"]), default=0)
    for caveat in _caveats(comparison, unread):
        out.print(Text(caveat, "yellow"))
    lost = comparison["only_first"] + comparison["only_second"]
    if lost:
        told = translated(
            f"{lost:,} questions occur in only one run and are not compared.",
            f"질문 {lost:,}개는 한 실행에만 있어 비교하지 않습니다.",
        )
        out.print(Text(told, "yellow"))
    if comparison["flipped"]:
        flipped = translated("Cases that flipped", "결과가 뒤집힌 문항")
        out.print(f"{flipped}: {len(comparison['flipped']):,}")
        change = ("change", lambda each: value_title(each["change"].replace("_", " ")))
        columns = (change, ("mean", itemgetter("name")), "first", "second", "question")
        print_rows(comparison["flipped"][:MAX_FLIPPED], *columns, as_json=False)


def show_baseline_comparison(comparison: View) -> None:
    """Prints the reply of `GET /evaluation/runs/{id}/comparison`. The runs are numbered, because
    their names are too long to head columns."""
    out = console()
    baseline, runs = comparison["baseline"], comparison["runs"]
    out.print(Text(printable(f"{column_title('baseline')}: {baseline['name']}")))
    for number, run in enumerate(runs, start=1):
        out.print(Text(printable(f"{number}: {run['name']}  {run['id']}")))
    headers = ["mean", "cases", "baseline", *(str(number + 1) for number in range(len(runs)))]
    rows = [
        [
            row["name"],
            f"{row['cases']:,}",
            _marked(row["baseline"], row["baseline_mark"]),
            *(_against(row, run["id"]) for run in runs),
        ]
        for row in comparison["metrics"]
    ]
    print_table([column_title(name) for name in headers], rows, last="whole")
    counted = translated(" for this number of runs", ", 실행 수를 감안")
    out.print(Text(_significant(counted), "dim"))
    unread = max((row["unread"] for row in comparison["metrics"]), default=0)
    for number, run in enumerate(runs, start=1):
        for caveat in _caveats(run, unread=0):
            out.print(Text(f"{number}: {caveat}", "yellow"))
    if unread:
        out.print(Text(_unread(unread), "yellow"))


def _difference(each: View) -> list[str]:
    return [
        each["name"],
        f"{each['first']:.4f}",
        f"{each['second']:.4f}",
        f"{each['difference']:+.4f}{' *' if each['significant'] else ''}",
        _interval(each) or "-",
        "-" if each["p_value"] is None else f"{each['p_value']:.4f}",
        f"{each['cases']:,}",
    ]


def _against(row: View, run_id: str) -> str:
    found = next((each for each in row["runs"] if each["run_id"] == run_id), None)
    if found is None:
        return "-"
    star = "*" if found["significant"] else None
    parts = (_marked(found["mean"], found["mark"]), f"{found['difference']:+.4f}", star)
    return " ".join(filter(None, (*parts, _interval(found))))


def _marked(mean: float, mark: str | None) -> str:
    return " ".join(filter(None, (f"{mean:.4f}", mark and f"({value_title(mark)})")))


def _interval(each: View) -> str | None:
    return None if each["low"] is None else f"[{each['low']:+.4f}, {each['high']:+.4f}]"


def _significant(counted: str = "") -> str:
    return translated(
        f"* statistically significant{counted} (p < 0.05)",
        f"* 통계적으로 유의함{counted} (p < 0.05)",
    )


def _caveats(compared: View, unread: int) -> Iterator[str]:
    """What of two runs is not compared, or with care."""
    for each in compared["not_compared"]:
        yield _not_compared(each)
    if changed := compared["notes_changed"]:
        yield translated(
            f"The notes changed between the runs: correct passages of {changed:,} questions existed"
            " in only one of them, so differences in search may come from the notes.",
            f"질문 {changed:,}개는 두 실행 사이에 노트가 바뀌어 정답 문단이 한쪽에만 있었습니다."
            " 검색 지표의 차이는 노트 때문일 수 있습니다.",
        )
    if unread:
        yield _unread(unread)


def _unread(cases: int) -> str:
    return translated(
        f"{cases:,} questions are left out of the means of answers: a reply of the judge could not"
        " be read.",
        f"평가 모델의 응답을 읽지 못한 질문 {cases:,}개는 답변 지표의 비교에서 뺐습니다.",
    )


def _not_compared(refused: View) -> str:
    names = ", ".join(refused["names"])
    reasons = {
        "dataset": (
            "the datasets differ in questions or ground truth",
            "데이터셋의 질문이나 정답 문단이 달라",
        ),
        "k": ("k differs", "k가 달라"),
        "answers": ("only one run generated answers", "한 실행에만 답변이 있어"),
        "judge": ("the answers were scored by different judges", "답변을 평가한 모델이 달라"),
        "prompt": ("the judge prompts differ", "평가 프롬프트가 달라"),
    }
    english, korean = reasons[refused["because"]]
    return translated(
        f"Not compared, because {english}: {names}.", f"{korean} 비교하지 않음: {names}"
    )
