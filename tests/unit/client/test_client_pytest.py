"""The pytest plugin of the client, in test runs of their own; rules judge, without a server."""

from xml.etree import ElementTree as ET

import pytest

from cases import for_each

pytest_plugins = "pytester"

_PLUGINS = ("-p", "searchqa_client.pytest", "-p", "xdist.plugin")
NOTES = '["개봉한 시약은 30일 안에 쓴다.", "냉동고는 영하 80도로 유지한다."]'
ASKED = f'"시약은 며칠 안에 써야 하나요?", "{{}}", {NOTES}'
RIGHT = ASKED.format("개봉한 시약은 30일 안에 씁니다. [노트 1]")
WRONG = ASKED.format("개봉한 시약은 14일 안에 씁니다. [노트 1]")
FALSELY = f'"냉동고는 몇 도로 유지하나요?", "노트에서 찾을 수 없습니다.", {NOTES}'
REFUSED = f'"원심분리기는 누가 청소하나요?", "노트에서 찾을 수 없습니다.", {NOTES}'


@pytest.fixture
def run(pytester, monkeypatch):
    monkeypatch.delenv("SEARCHQA_URL", raising=False)
    # Others take seconds to import.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")

    def run(*arguments: str) -> pytest.RunResult:
        return pytester.runpytest_subprocess(*_PLUGINS, *arguments)

    return run


def test_checks_judges_and_shows_a_table(pytester, run):
    # What the code under test calls `app` does not stand in the judge's way.
    pytester.makepyfile(app="")
    pytester.makepyfile(
        f"""
        import app
        import pytest

        def test_right(searchqa):
            verdict = searchqa.check({RIGHT})
            assert (verdict.outcome, verdict.doubted) == ("matches", None)
            assert [claim.verdict for claim in verdict.claims] == ["supported"]

        def test_wrong(searchqa):
            searchqa.check({WRONG})

        def test_twice(searchqa):
            assert searchqa.judge({WRONG}).faithfulness < 0.6
            searchqa.check({REFUSED}, refusal=True)

        def test_falsely(searchqa):
            searchqa.check({FALSELY})

        def test_no_refusal(searchqa):
            searchqa.check({RIGHT}, refusal=True)

        @pytest.mark.searchqa(relevancy=1)
        def test_marked(searchqa):
            searchqa.check({RIGHT})

        def test_argument(searchqa):
            searchqa.check({RIGHT}, faithfulness=1.1)

        def test_no_notes(searchqa):
            searchqa.check("?", "37도", [])
        """
    )

    found = run("--junitxml=report.xml", "-n", "2")

    found.assert_outcomes(passed=2, failed=6)
    found.stdout.fnmatch_lines_random(
        [
            "*The answer does not match the notes.*",
            "*doubted: 개봉한 시약은 14일 안에 씁니다.*",
            "*The answer is no right refusal: matches.*",
            "*relevancy is 0.*, below 1.",
            "*faithfulness is *, below 1.1.",
            "*It has no notes to be judged by.*",
            "*= SearchQA =*",
            "test *outcome *faithfulness  doubted sentence",
            "*::test_right *matches *",
            "*::test_wrong *mismatch *0.* 개봉한 시약은 14일 안에 씁니다.*",
            "*::test_twice *rightly_refused  -",
            "*::test_falsely *falsely_refused  -",
        ]
    )
    cases = ET.parse(pytester.path / "report.xml").iter("testcase")
    named = {case.get("name"): [p.attrib for p in case.iter("property")] for case in cases}
    assert named["test_right"][0] == {"name": "searchqa_outcome", "value": "matches"}
    assert len(named["test_twice"]) == 6


@for_each(
    ("ini", "asked", "problem"),
    [
        ("faithfulness = high", [RIGHT], ["searchqa_faithfulness is 'high'"]),
        (
            "relevancy = 1\nsearchqa_fail_undecided = true",
            [RIGHT, ASKED.format("시약은 민수가 관리하고 오래 두면 굳는다고 합니다.")],
            ["relevancy is 0.", "The judge could not tell."],
        ),
    ],
)
def test_the_ini_file_sets_thresholds(pytester, run, ini, asked, problem):
    pytester.makeini(f"[pytest]\nsearchqa_{ini}")
    pytester.makepyfile(
        "".join(
            f"def test_{n}(searchqa):\n    searchqa.check({each})\n" for n, each in enumerate(asked)
        )
    )

    found = run()

    assert found.ret != 0
    found.stdout.fnmatch_lines([f"*{each}*" for each in problem])


def test_without_a_judge_it_says_what_to_do(pytester, run):
    pytester.makeconftest(
        """
        import importlib.metadata as metadata

        find = metadata.distribution

        def missing(name):
            if name == "searchqa":
                raise metadata.PackageNotFoundError(name)
            return find(name)

        metadata.distribution = missing
        """
    )
    pytester.makepyfile("def test_it(searchqa):\n    pass")

    found = run()

    found.assert_outcomes(errors=1)
    found.stdout.fnmatch_lines(["*set SEARCHQA_URL and SEARCHQA_TOKEN, or install*"])
    assert "SearchQA =" not in found.stdout.str(), "there is nothing to show"
