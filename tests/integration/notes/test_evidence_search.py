"""Evidence for a question: by category, else by context, else by single words."""

import json
import unicodedata

import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from app.answering.context import Context, search_notes
from app.notes.evidence_search import EvidenceSearch, SearchRAGInput, SearchRAGOutput
from app.notes.importers import ImportedNote
from app.notes.samples import WASTE_SORTING, sample_notes
from app.notes.service import import_notes, list_notebooks
from app.platform.db.session import Sessions
from app.text.packs.loader import load_pack
from app.text.packs.models import DomainPack
from app.text.passages import QUOTE_CHARS
from app.workspaces.models import Workspace
from cases import for_each
from verdict_world import imported_note

WASTE = load_pack("waste_sorting")
PLASTIC = "재활용폐기물_플라스틱류"
PAPER = "재활용폐기물_종이류"
BY_CLASSIFICATION = [
    "classification_search_started",
    "classification_search_success",
    "contextual_search_skipped",
]
BY_CONTEXT = [
    "classification_search_skipped",
    "contextual_search_started",
    "contextual_search_success",
]
FOUND_NOTHING_BY_CONTEXT = [
    "classification_search_skipped",
    "contextual_search_started",
    "contextual_search_no_result",
]


class Searcher:
    """Searches the notes of one workspace."""

    def __init__(self, sessions: Sessions, session: AsyncSession, workspace: Workspace) -> None:
        self._sessions = sessions
        self.session = session
        self.workspace = workspace

    async def store(self, *notes: ImportedNote, notebook: str = "분리배출") -> None:
        await import_notes(self._sessions, self.workspace.id, notes, notebook=notebook)

    async def __call__(
        self, message: str, *, pack: DomainPack = WASTE, **options: object
    ) -> SearchRAGOutput:
        given = SearchRAGInput(message, self.workspace.id, **options)  # type: ignore[arg-type]
        return await EvidenceSearch(self._sessions, pack).search(given)

    async def context(self, message: str, pack: DomainPack = WASTE) -> Context:
        return await search_notes(self._sessions, pack, self.workspace.id, message)


@pytest.fixture
async def empty(sessions: Sessions, session: AsyncSession, workspace: Workspace) -> Searcher:
    """A workspace without notes."""
    return Searcher(sessions, session, workspace)


@pytest.fixture
async def search(empty: Searcher) -> Searcher:
    """The same with the sample notes on waste."""
    await empty.store(*sample_notes(WASTE_SORTING))
    return empty


def titles(output: SearchRAGOutput) -> list[str]:
    return [note.title for note in output.notes]


class TestByClassification:
    async def test_a_given_subcategory_finds_its_note(self, search):
        vision = {"major_category": "재활용폐기물", "minor_category": "플라스틱류"}

        output = await search("이거 어떻게 버려요?", classification_result=vision)

        assert output.found
        assert output.search_method == "classification"
        assert output.events == BY_CLASSIFICATION
        assert output.disposal_rules == {
            "key": PLASTIC,
            "category": "재활용폐기물",
            "data": output.notes[0].content_text,
        }
        (evidence,) = output.evidence
        assert (
            evidence.relevance,
            evidence.method,
            evidence.matched_tags,
            evidence.note_index,
        ) == ("high", "classification", (), 1)

    async def test_a_given_category_finds_all_its_notes(self, search):
        output = await search("?", classification_result={"major_category": "유해폐기물"})

        assert titles(output) == [
            "유해폐기물_폐건전지",
            "유해폐기물_폐의약품",
            "유해폐기물_폐형광등",
        ]
        assert output.events == BY_CLASSIFICATION

    @for_each(
        ("question", "first"),
        [
            ("페트병 뚜껑은 닫아서 버리나요?", PLASTIC),
            ("택배 상자의 송장은 떼나요?", PAPER),
            ("라벨이 붙은 플라스틱 용기는 어떻게 버리나요?", PLASTIC),
            ("다 쓴 건전지는 어디에 버리나요?", "유해폐기물_폐건전지"),
            ("매트리스는 어떻게 내놓나요?", "대형폐기물"),
        ],
    )
    async def test_the_packs_keywords_classify_a_question(self, search, question, first):
        output = await search(question)

        assert output.events == BY_CLASSIFICATION
        assert titles(output)[0] == first

    async def test_a_keyword_that_names_a_subcategory_finds_nothing_else(self, search):
        assert titles(await search("플라스틱 용기")) == [PLASTIC]

    async def test_two_subcategories_in_one_question_are_both_found(self, search):
        output = await search("유리병과 스티로폼은 어디에 버리나요?")

        assert set(titles(output)[:2]) == {"재활용폐기물_유리병류", "재활용폐기물_스티로폼"}

    async def test_the_best_note_of_a_large_category_is_not_cut_off(self, empty):
        in_category = {"category": "재활용폐기물"}
        others = [imported_note("다른 이야기", title=f"{n:02}", **in_category) for n in range(10)]
        wanted = imported_note("페트병 뚜껑은 닫는다.", title="맨 뒤", **in_category)
        await empty.store(*others, wanted)

        output = await empty("페트병 뚜껑은요?", limit=3)

        assert titles(output)[0] == "맨 뒤"
        assert len(output.notes) == 3

    async def test_keywords_are_found_however_they_are_written(self, search):
        """As another system spells Hangul, and in capitals."""
        taken_apart = unicodedata.normalize("NFD", "라벨이 붙은 페트병은 어떻게 버리나요?")

        output = await search(taken_apart)

        assert titles(output)[0] == PLASTIC
        assert output.evidence[0].matched_tags == ("라벨_부착",)


