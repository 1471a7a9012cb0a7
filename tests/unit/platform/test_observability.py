"""Alerts, dashboard and runbook name only what the code exports and the docs explain."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

# Registers the figures of pools.
import app.platform.db.pool  # noqa: F401
from app.ai_router.limits.states import limit_families
from app.platform import metrics as metrics
from app.platform.metrics import MAX_MODELS, OTHER, REGISTRY, model_label
from deployment_parts import debian_program
from worker.database_metrics import empty_families

ROOT = Path(__file__).parents[3]
PROMETHEUS = ROOT / "deploy" / "prometheus"
ALERTS: dict[str, dict[str, Any]] = {
    rule["alert"]: rule
    for group in yaml.safe_load((PROMETHEUS / "alerts.yml").read_text())["groups"]
    for rule in group["rules"]
}
DASHBOARD: dict[str, Any] = json.loads((ROOT / "deploy" / "grafana" / "searchqa.json").read_text())

_SUFFIXES = {"counter": ["_total"], "histogram": ["_bucket", "_count", "_sum"]}
_NO_METRIC = re.compile(
    r'"[^"]*"|\{[^}]*\}|\[[^]]*\]|\b(?:by|on|without|ignoring)\s*\([^)]*\)|\boffset\s+\w+|\b[\d.]+\w*'
)
_WORDS = frozenset({"and", "or", "unless", "bool"})


def exported() -> set[str]:
    families = [*REGISTRY.collect(), *empty_families().values(), *limit_families(())]
    # By Prometheus itself, for each target.
    names = {"up"}
    for family in families:
        names |= {family.name + suffix for suffix in _SUFFIXES.get(family.type, [""])}
    return names


def named_in(expression: str) -> set[str]:
    """The metrics of an expression: words that are neither labels, functions nor keywords."""
    text = re.sub(r"\b\w+\s*(?=\()", " ", _NO_METRIC.sub(" ", expression))
    return set(re.findall(r"[a-zA-Z_:][\w:]*", text)) - _WORDS


def expressions() -> Iterator[tuple[str, str]]:
    for name, rule in ALERTS.items():
        yield name, rule["expr"]
    for panel in DASHBOARD["panels"]:
        for target in panel.get("targets", ()):
            yield panel["title"], target["expr"]
    for variable in DASHBOARD["templating"]["list"]:
        if variable["type"] == "query":
            yield variable["name"], variable["query"]["query"].replace(", judge_model", "")


def test_expressions_name_what_is_exported():
    names = exported()
    for where, expression in expressions():
        found = named_in(re.sub(r"label_values\((.*)\)", r"\1", expression))
        assert found, where
        assert found <= names, where


def test_what_an_expression_names_is_found():
    expression = 'sum by (le) (rate(a_bucket{b="c"}[5m])) / on (x) d_total offset 1h > 0.5 or e'
    assert named_in(expression) == {"a_bucket", "d_total", "e"}


def test_each_alert_has_its_place_in_the_runbook():
    text = (ROOT / "docs" / "operations.md").read_text()
    explained = re.findall(r"^### (SearchQA\w+)$", text, re.MULTILINE)
    assert explained == list(ALERTS)
    for name, rule in ALERTS.items():
        assert rule["annotations"]["runbook_url"] == f"docs/operations.md#{name.lower()}"
        assert rule["labels"]["severity"] in {"page", "ticket"}
    assert len(re.findall(r"^- \*\*(?:Means|Look|Do|Over)\*\*:", text, re.MULTILINE)) == 4 * len(
        ALERTS
    )


def test_panels_do_not_cover_each_other():
    taken: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        at = panel["gridPos"]
        cells = {(at["x"] + x, at["y"] + y) for x in range(at["w"]) for y in range(at["h"])}
        assert not cells & taken, panel["title"]
        taken |= cells


def test_labels_of_models_are_bounded(monkeypatch):
    monkeypatch.setattr(metrics, "_models", set())
    seen = {model_label(f"openai:bounded-{n}") for n in range(MAX_MODELS + 10)}
    assert OTHER in seen
    assert len(seen) <= MAX_MODELS + 1


# What a healthy system exports for 100 minutes, in samples of 15 s.
_JUDGE = 'judge_model="openai:m"'
HEALTHY = {
    'up{job="searchqa",instance="w"}': "1x400",
    'searchqa_build_info{process="live"}': "1x400",
    "searchqa_dispatcher_last_tick_timestamp_seconds": "0+15x400",
    'searchqa_loop_silence_seconds{instance="w",loop="judge-loop"}': "2x400",
    "searchqa_internal_errors_total": "0x400",
    f'searchqa_oldest_due_seconds{{queue="live",{_JUDGE}}}': "2x400",
    f'searchqa_oldest_due_seconds{{queue="bulk",{_JUDGE}}}': "600x400",
    f'searchqa_attempts_total{{{_JUDGE},outcome="verdict"}}': "0+15x400",
    f'searchqa_attempts_total{{{_JUDGE},outcome="failure"}}': "0x400",
    f'searchqa_attempts_total{{{_JUDGE},outcome="degraded"}}': "0x400",
    f"searchqa_verdicts_in_flight{{{_JUDGE}}}": "3x400",
    f'searchqa_verdict_latency_seconds_bucket{{queue="live",{_JUDGE},le="60"}}': "0+15x400",
    f'searchqa_verdict_latency_seconds_bucket{{queue="live",{_JUDGE},le="120"}}': "0+15x400",
    f'searchqa_verdict_latency_seconds_bucket{{queue="live",{_JUDGE},le="+Inf"}}': "0+15x400",
    'searchqa_reaped_total{task="verdict"}': "0x400",
    f'searchqa_judge_errors_total{{{_JUDGE},error="transient"}}': "0x400",
    f"searchqa_judge_waiting{{{_JUDGE}}}": "4x400",
    f"searchqa_judge_limit_allowance_ratio{{{_JUDGE}}}": "1x400",
    'searchqa_model_cost_dollars_total{model="openai:m"}': "0+0.001x400",
    'searchqa_event_lag_seconds_bucket{le="5"}': "0+15x400",
    'searchqa_event_lag_seconds_bucket{le="10"}': "0+15x400",
    'searchqa_event_lag_seconds_bucket{le="+Inf"}': "0+15x400",
    "searchqa_events_silence_seconds": "1x400",
    'searchqa_oldest_due_job_seconds{kind="embed"}': "5x400",
    "searchqa_webhook_oldest_due_seconds": "1x400",
    "searchqa_webhooks_disabled": "1x400",
    "searchqa_database_up": "1x400",
    "searchqa_database_connections": "40x400",
    "searchqa_database_connections_limit": "100x400",
    'searchqa_pool_waiting{instance="w",pool="judging"}': "0x400",
    'searchqa_pool_timeouts_total{instance="w",pool="judging"}': "0x400",
    "searchqa_publish_failures_total": "0x400",
}
_GROWS = "0+15x400"
_ATTEMPT = f"searchqa_attempts_total{{{_JUDGE},outcome="
_LIVE_OLDEST = f'searchqa_oldest_due_seconds{{queue="live",{_JUDGE}}}'
# What differs where an alert is to fire; "_" is no sample.
FIRES: dict[str, dict[str, str]] = {
    "SearchQAProcessDown": {'up{job="searchqa",instance="w"}': "0x400"},
    "SearchQANoWorker": {'searchqa_build_info{process="live"}': "_x400"},
    "SearchQANoDispatcher": {"searchqa_dispatcher_last_tick_timestamp_seconds": "1200x400"},
    "SearchQALoopHangs": {
        # The process ends itself after 30 s.
        'searchqa_loop_silence_seconds{instance="w",loop="judge-loop"}': "2x377 14 29 stale"
    },
    "SearchQAInternalErrors": {"searchqa_internal_errors_total": _GROWS},
    "SearchQAVerdictsDelayed": {_LIVE_OLDEST: "90x400"},
    "SearchQAQueueStuck": {
        _LIVE_OLDEST: "90x400",
        f'{_ATTEMPT}"verdict"}}': "7x400",
        f"searchqa_verdicts_in_flight{{{_JUDGE}}}": "0x400",
    },
    "SearchQAVerdictsSlow": {
        f'searchqa_verdict_latency_seconds_bucket{{queue="live",{_JUDGE},le="60"}}': "0+10x400"
    },
    "SearchQABulkBehind": {f'searchqa_oldest_due_seconds{{queue="bulk",{_JUDGE}}}': "4000x400"},
    "SearchQAVerdictsFail": {f'{_ATTEMPT}"failure"}}': "0+2x400"},
    "SearchQAVerdictsDegraded": {f'{_ATTEMPT}"degraded"}}': "0+6x400"},
    "SearchQAWorkersDie": {'searchqa_reaped_total{task="verdict"}': _GROWS},
    "SearchQAJudgePaused": {f"searchqa_judge_paused{{{_JUDGE}}}": "1x400"},
    "SearchQAJudgeErrors": {
        f'searchqa_judge_errors_total{{{_JUDGE},error="transient"}}': "0+9x400"
    },
    "SearchQAJudgeLimited": {f"searchqa_judge_limit_allowance_ratio{{{_JUDGE}}}": "0.2x400"},
    "SearchQACostHigh": {'searchqa_model_cost_dollars_total{model="openai:m"}': "0+0.1x400"},
    "SearchQAEventsLate": {"searchqa_events_silence_seconds": "40x400"},
    "SearchQAJobsWait": {'searchqa_oldest_due_job_seconds{kind="embed"}': "900x400"},
    "SearchQAWebhooksLate": {"searchqa_webhook_oldest_due_seconds": "400x400"},
    "SearchQAWebhookDisabled": {"searchqa_webhooks_disabled": "1x300 2x100"},
    "SearchQADatabaseDown": {"searchqa_database_up": "0x400"},
    "SearchQADatabaseConnections": {"searchqa_database_connections": "90x400"},
    "SearchQAPoolExhausted": {'searchqa_pool_timeouts_total{instance="w",pool="judging"}': _GROWS},
    "SearchQABrokerFails": {"searchqa_publish_failures_total": _GROWS},
}
# Fire as well, for the same reason.
_IMPLIED = {"SearchQAQueueStuck": {"SearchQAVerdictsDelayed"}}


def promtool(*arguments: object) -> None:
    program = debian_program("promtool", "prometheus")
    ended = subprocess.run(
        [program, *map(str, arguments)], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr


def _case(firing: set[str], **overrides: str) -> dict[str, Any]:
    series = [{"series": name, "values": values} for name, values in (HEALTHY | overrides).items()]
    expected = [{"labels": f'{{alertname="{name}"}}', "value": 1} for name in sorted(firing)]
    asked = 'count by (alertname) (ALERTS{alertstate="firing"})'
    test = {"expr": asked, "eval_time": "95m", "exp_samples": expected}
    return {"interval": "15s", "input_series": series, "promql_expr_test": [test]}


def test_alerts_fire_when_they_must_and_are_silent_else(tmp_path):
    assert set(FIRES) == set(ALERTS)
    cases = [_case(set())]
    cases += [_case({name} | _IMPLIED.get(name, set()), **given) for name, given in FIRES.items()]
    file = tmp_path / "cases.yml"
    rules = str(PROMETHEUS / "alerts.yml")
    # Rules are computed every five minutes, not every minute: a quarter of the work.
    given = {"rule_files": [rules], "evaluation_interval": "5m", "tests": cases}
    file.write_text(yaml.safe_dump(given))

    promtool("check", "rules", rules)
    promtool("check", "config", PROMETHEUS / "prometheus.yml")
    promtool("test", "rules", file)
