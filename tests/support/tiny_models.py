"""Models of a few words, in folders as hubs publish them: what they say can be reckoned by hand.

The detectors "know" that a text supports a word when the word stands in it.
"""

import json
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

PAD, UNKNOWN, CLS, SEP = "[PAD]", "[UNK]", "[CLS]", "[SEP]"
SPECIAL = (PAD, UNKNOWN, CLS, SEP)
NLI_LABELS = ("entailment", "neutral", "contradiction")


def vocabulary(*texts: str) -> dict[str, int]:
    splitter = pre_tokenizers.Whitespace()
    words = [word for text in texts for word, _ in splitter.pre_tokenize_str(text.lower())]
    return {word: number for number, word in enumerate(dict.fromkeys([*SPECIAL, *words]))}


def write_tokenizer(folder: Path, words: Mapping[str, int]) -> None:
    tokenizer = Tokenizer(models.WordLevel(dict(words), unk_token=UNKNOWN))
    tokenizer.add_special_tokens(list(SPECIAL))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{CLS} $A {SEP}",
        pair=f"{CLS} $A {SEP} $B:1 {SEP}:1",
        special_tokens=[(CLS, words[CLS]), (SEP, words[SEP])],
    )
    tokenizer.save(str(folder / "tokenizer.json"))