class TestByContext:
    @for_each(
        "classification",
        [
            {"major_category": "없는 분류"},
            {"major_category": "재활용폐기물", "minor_category": "없는 소분류"},
        ],
    )
    async def test_comes_after_a_category_that_no_note_has(self, search, classification):
        output = await search("두유팩은 어떻게 버리나요?", classification_result=classification)

        assert output.search_method == "contextual"
        assert output.events == [
            "classification_search_started",
            "classification_search_no_result",
            "contextual_search_started",
            "contextual_search_success",
        ]
        assert titles(output)[0] == PAPER

    async def test_notes_that_share_the_questions_tags_are_highly_relevant(self, search):
        output = await search("기름이 묻은 피자 박스는요?")

        assert output.events == BY_CONTEXT
        best = output.evidence[0]
        assert titles(output)[0] == PAPER
        assert (best.relevance, best.matched_tags, best.method) == (
            "high",
            ("오염됨",),
            "contextual",
        )
        assert "기름이 밴 피자 상자" in best.quoted_text

    async def test_a_tag_that_only_the_text_speaks_of_counts_too(self, empty):
        await empty.store(imported_note("기름이 묻은 장갑은 빨아 쓴다.", title="장갑"))

        (evidence,) = (await empty("기름이 묻은 장갑은요?")).evidence

        assert evidence.matched_tags == ("오염됨",)

    async def test_a_tag_alone_is_no_high_relevance(self, empty):
        """Both notes are on what is greasy; only one of them is on the question's subject."""
        await empty.store(
            imported_note("기름이 묻은 손은 비누로 씻는다.", title="손"),
            imported_note("기름이 묻은 피자 박스는 찢어서 버린다.", title="박스"),
        )

        output = await empty("기름이 묻은 피자 박스는 어떻게 버리나요?")

        found = zip(output.evidence, output.notes, strict=True)
        relevance = {note.title: (e.relevance, e.matched_tags) for e, note in found}
        assert relevance["박스"] == ("high", ("오염됨",))
        assert relevance["손"][0] != "high"
        assert relevance["손"][1] == ("오염됨",)

    async def test_tags_of_the_note_alone_are_not_matched(self, search):
        output = await search("두유팩은요?")

        assert [evidence.matched_tags for evidence in output.evidence] == [()]

    async def test_without_tags_relevance_is_the_share_of_words_that_are_there(self, empty):
        await empty.store(
            imported_note("수은 온도계는 보건소에 맡긴다.", title="전부"),
            imported_note("수은은 무겁다.", title="일부"),
        )

        output = await empty("수은 온도계 보건소")

        assert [
            (e.relevance, note.title) for e, note in zip(output.evidence, output.notes, strict=True)
        ] == [("high", "전부"), ("medium", "일부")]

    async def test_a_generic_pack_searches_by_context_only(self, search):
        output = await search("플라스틱 용기는요?", pack=load_pack("generic"))

        assert output.events == BY_CONTEXT
        assert titles(output)[0] == PLASTIC


class TestByKeyword:
    async def test_is_the_last_resort_and_of_low_relevance(self, search):
        """A part of a foreign word is no word of the note."""
        await search.store(imported_note("It is a bioplastics bag.", title="Bag"))

        output = await search("Plastic?")

        assert output.search_method == "keyword"
        assert output.matched_keyword == "plastic"
        assert output.events == [*FOUND_NOTHING_BY_CONTEXT, "keyword_search_success:plastic"]
        (evidence,) = output.evidence
        assert (evidence.relevance, evidence.method) == ("low", "keyword")
        assert evidence.quoted_text == "It is a bioplastics bag."

    async def test_the_packs_words_come_before_the_questions(self, empty):
        pack = load_pack("generic").model_copy(update={"keywords": ("Carton",)})
        await empty.store(imported_note("bioplastics", title="a"), imported_note("cartonage"))

        output = await empty("plastic carton", pack=pack)

        assert output.matched_keyword == "Carton"
        assert output.events[-1] == "keyword_search_success:Carton"
        assert [note.content_text for note in output.notes] == ["cartonage"]

    async def test_a_note_with_the_word_in_its_title_comes_first(self, empty):
        await empty.store(
            imported_note("bioplastics", title="A"), imported_note("x", title="Bioplastics")
        )

        assert titles(await empty("plastic")) == ["Bioplastics", "A"]

    async def test_a_word_with_signs_of_patterns_is_a_word(self, search):
        output = await search("%_\\ 100%")

        assert output.events == [*FOUND_NOTHING_BY_CONTEXT, "all_search_strategies_failed"]


