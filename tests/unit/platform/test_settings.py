"""Settings: read from flat variables, grouped by subject, limits derived from the deadline."""

import pytest

from app.platform.errors import SetupError
from app.platform.settings import Settings, get_settings, variables


def settings(**given: object) -> Settings:
    return Settings(None, {}, **given)


def test_a_slow_model_needs_one_setting():
    judge = settings(judge_deadline=240).judge

    assert (judge.lease_seconds, judge.task_limit_seconds) == (270, 300)


def test_a_short_deadline_leaves_the_usual_limits():
    assert settings(judge_deadline=5).judge.lease_seconds == settings().judge.lease_seconds == 90
    assert settings().judge.task_limit_seconds == 120


def test_long_rules_and_an_explicit_lease_extend_what_follows():
    assert settings(rules_time_limit=100).judge.lease_seconds == 130
    assert settings(judge_lease=200).judge.task_limit_seconds == 230


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (
            {"judge_deadline": 240, "judge_lease": 250},
            r"JUDGE_LEASE \(250 seconds\) must be longer than SEARCHQA_JUDGE_DEADLINE \(240 s",
        ),
        ({"rules_time_limit": 95, "judge_lease": 90}, "longer than SEARCHQA_RULES_TIME_LIMIT"),
        ({"task_time_limit": 80}, r"longer than SEARCHQA_JUDGE_LEASE \(90 seconds\) less 10;"),
        ({"trace_settle": 9, "trace_max_wait": 8}, "must not be longer than"),
    ],
)
def test_contradictions_are_one_sentence(given, sentence):
    with pytest.raises(ValueError, match=sentence):
        settings(**given)


def test_errors_name_the_variables_that_are_wrong_and_no_others(monkeypatch):
    get_settings.cache_clear()
    monkeypatch.setenv("SEARCHQA_JUDGE_DEADLINE", "soon")
    monkeypatch.setenv("SEARCHQA_TRACE_SETTLE", "900")

    with pytest.raises(SetupError) as refused:
        get_settings()

    assert str(refused.value) == (
        "The configuration is not valid: SEARCHQA_JUDGE_DEADLINE: Input should be a valid number,"
        " unable to parse string as a number; SEARCHQA_TRACE_SETTLE (900 seconds) must not be"
        " longer than SEARCHQA_TRACE_MAX_WAIT (300 seconds)."
    )


def test_the_environment_comes_before_the_file_and_keywords_before_both(tmp_path):
    file = tmp_path / "env"
    file.write_text("SEARCHQA_PORT=1\nSEARCHQA_HOST=a\nREDIS_URL=redis://file\nUNKNOWN=1\n")
    environment = {"searchqa_port": "2", "SEARCHQA_HOST": "b", "REDIS_URL": ""}

    given = Settings(str(file), environment, host="c")

    assert (given.api.host, given.api.port, given.redis.url) == ("c", 2, "redis://file")


def test_unknown_keywords_are_refused():
    with pytest.raises(TypeError, match="no setting is named judge_dedline"):
        settings(judge_dedline=5)


def test_replacing_leaves_other_values():
    changed = settings(port=1, host="a").replace(port=2)

    assert (changed.api.port, changed.api.host) == (2, "a")


def test_each_variable_is_one_field():
    own = {name for name in variables() if name.startswith("SEARCHQA_")}

    assert variables().keys() - own == {
        *("DATABASE_URL", "DATABASE_DIRECT_URL", "DATABASE_READ_URL", "REDIS_URL", "BROKER_URL"),
        *("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"),
        "OLLAMA_BASE_URL",
    }
    assert len(set(variables().values())) == len(variables()) == 116
