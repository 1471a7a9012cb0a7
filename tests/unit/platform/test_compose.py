"""docker-compose.yml, Dockerfile and .env.example name only what exists."""

import importlib
import importlib.util
import json
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import yaml
from flower.options import default_options as flower_options

from app.cli import COMMANDS
from app.operations.embedded import parts
from app.platform.settings import Settings, variables
from cases import for_each

ROOT = Path(__file__).parents[3]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if "build" in service}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
# Used by compose itself, or by its own health check; not read by the application.
DATABASE_SECRETS = {
    *("POSTGRES_PASSWORD", "POSTGRES_OWNER_PASSWORD"),
    *("POSTGRES_API_PASSWORD", "POSTGRES_WORKER_PASSWORD"),
}
SECRETS = {*DATABASE_SECRETS, "REDIS_PASSWORD", "SEARCHQA_FLOWER_BASIC_AUTH", "SEARCHQA_TOKEN"}
KEYS = {"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "SEARCHQA_SERVER_KEYS"}
COMPOSE_ONLY = {*DATABASE_SECRETS, "REDIS_PASSWORD", "WORKER_NAME"}


def documented_names() -> set[str]:
    example = (ROOT / ".env.example").read_text()
    return set(re.findall(r"^(?:# )?([A-Z_]+)=", example, re.MULTILINE))


def words(service: str) -> list[str]:
    return shlex.split(OURS[service]["command"])


def test_the_stack_is_complete():
    assert set(SERVICES) == {
        *("postgres", "redis", "migrate", "api", "worker", "bulk", "isolated", "dispatcher"),
        *("flower", "prometheus", "grafana"),
    }
    assert OURS["dispatcher"]["deploy"]["replicas"] == 2


@for_each("service", OURS)
def test_every_command_exists(service):
    program, argument, *rest = words(service)
    if program == "searchqa":
        assert program in PROJECT["scripts"]
        assert argument in COMMANDS
        return
    assert (program, argument) == ("python", "-m")
    module = rest[0]
    assert importlib.util.find_spec(module), module


@for_each("service", ["api", "worker", "bulk", "isolated", "dispatcher", "flower"])
def test_containers_run_what_up_runs(service):
    settings = Settings(None, {}, host="0.0.0.0")
    part = {
        "api": lambda: parts.api(settings, {}),
        "worker": lambda: parts.worker(1, settings, {}),
        "bulk": lambda: parts.bulk_worker(settings, {}),
        "isolated": lambda: parts.isolated_worker(settings, {}),
        "dispatcher": lambda: parts.dispatcher({}),
        "flower": lambda: parts.flower(settings, "user:password", {}),
    }[service]()
    ours = " ".join(part.program.command[1:]).replace("worker-1@", "worker@")
    ours = ours.replace("--address=127.0.0.1", "--address=0.0.0.0").replace("--log-level info ", "")
    # The default of a variable is what it stands for when .env does not set it.
    theirs = [re.sub(r"^\$\{\w+:-(.*)\}$", r"\1", word) for word in words(service)[1:]]
    assert ours.split() == theirs


def test_the_image_runs_the_api_by_default():
    command = re.search(r"^CMD (.+)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert json.loads(command[1]) == words("api")


def test_the_image_has_the_documentation_that_it_serves():
    copied = re.findall(r"^COPY (docs/\S+) docs/$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert copied == ["docs/*.md"]
    assert "!docs/*.md" in (ROOT / ".dockerignore").read_text().splitlines()


@for_each("service", OURS)
def test_every_environment_name_is_read_by_something(service):
    for name in OURS[service]["environment"]:
        flower_option = name.removeprefix("FLOWER_").lower()
        assert name in set(variables()) | COMPOSE_ONLY or (
            name.startswith("FLOWER_") and flower_option in flower_options
        ), name


def test_substituted_names_are_documented_and_secrets_have_no_default():
    text = (ROOT / "docker-compose.yml").read_text()
    documented = set(
        re.findall(r"^(?:# )?([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE)
    )
    for name, default in re.findall(r"(?<!\$)\$\{([A-Z_]+)([^}]*)\}", text):
        assert name in documented
        if "PASSWORD" in name or "AUTH" in name:
            assert default.startswith(":?")


def test_only_what_people_open_is_published_and_on_loopback():
    published = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}
    assert set(published) == {"api", "flower", "prometheus", "grafana"}
    assert all(port.startswith("127.0.0.1:") for ports in published.values() for port in ports)


def test_workers_can_be_scaled():
    assert not {"container_name", "ports"} & set(SERVICES["worker"])
    assert words("worker")[words("worker").index("--hostname") + 1].endswith("@%h")


def test_the_example_environment_documents_every_setting_and_nothing_else():
    assert documented_names() - DATABASE_SECRETS - {"REDIS_PASSWORD"} == set(variables())


def login(service: str) -> str | None:
    """The role that a service connects to PostgreSQL as."""
    url = OURS[service]["environment"].get("DATABASE_URL")
    return url and str(re.findall(r"//(\w+):", url)[0])


def test_each_process_connects_as_a_role_of_its_own_and_none_as_the_administrator():
    assert SERVICES["postgres"]["environment"]["POSTGRES_USER"] == "postgres"
    assert {name: login(name) for name in OURS} == {
        "migrate": "searchqa_owner",
        "api": "searchqa_api",
        **dict.fromkeys(("worker", "bulk", "isolated", "dispatcher"), "searchqa_worker"),
        "flower": None,
    }


def test_the_roles_are_made_when_the_database_is():
    mounted = [volume.split(":") for volume in SERVICES["postgres"]["volumes"]]
    (script,) = [place for place, inside, *_ in mounted if "initdb.d" in inside]
    made = (ROOT / script).read_text()
    for role in filter(None, {login(name) for name in OURS}):
        assert f"ALTER ROLE {role} LOGIN" in made
    read = set(re.findall(r"^\\getenv \w+ (\w+)$", made, re.MULTILINE))
    assert read == DATABASE_SECRETS - {"POSTGRES_PASSWORD"}
    assert read <= set(SERVICES["postgres"]["environment"])


@for_each("service", OURS)
def test_a_container_is_given_its_own_secrets_only(service):
    given = OURS[service]["environment"]
    blank = {name for name, value in given.items() if value == ""}
    calls_models = service in {"api", "worker", "bulk", "isolated"}
    foreign = {"DATABASE_DIRECT_URL"}
    foreign |= set() if service == "api" else {"DATABASE_READ_URL", "SEARCHQA_OIDC_CLIENT_SECRET"}
    foreign |= {"BROKER_URL"} if service == "migrate" else set()
    assert blank == SECRETS | foreign | (set() if calls_models else KEYS)
    held = set(re.findall(r"\$\{(\w+):", " ".join(given.values())))
    assert len(held & DATABASE_SECRETS) == (service != "flower")
    assert "SEARCHQA_FLOWER_BASIC_AUTH" not in held or service == "flower"


def test_postgresql_and_redis_get_no_settings_of_ours():
    for name in ("postgres", "redis"):
        assert "env_file" not in SERVICES[name]
        assert not KEYS & set(SERVICES[name]["environment"])


def test_the_example_environment_shows_the_defaults():
    example = (ROOT / ".env.example").read_text()
    shown = dict(re.findall(r"^# ([A-Z_]+)=(.+)$", example, re.MULTILINE))
    samples = {
        *("DATABASE_URL", "DATABASE_DIRECT_URL", "DATABASE_READ_URL", "REDIS_URL", "BROKER_URL"),
        *("SEARCHQA_PUBLIC_URL", "SEARCHQA_URL", "SEARCHQA_LIVE_WORKERS"),
    }
    values = {n.removeprefix("SEARCHQA_").lower(): v for n, v in shown.items() if n not in samples}
    assert Settings(None, {}, **values) == Settings(None, {})
