"""Detectors in this process: which folders they are read from, and the verdicts they lead to."""

import asyncio
import json
from pathlib import Path

import pytest

from app.judges.answer import HIGH_CORRECTNESS, AnswerToJudge
from app.judges.local.detector import ISSUE_FACTOR, LocalVerdict, correctness, detector_folder
from app.judges.local.judge import LocalJudge, load_detector
from app.platform.errors import ConfigurationError
from tiny_models import (
    NLI_LABELS,
    hhem,
    pair_classifier,
    token_classifier,
    vocabulary,
    write_byte_tokenizer,
)

NOTE = "The incubator is kept at 37 degrees. The lid is cleaned every Monday."
OTHER = "Anna Berg orders the medium from Lund each spring."
RIGHT = "The incubator is kept at 37 degrees."
WRONG = "The incubator is kept at 72 degrees."
PROMPT = (
    "Briefly answer the following question Bear in mind that your response should be strictly"
    " based on passages passage 1 2 3 : . In case do not contain the necessary information to"
    " please reply with Unable given output"
)
QUESTION = "At which temperature is the incubator kept?"
WORDS = vocabulary(PROMPT, QUESTION, NOTE, OTHER, WRONG, "Incubator Notes")


def answer_to_judge(answer: str, *notes: str) -> AnswerToJudge:
    return AnswerToJudge.from_texts(QUESTION, answer, notes or (NOTE, OTHER), lang="en")


async def judged(folder: Path, *subjects: AnswerToJudge) -> list[LocalVerdict | None]:
    judge = LocalJudge(str(folder), threads=1)
    try:
        return await asyncio.gather(*map(judge.judge, subjects))
    finally:
        judge.close()


async def one(folder: Path, subject: AnswerToJudge) -> LocalVerdict:
    [verdict] = await judged(folder, subject)
    assert verdict
    return verdict


@pytest.fixture(params=["tokens", "nli", "one score"])
def any_folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    folder = tmp_path / "model"
    if request.param == "tokens":
        return token_classifier(folder, WORDS)
    return pair_classifier(folder, WORDS, NLI_LABELS if request.param == "nli" else ["LABEL_0"])


class TestVerdict:
    async def test_a_supported_answer_is_high(self, any_folder):
        verdict = await one(any_folder, answer_to_judge(f"{RIGHT} [Note 1]"))
        assert verdict.evaluation.correctness > 0.9
        assert verdict.evaluation.confidence == "high"
        assert verdict.evaluation.grounding_issues == []
        [claim] = verdict.groundedness.claims
        assert (claim.verdict, claim.note_index, claim.quote) == ("supported", 1, RIGHT)
        assert verdict.groundedness.groundedness == 1.0
        assert [source.cited for source in verdict.evaluation.source_coverage] == [True, False]

    async def test_a_swapped_value_is_an_issue_with_its_place(self, any_folder):
        answer = f"{RIGHT} {WRONG}"
        verdict = await one(any_folder, answer_to_judge(answer))
        assert verdict.evaluation.confidence != "high"
        assert verdict.evaluation.correctness < HIGH_CORRECTNESS
        right, wrong = verdict.groundedness.claims
        assert (right.verdict, wrong.verdict) == ("supported", "unsupported")
        assert wrong.text == answer[wrong.start : wrong.end]
        assert "72" in wrong.text
        [issue] = verdict.evaluation.grounding_issues
        assert wrong.text in issue
        assert "probability" in issue

    async def test_answers_judged_together_get_what_each_gets_alone(self, any_folder):
        subjects = [
            answer_to_judge(RIGHT),
            answer_to_judge(WRONG),
            answer_to_judge(f"{WRONG} {RIGHT} {OTHER}"),
            answer_to_judge(""),
        ]
        together = await judged(any_folder, *subjects)
        assert together == [await one(any_folder, subject) for subject in subjects]

    async def test_no_note_no_verdict(self, any_folder):
        first, second = await judged(
            any_folder, answer_to_judge(RIGHT, " "), answer_to_judge(RIGHT)
        )
        assert first is None
        assert second is not None

    async def test_an_empty_answer_is_low(self, any_folder):
        evaluation = (await one(any_folder, answer_to_judge(" "))).evaluation
        assert (evaluation.correctness, evaluation.confidence) == (0.0, "low")

    async def test_a_refusal_claims_nothing(self, tmp_path):
        folder = pair_classifier(tmp_path / "model", WORDS)
        verdict = await one(folder, answer_to_judge("The notes do not say."))
        assert verdict.groundedness.groundedness is None
        assert verdict.evaluation.correctness == 1.0
        assert verdict.evaluation.confidence != "high"

    async def test_the_event_loop_goes_on_meanwhile(self, any_folder):
        turns = 0

        async def count() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        counting = asyncio.create_task(count())
        await one(any_folder, answer_to_judge(RIGHT))
        counting.cancel()
        assert turns > 1


