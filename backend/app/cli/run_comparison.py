"""Two runs side by side, in words and figures."""

from operator import itemgetter

from rich.text import Text

from app.cli.output import View, console, print_rows, table

MAX_FLIPPED = 20


def show_comparison(comparison: View) -> None:
    """Prints the reply of `GET /evaluation/runs/{id}/compare/{other}`."""
    out = console()
    shown = table("mean", "first", "second", "difference", "95 % interval", "p", "cases")
    for each in comparison["differences"]:
        interval = "-" if each["low"] is None else f"[{each['low']:+.4f}, {each['high']:+.4f}]"
        shown.add_row(
            each["name"],
            f"{each['first']:.4f}",
            f"{each['second']:.4f}",
            f"{each['difference']:+.4f}{' *' if each['significant'] else ''}",
            interval,
            "-" if each["p_value"] is None else f"{each['p_value']:.4f}",
            f"{each['cases']:,}",
        )
    out.print(shown)
    out.print(Text("* statistically significant (p < 0.05)", "dim"))
    for name, unit in (("cost_usd", "$"), ("latency_ms", "ms a case")):
        first, second = comparison[f"first_{name}"], comparison[f"second_{name}"]
        if first is not None and second is not None:
            out.print(f"{unit}: {first:,.4f} and {second:,.4f}")
    searches = [comparison[f"{which}_retrieval"] for which in ("first", "second")]
    if len(set(searches)) > 1:
        out.print(f"search: {searches[0]} and {searches[1]}")
    lost = comparison["only_first"] + comparison["only_second"]
    if lost:
        out.print(Text(f"{lost:,} questions occur in only one run and are not compared.", "yellow"))
    if comparison["flipped"]:
        out.print(f"Cases that flipped: {len(comparison['flipped']):,}")
        columns = (("mean", itemgetter("name")), "first", "second", "question")
        print_rows(comparison["flipped"][:MAX_FLIPPED], *columns, as_json=False)
