"""How the stub's batches look on the wire: OpenAI's and Anthropic's requests and replies."""

import json
import time
from collections.abc import Callable
from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

from stub_batches import CUSTOM_ID, PAID, UNPAID, Batch, Line, StubBatches
from stub_behaviours import Exchange, Json, Request, completion, message, reset, status

Answer = tuple[int, Json | bytes]
DAY = 86_400


def route_of(request: Request) -> str | None:
    """The route of `stub_batches.Route`, "control" for the test's own, None for other addresses."""
    path = urlsplit(request.path).path
    for root in ("/messages/batches", "/batches", "/files", "/stub/batches"):
        base, found, rest = path.partition(root)
        if found and base in {"", "/v1"}:
            break
    else:
        return None
    if root == "/stub/batches":
        return "control"
    if request.method == "DELETE":
        return "delete"
    if rest.endswith("/cancel"):
        return "cancel"
    if rest.endswith(("/content", "/results")):
        return "replies"
    if request.method == "POST":
        return "upload" if root == "/files" else "create"
    return "status" if rest else "list"


async def serve_batches(stub: StubBatches, exchange: Exchange) -> bool:
    """Answers a request to a batch endpoint; False: it is for another one."""
    route, path = route_of(exchange.request), exchange.request.path
    if route is None:
        return False
    stub.requests[route] += 1
    if route == "control":
        await _send(exchange, *answer_control(stub, exchange.request))
    elif stub.plan.missing:
        await status(404, {"detail": "Not Found"})(exchange)
    elif scripted := stub.take_scripted(route):
        await scripted(exchange)
    else:
        answer = answer_anthropic if "/messages/batches" in path else answer_openai
        reply = answer(stub, exchange.request)
        await (reset()(exchange) if stub.take_lost(route) else _send(exchange, *reply))
    return True


async def _send(exchange: Exchange, code: int, body: Json | bytes) -> None:
    whole = body if isinstance(body, bytes) else json.dumps(body).encode()
    kind = "octet-stream" if isinstance(body, bytes) else "json"
    await exchange.send(whole, status=code, content_type=f"application/{kind}")


def answer_control(stub: StubBatches, request: Request) -> Answer:
    """POST /stub/batches/finish ends all batches; POST /stub/batches with fields of Plan as JSON
    changes the plan."""
    if request.path.endswith("/finish"):
        stub.finish()
    for name, value in request.json.items():
        setattr(stub.plan, name, value)
    return 200, stub.stats()


def answer_openai(stub: StubBatches, request: Request) -> Answer:
    match route_of(request), *urlsplit(request.path).path.removeprefix("/v1/").split("/"):
        case "upload", _:
            return _upload(stub, request)
        case "create", _:
            return _create(stub, request.json)
        case "list", _:
            return 200, _page(stub, request, "after", _openai_batch)
        case "replies", _, file, _ if file in stub.files:
            return 200, stub.files[file]
        case "delete", _, file if file in stub.files:
            del stub.files[file]
            return 200, {"id": file, "object": "file", "deleted": True}
        case "status", _, batch if batch in stub.known:
            return 200, _openai_batch(stub, stub.poll(stub.batches[batch]))
        case "cancel", _, batch, _ if batch in stub.batches:
            found = stub.batches[batch]
            if found.ended:
                return _openai_error(409, "invalid_request_error", "Cannot cancel a completed one.")
            found.cancelled = True
            return 200, _openai_batch(stub, found)
    return _openai_error(404, "invalid_request_error", "No such object.")


def answer_anthropic(stub: StubBatches, request: Request) -> Answer:
    parts = urlsplit(request.path).path.removeprefix("/v1/messages/batches").strip("/").split("/")
    batch = stub.known.get(parts[0])
    match route_of(request):
        case "create":
            return _create_messages(stub, request)
        case "list":
            return 200, _page(stub, request, "after_id", _anthropic_batch)
        case "status" if batch:
            return 200, _anthropic_batch(stub, stub.poll(batch))
        case "replies" if batch and batch.ended:
            return 200, stub.results(batch, lambda line, fate: _anthropic_line(stub, line, fate))
        case "cancel" if batch:
            batch.cancelled = batch.cancelled or not batch.ended
            return 200, _anthropic_batch(stub, batch)
        case "delete" if batch and batch.ended:
            del stub.batches[batch.id]
            return 200, {"id": batch.id, "type": "message_batch_deleted"}
    return _anthropic_error(404, "not_found_error", "Not found.")