def test_correctness_never_rises_with_one_more_unsupported_claim():
    supports = [0.99, 0.9, 0.7]
    values = []
    for _ in range(4):
        values.append(correctness(supports))
        supports.append(0.1)
    assert values == sorted(values, reverse=True)
    assert values[1] < ISSUE_FACTOR < HIGH_CORRECTNESS
    assert correctness([]) == 1.0


class TestLongTexts:
    async def test_a_claim_is_found_in_any_window(self, tmp_path):
        long = " ".join([OTHER] * 40)
        folder = pair_classifier(tmp_path / "model", WORDS, max_tokens=128)
        verdict = await one(folder, answer_to_judge(f"{RIGHT} {WRONG}", f"{long} {NOTE} {long}"))
        assert [claim.verdict for claim in verdict.groundedness.claims] == [
            "supported",
            "unsupported",
        ]

    async def test_a_token_is_unsupported_only_when_no_window_holds_it(self, tmp_path):
        long = " ".join([OTHER] * 40)
        folder = token_classifier(tmp_path / "model", WORDS, max_tokens=192)
        answer = f"{RIGHT} {WRONG}"
        verdict = await one(folder, answer_to_judge(answer, f"{long} {NOTE} {long}", OTHER))
        wrong = [c for c in verdict.groundedness.claims if c.verdict == "unsupported"]
        assert [claim.text for claim in wrong] == ["72"]

    async def test_a_long_answer_is_read_in_parts(self, tmp_path):
        folder = token_classifier(tmp_path / "model", WORDS, max_tokens=192)
        answer = " ".join([*[RIGHT] * 30, WRONG, *[RIGHT] * 30])
        verdict = await one(folder, answer_to_judge(answer))
        wrong = [c for c in verdict.groundedness.claims if c.verdict == "unsupported"]
        assert [claim.start for claim in wrong] == [answer.index("72")]
        assert verdict.evaluation.confidence != "high"

    async def test_what_was_not_read_is_never_high(self, tmp_path):
        folder = pair_classifier(tmp_path / "model", WORDS)
        verdict = await one(folder, answer_to_judge(RIGHT, NOTE, OTHER + "\n" + "x " * 40_000))
        assert not verdict.evaluation.extent.whole
        assert verdict.evaluation.confidence == "medium"


class TestSpans:
    async def test_unsupported_words_side_by_side_are_one_span(self, tmp_path):
        answer = "The lid is cleaned by a robot (type 9), every Monday."
        folder = token_classifier(tmp_path / "model", WORDS | vocabulary(*WORDS, answer))
        verdict = await one(folder, answer_to_judge(answer))
        [claim] = verdict.groundedness.claims
        assert claim.text == "by a robot (type 9)"
        assert answer[claim.start : claim.end] == claim.text

    async def test_letters_of_several_tokens_keep_their_places(self, tmp_path):
        folder = token_classifier(tmp_path / "model", WORDS, max_tokens=1024)
        write_byte_tokenizer(folder)
        answer = "배양기의 온도는 99도입니다. 뚜껑은 월요일에 닦습니다."
        note = "배양기의 온도는 37도입니다. 뚜껑은 월요일에 닦습니다."
        verdict = await one(
            folder, AnswerToJudge.from_texts("배양기의 온도는 몇 도인가요?", answer, [note])
        )
        wrong, right = verdict.groundedness.claims
        assert (wrong.verdict, wrong.text) == ("unsupported", "99도입니다")
        assert answer[wrong.start : wrong.end] == wrong.text
        assert right.verdict == "supported"
        assert "뒷받침하지 않습니다" in verdict.evaluation.grounding_issues[0]

    async def test_special_tokens_written_in_a_note_are_text(self, tmp_path):
        folder = token_classifier(tmp_path / "model", WORDS)
        verdict = await one(folder, answer_to_judge(WRONG, f"{NOTE} [SEP] [CLS] [PAD]"))
        assert [claim.text for claim in verdict.groundedness.claims] == ["72"]