class TestNothingFound:
    @for_each("message", ["원심분리기 로터의 제조사는?", "", "???", "Why?", "\x00"])
    async def test_every_strategy_is_on_record(self, search, message):
        output = await search(message)

        assert output == SearchRAGOutput(
            found=False,
            search_method="none",
            events=[*FOUND_NOTHING_BY_CONTEXT, "all_search_strategies_failed"],
        )

    async def test_without_any_note_at_all(self, empty):
        output = await empty("플라스틱 용기는요?")

        assert output.events == [
            "classification_search_started",
            "classification_search_no_result",
            "contextual_search_started",
            "contextual_search_no_result",
            "all_search_strategies_failed",
        ]


async def _of_all_strategies(search: Searcher, **options: object) -> list[SearchRAGOutput]:
    given = {"major_category": "재활용폐기물"}
    return [
        await search("?", classification_result=given, **options),
        await search("두유팩", **options),
        await search("plastic", **options),
    ]


async def test_quotes_have_at_most_80_characters_and_stand_in_their_notes(search):
    long = "아주 긴 문장이 계속되며 두유팩과 bioplastics를 모두 말하고 " * 20
    await search.store(imported_note(long, title="긴 노트", category="재활용폐기물"))

    for output in await _of_all_strategies(search):
        assert output.evidence
        for number, (evidence, note) in enumerate(
            zip(output.evidence, output.notes, strict=True), start=1
        ):
            assert evidence.note_index == number
            assert len(evidence.quoted_text) <= QUOTE_CHARS
            quoted = evidence.quoted_text.removesuffix(" …")
            assert quoted in " ".join(note.content_text.split())


async def test_one_notebook_may_be_all_that_is_searched(search):
    await search.store(imported_note("bioplastics", title="Bag"))
    await search.store(imported_note("빈 노트북", title="다른"), notebook="다른 노트북")
    ids = {each.name: each.id for each in await list_notebooks(search.session, search.workspace.id)}

    inside = await _of_all_strategies(search, notebook_id=ids["분리배출"])
    outside = await _of_all_strategies(search, notebook_id=ids["다른 노트북"])

    assert all(output.found for output in inside)
    assert not any(output.found for output in outside)


@pytest.mark.parametrize(
    ("notes", "chars", "taken"), [(6, 20, [20] * 5), (3, 5000, [5000, 5000, 2000])]
)
async def test_five_notes_of_12000_characters_together_are_the_context(empty, notes, chars, taken):
    texts = [
        (f"냉장고 {number}번. " + "성에를 녹인다. " * chars)[:chars] for number in range(notes)
    ]
    stored = (imported_note(text, title=f"냉장고 {n}") for n, text in enumerate(texts))
    await empty.store(*stored)

    context = await empty.context("냉장고")

    assert [len(source.content) for source in context.sources] == taken


async def test_a_note_without_text_keeps_no_other_note_out(search):
    await search.store(imported_note("", title="두유팩"), imported_note(" \n", title="두유팩 2"))

    context = await search.context("두유팩")

    assert [source.title for source in context.sources] == [PAPER]
    assert [(e.note_index, bool(e.quoted_text)) for e in context.evidence] == [(1, True)]


async def test_the_guidance_has_the_rules_the_passages_and_a_tip_for_each_tag(search):
    context = await search.context("라벨이 붙고 내용물이 남은 플라스틱 용기는요?")

    assert context.method == "classification"
    assert context.evidence[0].matched_tags == ("라벨_부착", "내용물_있음")
    rules, passages, tips = context.guidance.split("\n\n")
    heading, data = rules.split("\n")
    assert heading == "## 분리배출 규정"
    assert json.loads(data) == {
        "key": PLASTIC,
        "category": "재활용폐기물",
        "data": context.sources[0].content,
    }
    assert passages.startswith("## 참조 출처\n- [노트 1] (신뢰도: high): ")
    assert tips.splitlines() == [
        "## 상황별 팁",
        "- 라벨_부착: 라벨을 떼어 낸 뒤 배출합니다.",
        "- 내용물_있음: 내용물을 비운 뒤 배출합니다.",
    ]


async def test_a_pack_that_knows_no_domain_gives_no_guidance(search):
    context = await search.context("플라스틱 용기는요?", load_pack("generic"))

    assert context.sources
    assert context.guidance == ""
