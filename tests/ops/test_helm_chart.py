"""The chart, rendered by Helm itself and checked against the schemas of Kubernetes."""

import os
from typing import Any

import pytest
import yaml

from deployment_parts import CHART, DIGEST, RENDERED, VALUES, chart_digest, rendered

charts = pytest.importorskip("helm_python.chart", reason="helm-python-sdk is not installed")
kubernetes = pytest.importorskip("kubernetes_validate", reason="it is not installed")

OLDEST, NEWEST = "1.27", "1.33"


def render(values: dict[str, Any]) -> str:
    """All manifests in the order of their templates."""
    with charts.Chart.load(CHART) as chart:
        chart.validate_schema(values)
        files = chart.render(values, name="judge", namespace="notes")
    manifests = (text for name, text in sorted(files.items()) if name.endswith(".yaml"))
    return "\n---\n".join(manifests)


@pytest.mark.parametrize("name", VALUES)
def test_renders_what_is_kept(name):
    """RENEW_CHART=1 keeps what is rendered now."""
    kept = RENDERED / f"{name}.yaml"
    text = render(VALUES[name])
    if os.environ.get("RENEW_CHART"):
        kept.write_text(text, encoding="utf-8")
        DIGEST.write_text(chart_digest() + "\n", encoding="utf-8")

    assert list(yaml.safe_load_all(text)) == list(yaml.safe_load_all(kept.read_text("utf-8")))


@pytest.mark.parametrize("version", [OLDEST, NEWEST])
@pytest.mark.parametrize("name", VALUES)
def test_kubernetes_knows_every_field(name, version):
    # Resources of operators have no schema there.
    foreign = ("keda.sh/", "monitoring.coreos.com/")
    ours = [one for one in rendered(name) if not one["apiVersion"].startswith(foreign)]
    assert ours
    for manifest in ours:
        kubernetes.validate(manifest, version, strict=True)


@pytest.mark.parametrize("name", VALUES)
def test_helm_finds_nothing_to_complain_about(name):
    report = charts.lint(CHART, VALUES[name], strict=True)

    assert report["errors"] == []


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"secrets": {"create": {}}}, "API_DATABASE_URL"),
        ({"secrets": {"create": {"REDIS_URL": "http://redis"}}}, "REDIS_URL"),
        ({"api": {"replica": 2}}, "replica"),
        ({"settings": {"OPENAI_API_KEY": "sk"}}, "OPENAI_API_KEY"),
        ({"settings": {"SEARCHQA_JUDGE_MODEL": "offline:rules"}}, "SEARCHQA_JUDGE_MODEL"),
        ({"workers": {"isolated": {"replicas": 2}}}, "isolated"),
        ({"workers": {"live": {"replicas": 0}}}, "replicas"),
    ],
)
def test_wrong_values_are_refused_by_name(values, named):
    with pytest.raises(Exception, match=named):
        render(values)