def _upload(stub: StubBatches, request: Request) -> Answer:
    fields = _form(request)
    if fields.get("purpose") != b"batch" or "file" not in fields:
        return _openai_error(400, "invalid_request_error", "Fields are purpose and file.")
    if len(fields["file"]) > stub.plan.max_bytes:
        return _openai_error(413, "invalid_request_error", "The file is too large.")
    name = stub.new_id("file")
    stub.files[name] = fields["file"]
    return 200, {"id": name, "object": "file", "purpose": "batch", "bytes": len(fields["file"])}


def _form(request: Request) -> dict[str, bytes]:
    """multipart/form-data by field; a part's head ends with an empty line."""
    kind, _, boundary = request.headers.get("content-type", "").partition("boundary=")
    if not kind.startswith("multipart/form-data"):
        return {}
    fields = {}
    for part in request.body.split(b"--" + boundary.encode())[1:-1]:
        head, _, content = part.removeprefix(b"\r\n").partition(b"\r\n\r\n")
        name = head.split(b'name="')[1].split(b'"')[0].decode()
        fields[name] = content.removesuffix(b"\r\n")
    return fields


def _create(stub: StubBatches, asked: Json) -> Answer:
    file = asked.get("input_file_id")
    if file not in stub.files:
        return _openai_error(400, "invalid_request_error", "No such file.")
    if (asked.get("endpoint"), asked.get("completion_window")) != ("/v1/chat/completions", "24h"):
        return _openai_error(400, "invalid_value", "This endpoint or window is not supported.")
    given = [json.loads(line) for line in stub.files[file].splitlines()]
    lines = [stub.line(place, one["custom_id"], one["body"]) for place, one in enumerate(given)]
    batch = Batch(stub.new_id("batch"), lines, time.time(), asked.get("metadata"), file)
    batch.error = _complaint(stub, given)
    return 200, _openai_batch(stub, stub.add(batch))


def _complaint(stub: StubBatches, given: list[Json]) -> str | None:
    """What validation has against a file, as a code."""
    ids = [one["custom_id"] for one in given]
    if stub.plan.full:
        stub.plan.full -= 1
        return "token_limit_exceeded"
    if len(given) > stub.plan.max_lines:
        return "too_many_tasks"
    if len({one["body"]["model"] for one in given}) != 1:
        return "model_mismatch"
    if len(set(ids)) < len(ids):
        return "duplicate_custom_id"
    well = {"method": "POST", "url": "/v1/chat/completions"}
    if any(not well.items() <= one.items() for one in given):
        return "url_mismatch"
    return None if all(CUSTOM_ID.fullmatch(one) for one in ids) else "invalid_custom_id"


def _create_messages(stub: StubBatches, request: Request) -> Answer:
    if len(request.body) > stub.plan.max_bytes:
        return _anthropic_error(413, "request_too_large", "Request exceeds the maximum size.")
    given = request.json.get("requests") or []
    ids = [one["custom_id"] for one in given]
    if not 0 < len(given) <= stub.plan.max_lines:
        return _anthropic_error(400, "invalid_request_error", "requests: too many or too few items")
    if len(set(ids)) < len(ids) or not all(CUSTOM_ID.fullmatch(one) for one in ids):
        return _anthropic_error(400, "invalid_request_error", "requests: custom_id")
    lines = [stub.line(place, one["custom_id"], one["params"]) for place, one in enumerate(given)]
    batch = stub.add(Batch(stub.new_id("msgbatch"), lines, time.time()))
    return 200, _anthropic_batch(stub, batch)


def _page(
    stub: StubBatches, request: Request, after: str, render: Callable[[StubBatches, Batch], Json]
) -> Json:
    """A page of the batches, the newest first."""
    query = parse_qs(urlsplit(request.path).query)
    newest = list(reversed(stub.known.values()))
    if after in query:
        newest = newest[[batch.id for batch in newest].index(query[after][0]) + 1 :]
    page = newest[: int(query.get("limit", ["20"])[0])]
    data = [render(stub, stub.poll(batch)) for batch in page]
    ends = {"first_id": page[0].id, "last_id": page[-1].id} if page else {}
    return {"object": "list", "data": data, "has_more": len(page) < len(newest), **ends}