def write_byte_tokenizer(folder: Path) -> None:
    """Each byte is a token, as in the smallest of models with byte-level BPE; a letter of Hangul is
    three of them."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    words = {word: number for number, word in enumerate([*SPECIAL, *letters])}
    tokenizer = Tokenizer(models.BPE(words, []))
    tokenizer.add_special_tokens(list(SPECIAL))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{CLS} $A {SEP}",
        pair=f"{CLS} $A {SEP} $B:1 {SEP}:1",
        special_tokens=[(CLS, words[CLS]), (SEP, words[SEP])],
    )
    tokenizer.save(str(folder / "tokenizer.json"))


def write_folder(
    folder: Path, words: Mapping[str, int], graph: onnx.GraphProto | None, **config: object
) -> Path:
    (folder / "onnx").mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps(config))
    write_tokenizer(folder, words)
    if graph is not None:
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
        model.ir_version = 9
        onnx.save(model, str(folder / "onnx" / "model.onnx"))
    return folder


def token_classifier(
    folder: Path, words: Mapping[str, int], *, max_tokens: int = 256, **config: object
) -> Path:
    """Calls a token unsupported that does not stand in the prompt."""
    config.setdefault("architectures", ["ModernBertForTokenClassification"])
    nodes = [
        *_stands_in_first(),
        helper.make_node("Unsqueeze", ["known", "last"], ["known_column"]),
        helper.make_node("Mul", ["known_column", "by_token"], ["scaled"]),
        helper.make_node("Add", ["scaled", "token_bias"], ["logits"]),
    ]
    # Known: (3, -3); not known: (-3, 3).
    graph = _graph(nodes, {"by_token": [[[6, -6]]], "token_bias": [[[-3, 3]]]}, [None, None, 2])
    return write_folder(folder, words, graph, max_position_embeddings=max_tokens, **config)


def pair_classifier(
    folder: Path,
    words: Mapping[str, int],
    labels: Sequence[str] = NLI_LABELS,
    *,
    max_tokens: int = 256,
) -> Path:
    """Calls the second text entailed when the first holds all of its words; with one label it
    gives a single score."""
    yes, no = [3.0] * len(labels), [-3.0] * len(labels)
    if len(labels) > 1:
        entailed = labels.index("entailment")
        yes = [4.0 if place == entailed else -4.0 for place in range(len(labels))]
        no = [-value for value in yes]
    nodes = [
        *_stands_in_first(),
        # A word of the first text, and padding, speak against nothing.
        helper.make_node("Sub", ["one", "second"], ["elsewhere"]),
        helper.make_node("Max", ["known", "elsewhere"], ["fine"]),
        helper.make_node("ReduceMin", ["fine"], ["all_fine"], axes=[1], keepdims=1),
        helper.make_node("Mul", ["all_fine", "change"], ["scaled"]),
        helper.make_node("Add", ["scaled", "no"], ["logits"]),
    ]
    values: dict[str, object] = {"change": [np.subtract(yes, no).tolist()], "no": [no]}
    graph = _graph(nodes, values, [None, len(labels)])
    return write_folder(
        folder,
        words,
        graph,
        architectures=["RobertaForSequenceClassification"],
        max_position_embeddings=max_tokens,
        id2label=dict(enumerate(labels)),
    )


def hhem(folder: Path, words: Mapping[str, int], wrong: str) -> Path:
    """Calls consistent what does not hold the word `wrong`; only the first token's logits say
    so, those of the others say the contrary."""
    nodes = [
        helper.make_node("Equal", ["input_ids", "wrong"], ["is_wrong"]),
        helper.make_node("Cast", ["is_wrong"], ["wrongs"], to=TensorProto.FLOAT),
        helper.make_node("ReduceMax", ["wrongs"], ["any_wrong"], axes=[1], keepdims=1),
        helper.make_node("Equal", ["input_ids", "pad"], ["is_first"]),
        helper.make_node("Cast", ["is_first"], ["first"], to=TensorProto.FLOAT),
        helper.make_node("Sub", ["one", "any_wrong"], ["right"]),
        helper.make_node("Mul", ["first", "right"], ["counted"]),
        helper.make_node("Unsqueeze", ["counted", "last"], ["column"]),
        helper.make_node("Mul", ["column", "change"], ["scaled"]),
        helper.make_node("Add", ["scaled", "no"], ["logits"]),
    ]
    values: dict[str, object] = {"change": [[[-8, 8]]], "no": [[[4, -4]]]}
    whole = {"wrong": [words[wrong]], "pad": [words[PAD]]}
    graph = _graph(nodes, values, [None, None, 2], whole, types=False)
    return write_folder(
        folder, words, graph, architectures=["HHEMv2ForSequenceClassification"], pad_token_id=0
    )


def sentence_encoder(folder: Path, words: Mapping[str, int], table: NDArray[np.float32]) -> Path:
    """Gives each token its row of the table."""
    node = helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])
    graph = _graph(
        [node],
        {"table": table.tolist()},
        [None, None, table.shape[1]],
        types=False,
        output="last_hidden_state",
    )
    return write_folder(folder, words, graph, architectures=["BertModel"])


def write_safetensors(path: Path, tensors: Mapping[str, NDArray[np.generic]]) -> None:
    names = {"float32": "F32", "float16": "F16", "int64": "I64", "int32": "I32", "int8": "I8"}
    header: dict[str, object] = {"__metadata__": {"format": "pt"}}
    data = b""
    for name, tensor in tensors.items():
        start, data = len(data), data + tensor.tobytes()
        header[name] = {
            "dtype": names[str(tensor.dtype)],
            "shape": list(tensor.shape),
            "data_offsets": [start, len(data)],
        }
    written = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(written)) + written + data)


def _stands_in_first() -> list[onnx.NodeProto]:
    """known: 1 for each token that the first text holds too; second: 1 for words of the second
    text, without its last special token."""
    return [
        helper.make_node("Unsqueeze", ["input_ids", "last"], ["rows"]),
        helper.make_node("Unsqueeze", ["input_ids", "middle"], ["columns"]),
        helper.make_node("Equal", ["rows", "columns"], ["same"]),
        helper.make_node("Cast", ["same"], ["same_as"], to=TensorProto.FLOAT),
        helper.make_node("Cast", ["token_type_ids"], ["types"], to=TensorProto.FLOAT),
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["types", "mask"], ["second"]),
        helper.make_node("Sub", ["mask", "second"], ["in_first"]),
        helper.make_node("Unsqueeze", ["in_first", "middle"], ["first_columns"]),
        helper.make_node("Mul", ["same_as", "first_columns"], ["matches"]),
        helper.make_node("ReduceMax", ["matches"], ["known"], axes=[2], keepdims=0),
    ]


def _graph(
    nodes: Sequence[onnx.NodeProto],
    values: Mapping[str, object],
    shape: Sequence[int | None],
    whole: Mapping[str, Sequence[int]] | None = None,
    *,
    types: bool = True,
    output: str = "logits",
) -> onnx.GraphProto:
    constants = [numpy_helper.from_array(np.asarray(v, np.float32), n) for n, v in values.items()]
    constants.append(numpy_helper.from_array(np.asarray([1], np.float32), "one"))
    numbers = {"middle": [1], "last": [2], **(whole or {})}
    constants += [numpy_helper.from_array(np.asarray(v, np.int64), n) for n, v in numbers.items()]
    used = {name for node in nodes for name in node.input}
    inputs = ["input_ids", "attention_mask", *(["token_type_ids"] if types else [])]
    return helper.make_graph(
        list(nodes),
        "tiny",
        [helper.make_tensor_value_info(n, TensorProto.INT64, [None, None]) for n in inputs],
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, list(shape))],
        [constant for constant in constants if constant.name in used],
    )


# Written for this test: a dish of cells, a machine and a form, each asked about twice.
PASSAGES = {
    "배양기": "배양기는 37도, 이산화탄소 5퍼센트로 맞춘다. 물은 매주 월요일에 간다.",
    "Centrifuge": "The centrifuge is balanced to 0.1 g. Its rotor is cleaned every seven days.",
    "휴가": "휴가 신청서는 사흘 전에 팀장에게 낸다. 반차는 당일에도 낼 수 있다.",
}
ANSWERS = [
    ("배양기", "배양기는 몇 도인가요?", "배양기는 37도로 맞춥니다.", False),
    ("배양기", "배양기 물은 언제 가나요?", "물은 매주 금요일에 갈고 소독제를 넣습니다.", True),
    ("Centrifuge", "How often is the rotor cleaned?", "It is cleaned every seven days.", False),
    ("Centrifuge", "How is it balanced?", "It is balanced to 25 kg by Dr. Marlowe.", True),
    ("휴가", "휴가 신청서는 언제 내나요?", "휴가 신청서는 사흘 전에 팀장에게 냅니다.", False),
    ("휴가", "반차는 언제 내나요?", "반차는 한 달 전에 인사과 포털로만 냅니다.", True),
]


def write_labelled(file: Path, *extra: str) -> Path:
    lines = [
        {
            "question": question,
            "passages": [PASSAGES[about]],
            "answer": answer,
            "hallucinated": wrong,
            "spans": [[0, len(answer)]] if wrong else [],
        }
        for about, question, answer, wrong in ANSWERS
    ]
    texts = [json.dumps(line, ensure_ascii=False) for line in lines]
    file.write_text("\n".join([*texts, *extra]) + "\n", encoding="utf-8")
    return file


def result(position: int, judge: str, *, wrong: bool, score: float | None, **more: Any) -> Any:
    """What a judge said of an answer that people called wrong, or did not; None: it failed."""
    nothing = dict.fromkeys(
        (
            *("grade", "cell", "human_spans", "spans", "prompt_tokens", "completion_tokens"),
            *("cost_usd", "made_by", "decided", "scores"),
        )
    )
    error = None if score is not None else "configuration: no key"
    judged = {"position": position, "judge": judge, "hallucinated": wrong, "score": score}
    return nothing | judged | {"error": error, "latency_ms": 10.0 * position} | more
