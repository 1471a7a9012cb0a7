"""The ways to deploy agree with the code and with each other: Helm chart, compose, systemd."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import jsonschema
import pytest
import yaml

from api_client import openapi_paths
from app.platform.judge_settings import JudgeSettings
from app.platform.settings import variables
from cases import for_each
from deployment_parts import CHART, DIGEST, PASSWORD, ROOT, VALUES, chart_digest, rendered

SYSTEMD = ROOT / "deploy" / "systemd"

# Where the processes of the stack are named apart.
_COMPOSE_NAMES = {"live": "worker"}


def containers(name: str) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Part, container and pod of each workload."""
    for manifest in rendered(name):
        if manifest["kind"] in ("Deployment", "Job"):
            pod = manifest["spec"]["template"]["spec"]
            (container,) = pod["containers"]
            yield container["name"], container, pod


def test_the_kept_manifests_are_of_this_chart():
    renew = "RENEW_CHART=1 make ops-check ARGS='-k renders_what_is_kept'"
    assert chart_digest() == DIGEST.read_text().strip(), f"the chart has changed: {renew}"


def compose() -> dict[str, Any]:
    return yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]


def systemd_commands() -> list[list[str]]:
    """Of each queue and each other process one."""
    texts = [unit.read_text() for unit in SYSTEMD.glob("*.service")]
    lines = [
        line[1] for text in texts if (line := re.search(r"^ExecStart=(.*)$", text, re.MULTILINE))
    ]
    queues = [line.replace("%i", queue) for line in lines for queue in ("live", "bulk")]
    commands = dict.fromkeys(line.removeprefix("/opt/searchqa/.venv/bin/") for line in queues)
    return [without_names(command.split()) for command in commands]


def without_names(command: list[str]) -> list[str]:
    """A command without what a place chooses for itself: addresses, and names of workers."""
    chosen = ("--hostname", "--host", "--port", "--loglevel")
    kept = [
        word for before, word in zip(["", *command], command, strict=False) if before not in chosen
    ]
    return [word for word in kept if word not in chosen]


@for_each("name", VALUES)
def test_chart_and_compose_run_the_same_processes(name):
    services = compose()
    for part, container, _ in containers(name):
        service = services[_COMPOSE_NAMES.get(part, part)]
        assert without_names(container["command"]) == without_names(service["command"].split())
        if "livenessProbe" in container and "exec" in container["livenessProbe"]:
            assert (
                service["healthcheck"]["test"][1:] == container["livenessProbe"]["exec"]["command"]
            )


def test_all_processes_of_compose_are_in_the_chart():
    of_compose = {name for name, one in compose().items() if one.get("image") == "searchqa:local"}
    assert {_COMPOSE_NAMES.get(part, part) for part, *_ in containers("everything")} == of_compose


@for_each("name", VALUES)
def test_variables_of_the_chart_are_settings(name):
    known = set(variables())
    for _, container, _ in containers(name):
        given = {one["name"] for one in container["env"] if one["name"].startswith("SEARCHQA_")}
        assert given <= known


@for_each("name", VALUES)
def test_secrets_come_from_secrets_alone(name):
    for manifest in rendered(name):
        if manifest["kind"] != "Secret":
            assert PASSWORD not in json.dumps(manifest)


def test_each_process_has_only_its_secrets():
    known = {
        part: {
            one["valueFrom"]["secretKeyRef"]["key"]
            for one in container["env"]
            if "valueFrom" in one
        }
        for part, container, _ in containers("everything")
    }
    models = {"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "SEARCHQA_SERVER_KEYS"}
    databases = {f"API{kind}_DATABASE_URL" for kind in ("", "_DIRECT", "_READ")}
    brokers = {"REDIS_URL", "BROKER_URL"}
    worker = {"WORKER_DATABASE_URL"} | brokers
    assert known == {
        "api": databases | brokers | models | {"SEARCHQA_OIDC_CLIENT_SECRET"},
        **dict.fromkeys(("live", "bulk", "isolated"), worker | models),
        "dispatcher": worker,
        "migrate": {"OWNER_DATABASE_URL"},
        "flower": brokers | {"FLOWER_BASIC_AUTH"},
    }


@for_each("name", VALUES)
def test_probes_of_the_chart_ask_what_there_is(name):
    paths = set(openapi_paths())
    (api,) = (container for part, container, _ in containers(name) if part == "api")
    probes = (api[f"{kind}Probe"] for kind in ("startup", "liveness", "readiness"))
    assert {probe["httpGet"]["path"] for probe in probes} <= paths


def test_programs_that_are_run_exist():
    folders = [*(ROOT / "deploy").rglob("*"), *(ROOT / "docs").rglob("*.md")]
    kept = ("Dockerfile", "docker-compose.yml", ".env.example")
    texts = [path.read_text() for path in (*folders, *map(ROOT.joinpath, kept)) if path.is_file()]
    named = {
        name for text in texts for name in re.findall(r"-m[\", ]+((?:app|worker)[\w.]*)", text)
    }
    assert len(named) >= 5
    assert [name for name in sorted(named) if find_spec(name) is None] == []


@for_each("name", VALUES)
def test_pods_may_do_little(name):
    for _, container, pod in containers(name):
        assert pod["automountServiceAccountToken"] is False
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert container["resources"]["limits"]["memory"]


@for_each("name", VALUES)
def test_a_worker_has_the_time_to_stop_that_it_takes(name):
    for part, container, pod in containers(name):
        grace = {one["name"]: one.get("value") for one in container["env"]}.get(
            "SEARCHQA_STOP_GRACE"
        )
        assert (grace is not None) is (part in ("live", "bulk", "isolated"))
        if grace is not None:
            assert int(grace) < pod["terminationGracePeriodSeconds"]
            assert JudgeSettings().deadline_seconds < int(grace)


def test_the_values_of_the_chart_fit_their_schema():
    values = yaml.safe_load((CHART / "values.yaml").read_text())
    schema = json.loads((CHART / "values.schema.json").read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    jsonschema.validate(values, schema)
    assert set(values) == set(schema["properties"]) - {"global"}


def test_systemd_runs_the_processes_of_compose():
    services = compose().items()
    ours = {name: one for name, one in services if one.get("image") == "searchqa:local"}
    expected = [
        without_names(one["command"].split()) for name, one in ours.items() if name != "flower"
    ]

    assert sorted(systemd_commands()) == sorted(expected)


def test_systemd_reads_the_units(tmp_path):
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed: apt-get install systemd")
    shutil.copytree(SYSTEMD, tmp_path, dirs_exist_ok=True)
    for unit in tmp_path.glob("*.service"):
        # Not installed on the machine that runs the tests.
        unit.write_text(
            re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", unit.read_text(), flags=re.MULTILINE)
        )

    units = ["searchqa.target", "searchqa-worker@live.service", "searchqa-migrate.service"]
    ended = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *units],
        env={**os.environ, "SYSTEMD_UNIT_PATH": f"{tmp_path}:"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (ended.returncode, "searchqa" in ended.stderr) == (0, False), ended.stderr
