"""A judge that counts tokens as OpenAI does, with the tokenizer of its models (o200k_base).

    python benchmarks/cost_stub.py --port 8000 ANSWERS.jsonl

POST …/chat/completions is answered as the labels of the present answer have it, in whatever form
the request wants. GET /begin/NAME/NUMBER says whose calls follow and about which answer (a line of
the file, see cost.py); GET /counts gives what was counted by name (Counts).

Runs where that tokenizer is installed, so it needs the standard library and bpe_openai alone.
"""

import argparse
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import takewhile
from pathlib import Path
from threading import Lock
from typing import Any

Json = dict[str, Any]
Encode = Callable[[str], list[int]]
LEAST_CACHED, STEP = 1024, 128
A_MESSAGE, A_REPLY = 4, 3
# A token and how sure a model is of it, for GEval, which weighs scores by that.
_SURE = {"token": "9", "logprob": 0.0, "bytes": None}


@dataclass
class Counts:
    """prompt: tokens of all messages, four more for each and three for the reply, as OpenAI's
    cookbook counts them, and of the schemas of tools and response_format, as JSON. schema: of
    them, the latter. cached: of them, what the vendor would have in its cache: the longest
    beginning that the request before of the same kind had too, schema first, from 1,024 tokens on
    in steps of 128. unknown: requests for which there was no reply."""

    calls: int = 0
    prompt: int = 0
    schema: int = 0
    cached: int = 0
    completion: int = 0
    unknown: int = 0


class Judge:
    """The present answer, and what was sent about it and those before."""

    def __init__(self, answers: list[Json], encode: Encode) -> None:
        self.counts: dict[str, Counts] = {}
        self._answers = answers
        self._encode = encode
        # By name and kind of reply: the tokens of the last request.
        self._sent: dict[tuple[str, str], list[int]] = {}
        self._lock = Lock()
        self.begin("nobody", 0)

    def begin(self, name: str, number: int) -> None:
        self._name, self._answer = name, self._answers[number]
        self._of_name = self.counts.setdefault(name, Counts())

    def ask(self, request: Json) -> Json:
        """The reply to the body of a request."""
        with self._lock:
            schemas = [json.dumps(one, separators=(",", ":")) for one in _schemas(request)]
            schema = [token for one in schemas for token in self._encode(one)]
            sent = schema + [t for m in request["messages"] for t in self._encode(_text(m))]
            overhead = A_MESSAGE * len(request["messages"]) + A_REPLY
            kind, content = reply_to(request, self._answer, self._name)
            written = len(self._encode(content))
            counts = self._of_name
            counts.unknown += not kind
            counts.calls += 1
            counts.schema += len(schema)
            counts.prompt += len(sent) + overhead
            counts.cached += self._cached(kind, sent)
            counts.completion += written
            return _completion(request, content, len(sent) + overhead, written)

    def _cached(self, kind: str, sent: list[int]) -> int:
        key = (self._name, kind)
        before, self._sent[key] = self._sent.get(key, []), sent
        pairs = zip(before, sent, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        return same // STEP * STEP if same >= LEAST_CACHED else 0


def _schemas(request: Json) -> Iterator[Json]:
    """What the request says of the form of its reply."""
    wanted = request.get("response_format", {}).get("json_schema")
    if wanted:
        yield wanted
    for tool in request.get("tools", []):
        yield tool["function"]


def _text(message: Json) -> str:
    content = message["content"]
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def reply_to(request: Json, answer: Mapping[str, Any], name: str) -> tuple[str, str]:
    """The kind of the reply and the reply: ours by the name of who asks, those of peers by the
    members that are asked for, in a schema or in the text. Empty where it is unknown."""
    asked: Json = next(_schemas(request), {})
    form: Json = asked.get("schema") or asked.get("parameters") or {}
    members = form.get("properties", {})
    texts = " ".join(_text(message) for message in request["messages"])
    if asked.get("name") == "search_qa_verdict":
        return name, answer["ours"][name]
    for kind, reply in answer["peers"].items():
        names = kind.split("+")
        if set(members) == set(names) if members else all(f'"{one}"' in texts for one in names):
            return kind, json.dumps(reply, ensure_ascii=False)
    return "", "{}"


def _completion(request: Json, content: str, prompt: int, written: int) -> Json:
    message: Json = {"role": "assistant", "content": content}
    if request.get("tools"):
        call = {"name": request["tools"][0]["function"]["name"], "arguments": content}
        message |= {"content": None, "tool_calls": [_called(call)]}
    choice: Json = {"index": 0, "message": message, "finish_reason": "stop"}
    if request.get("logprobs"):
        choice["logprobs"] = {"content": [{**_SURE, "top_logprobs": [_SURE]}]}
    usage = {"prompt_tokens": prompt, "completion_tokens": written}
    usage["total_tokens"] = prompt + written
    reply = {"id": "stub", "object": "chat.completion", "created": 1, "model": "gpt-4o-mini"}
    return reply | {"choices": [choice], "usage": usage}


def _called(call: Json) -> Json:
    return {"id": "call", "type": "function", "function": call}


def serve(judge: Judge, port: int) -> None:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            self._send(judge.ask(json.loads(body)))

        def do_GET(self) -> None:
            match self.path.strip("/").split("/"):
                case ["begin", name, number]:
                    judge.begin(name, int(number))
            self._send({name: asdict(counts) for name, counts in judge.counts.items()})

        def _send(self, reply: Json) -> None:
            body = json.dumps(reply).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            """Nothing."""

    ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()


def main() -> None:
    from bpe_openai import get_encoding

    parser = argparse.ArgumentParser(description="A stub judge that counts tokens.")
    parser.add_argument("answers", type=Path)
    parser.add_argument("--port", type=int, required=True)
    options = parser.parse_args()
    answers = [json.loads(line) for line in options.answers.read_text("utf-8").splitlines()]
    encoding = get_encoding("o200k_base")
    serve(Judge(answers, lambda text: encoding.encode(text, disallowed_special=())), options.port)


if __name__ == "__main__":
    main()