def _openai_batch(stub: StubBatches, batch: Batch) -> Json:
    expired = any(line.fate == "expired" for line in batch.lines)
    state = "validating" if batch.polls == 0 else "in_progress"
    if batch.error:
        state = "failed"
    elif batch.ended:
        state = "cancelled" if batch.cancelled else "expired" if expired else "completed"
        _write_files(stub, batch)
    elif batch.cancelled:
        state = "cancelling"
    errors = {"object": "list", "data": [{"code": batch.error, "message": "…", "line": 1}]}
    return {
        "id": batch.id,
        "object": "batch",
        "endpoint": "/v1/chat/completions",
        "errors": errors if batch.error else None,
        "input_file_id": batch.input_file,
        "completion_window": "24h",
        "status": state,
        "output_file_id": _file_of(stub, f"file_out_{batch.id}"),
        "error_file_id": _file_of(stub, f"file_err_{batch.id}"),
        "created_at": int(batch.created_at),
        "expires_at": int(batch.created_at) + DAY,
        "request_counts": {
            "total": len(batch.lines),
            "completed": len(batch.done),
            "failed": len(batch.lines) - len(batch.done) if batch.ended else 0,
            **stub.counts,
        },
        "metadata": batch.metadata,
    }


def _file_of(stub: StubBatches, name: str) -> str | None:
    return name if name in stub.files else None


def _write_files(stub: StubBatches, batch: Batch) -> None:
    """Replies into the output file, errors into the error file; a file without lines is not."""
    for kind, fates in (("out", PAID), ("err", UNPAID)):
        lines = stub.results(batch, lambda line, fate: _openai_line(stub, line, fate), fates)
        if lines and not batch.filed:
            stub.files[f"file_{kind}_{batch.id}"] = lines
    batch.filed = True


def _openai_line(stub: StubBatches, line: Line, fate: str) -> Json:
    reply: Json = {"id": f"batch_req_{line.custom_id}", "custom_id": line.custom_id}
    if fate in {"expired", "cancelled"}:
        words = {"code": f"batch_{fate}", "message": f"This request was not executed: {fate}."}
        return reply | {"response": None, "error": words}
    if fate in {"refused", "overloaded"}:
        code = 400 if fate == "refused" else 500
        words = stub.plan.complaint if fate == "refused" else "The server had an error."
        body = {"error": {"message": words, "type": "invalid_request_error", "code": None}}
        response = {"status_code": code, "request_id": "req", "body": body}
        return reply | {"response": response, "error": None}
    body = json.loads(completion(stub.content(line.body), stub.usage))
    response = {"status_code": 200, "request_id": "req", "body": body}
    return reply | {"response": response, "error": None}


def _anthropic_batch(stub: StubBatches, batch: Batch) -> Json:
    fates = [line.fate for line in batch.lines]
    counts = dict.fromkeys(("processing", "succeeded", "errored", "canceled", "expired"), 0)
    if not batch.ended:
        counts["processing"] = len(fates)
    elif batch.cancelled:
        counts |= {"succeeded": len(batch.done), "canceled": len(fates) - len(batch.done)}
    else:
        counts["succeeded"] = len(batch.done)
        counts["expired"] = fates.count("expired")
        counts["errored"] = len(fates) - counts["succeeded"] - counts["expired"]
    running = "canceling" if batch.cancelled else "in_progress"
    return {
        "id": batch.id,
        "type": "message_batch",
        "processing_status": "ended" if batch.ended else running,
        "request_counts": counts | stub.counts,
        "created_at": _iso(batch.created_at),
        "expires_at": _iso(batch.created_at + DAY),
        "ended_at": _iso(time.time()) if batch.ended else None,
        "cancel_initiated_at": _iso(batch.created_at) if batch.cancelled else None,
        "results_url": f"/v1/messages/batches/{batch.id}/results" if batch.ended else None,
    }


def _anthropic_line(stub: StubBatches, line: Line, fate: str) -> Json:
    if fate in {"expired", "cancelled"}:
        result: Json = {"type": "canceled" if fate == "cancelled" else fate}
    elif fate in {"refused", "overloaded"}:
        kind = "invalid_request_error" if fate == "refused" else "api_error"
        error = {"type": kind, "message": stub.plan.complaint if fate == "refused" else "No."}
        result = {"type": "errored", "error": {"type": "error", "error": error}}
    else:
        text = stub.content(line.body)
        result = {"type": "succeeded", "message": json.loads(message(text, stub.usage))}
    return {"custom_id": line.custom_id, "result": result}


def _openai_error(code: int, kind: str, words: str) -> Answer:
    return code, {"error": {"message": words, "type": kind, "param": None, "code": None}}


def _anthropic_error(code: int, kind: str, words: str) -> Answer:
    return code, {"type": "error", "error": {"type": kind, "message": words}}


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")