class TestHhem:
    async def test_the_first_token_decides(self, tmp_path):
        words = vocabulary(
            NOTE, WRONG, "Determine if the hypothesis is true given the premise ? : Premise"
        )
        folder = hhem(tmp_path / "model", words, "72")
        right, wrong = await judged(folder, answer_to_judge(RIGHT), answer_to_judge(WRONG))
        assert right.evaluation.confidence == "high"
        assert wrong.evaluation.confidence == "low"


FILES = ("config.json", "tokenizer.json", "onnx/model.onnx")
UNNAMED = {"architectures": ["BertForSequenceClassification"]}
NAMES = {"id2label": {"0": "O", "1": "B-PER", "2": "I-PER"}}


class TestFolder:
    @pytest.mark.parametrize(
        "labels",
        [
            NLI_LABELS,
            ("contradiction", "entailment", "neutral"),
            ("CONTRADICTION", "NEUTRAL", "ENTAILMENT"),
            ("not_entailment", "entailment"),
        ],
    )
    async def test_labels_may_come_in_any_order(self, tmp_path, labels):
        folder = pair_classifier(tmp_path / "model", WORDS, [label.lower() for label in labels])
        config = json.loads((folder / "config.json").read_text())
        config["id2label"] = dict(enumerate(labels))
        (folder / "config.json").write_text(json.dumps(config))
        right, wrong = await judged(folder, answer_to_judge(RIGHT), answer_to_judge(WRONG))
        assert right.evaluation.correctness > 0.9 > 0.1 > wrong.evaluation.correctness

    @pytest.mark.parametrize(
        ("labels", "supported"),
        [
            (None, 0),
            ({"0": "LABEL_0", "1": "LABEL_1"}, 0),
            ({"0": "hallucinated", "1": "supported"}, 1),
            ({"0": "O", "1": "hallucination"}, 0),
        ],
    )
    def test_token_labels(self, tmp_path, labels, supported):
        config = {} if labels is None else {"id2label": labels}
        folder = token_classifier(tmp_path / "model", WORDS, **config)
        assert detector_folder(str(folder)).supported == supported

    @pytest.mark.parametrize(
        ("name", "written", "says"),
        [
            *((name, None, f"has no .*{Path(name).name}") for name in FILES),
            ("config.json", '{"architectures": ["BertModel"]}', "a BertModel that cannot judge"),
            ("config.json", json.dumps(UNNAMED), "names its labels nowhere"),
            ("config.json", json.dumps(UNNAMED | NAMES), "o, b-per, i-per, none of which"),
            ("config.json", "not this", "model's configuration"),
            ("tokenizer.json", "not this", "is no tokenizer"),
            ("onnx/model.onnx", "not this", "cannot be loaded"),
            ("onnx/model.onnx", "version https://git-lfs.github.com/spec/v1\n", "git lfs pull"),
        ],
    )
    def test_a_file_that_is_missing_damaged_or_of_something_else(
        self, tmp_path, name, written, says
    ):
        folder = pair_classifier(tmp_path / "m", WORDS)
        (folder / name).unlink() if written is None else (folder / name).write_text(written)
        with pytest.raises(ConfigurationError, match=says):
            load_detector(str(folder), threads=1)
        with pytest.raises(ConfigurationError, match="There is no folder"):
            detector_folder(str(tmp_path / "none"))

    async def test_labels_that_do_not_fit_the_model_are_refused(self, tmp_path):
        folder = pair_classifier(tmp_path / "m", WORDS)
        config = json.loads((folder / "config.json").read_text())
        config["id2label"] = {"0": "entailment", "1": "not_entailment"}
        (folder / "config.json").write_text(json.dumps(config))
        with pytest.raises(ConfigurationError, match="3 scores where"):
            await judged(folder, answer_to_judge(RIGHT))

    def test_without_the_extra_the_sentence_says_what_to_install(self, tmp_path, monkeypatch):
        monkeypatch.setattr("app.ai_router.local.model_folder.find_spec", lambda _: None)
        with pytest.raises(ConfigurationError, match=r"install searchqa\[local\]"):
            detector_folder(str(tmp_path))
