"""Spans of real exporters for some minutes: how many answers are lost, and how long one takes.

Starts `searchqa up` and sends it traces by the SDK of OpenTelemetry, from several applications at
once. Each trace is a chain with a retriever of five notes, a model call and five plain spans.

    python benchmarks/traces.py --minutes 5 --spans 10000
"""

import argparse
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import psycopg
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExportResult

from app.operations.embedded.data_dir import StackInfo, running_stack
from app.operations.embedded.ports import free_port

SPANS_OF_A_TRACE = 8
APPLICATIONS = 4
NOTE = "배양기 {0}번은 {1}도로 맞추고, 이산화탄소 농도는 5퍼센트로 유지한다. " * 8
START_SECONDS = 120
SETTLE_SECONDS = 180
PARTS = {"api": "app.api", "dispatcher": "worker.dispatcher"}

LATENCY = """
SELECT count(*), count(DISTINCT a.traceparent),
    percentile_cont(ARRAY[0.5, 0.99, 1]) WITHIN GROUP (
        ORDER BY extract(epoch FROM a.created_at) - split_part(a.question, '@', 2)::float8),
    (SELECT count(*) FROM qa_evaluations WHERE status = 'succeeded')
FROM qa_answers a WHERE a.origin = 'otlp'
"""
COUNTS = "SELECT name, sum(count)::bigint FROM trace_counts GROUP BY name ORDER BY name"


class Counting(OTLPSpanExporter):
    """Counts exports that failed; their spans are dropped by the SDK."""

    failed = 0

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        result = super().export(spans)
        if result is not SpanExportResult.SUCCESS:
            type(self).failed += len(spans)
        return result


@contextlib.contextmanager
def stack(folder: Path) -> Iterator[StackInfo]:
    port = free_port("127.0.0.1")
    settings = {"SEARCHQA_DATA_DIR": str(folder), "SEARCHQA_PORT": str(port)}
    with (folder.parent / "up.log").open("w") as log:
        process = subprocess.Popen(
            [Path(sys.executable).with_name("searchqa"), "up", "--no-flower", "--no-auth"],
            env=os.environ | settings,
            stdout=log,
            stderr=log,
        )
        try:
            deadline = time.monotonic() + START_SECONDS
            while not (info := running_stack(folder)):
                if time.monotonic() > deadline or process.poll() is not None:
                    sys.exit("The stack did not start; see up.log.")
                time.sleep(0.1)
            yield info
        finally:
            process.send_signal(signal.SIGINT)
            process.wait()


def application(url: str, name: str, traces: int, seconds: float) -> None:
    """Sends `traces`, evenly over the time, and what is left at the end."""
    provider = TracerProvider(resource=Resource.create({"service.name": name}))
    exporter = Counting(f"{url}/v1/traces", compression=Compression.Gzip)
    provider.add_span_processor(BatchSpanProcessor(exporter, max_queue_size=20_000))
    tracer = provider.get_tracer("benchmark")
    begun = time.monotonic()
    for number in range(traces):
        time.sleep(max(0.0, begun + seconds * number / traces - time.monotonic()))
        one_trace(tracer, number)
    provider.shutdown()


def one_trace(tracer: trace.Tracer, number: int) -> None:
    question = f"배양기 {number}번은 몇 도인가요? @{time.time()}"
    answer = f"배양기 {number}번은 {number % 60}도로 맞춥니다. [노트 1]"
    with tracer.start_as_current_span("ask") as chain:
        said(chain, "CHAIN", question, answer)
        for step in range(SPANS_OF_A_TRACE - 3):
            with tracer.start_as_current_span(f"step {step}"):
                pass
        with tracer.start_as_current_span("search") as search:
            said(search, "RETRIEVER", question, "")
            for index in range(5):
                text = NOTE.format(number + index, (number + index) % 60)
                search.set_attribute(f"retrieval.documents.{index}.document.content", text)
        with tracer.start_as_current_span("model") as model:
            said(model, "LLM", question, answer)


def said(span: trace.Span, kind: str, question: str, answer: str) -> None:
    span.set_attribute("openinference.span.kind", kind)
    span.set_attribute("input.value", question)
    span.set_attribute("output.value", answer)


def cpu_seconds(module: str, data: Path) -> float:
    """Of the processes of this stack that run `module`."""
    ticks = 0
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            command = (process / "cmdline").read_bytes().decode()
            environment = (process / "environ").read_bytes().decode(errors="replace")
            if module in command and str(data) in environment:
                fields = (process / "stat").read_text().rpartition(")")[2].split()
                ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--minutes", type=float, default=5)
    arguments.add_argument("--spans", type=int, default=10_000, help="spans a minute")
    given = arguments.parse_args()
    traces = round(given.spans * given.minutes / SPANS_OF_A_TRACE / APPLICATIONS)
    with tempfile.TemporaryDirectory(prefix="sqa-") as folder:
        data = Path(folder) / "data"
        with stack(data) as info:
            measure(info, data, traces, given.minutes * 60)


def measure(info: StackInfo, data: Path, traces: int, seconds: float) -> None:
    before = {part: cpu_seconds(module, data) for part, module in PARTS.items()}
    threads = [
        threading.Thread(target=application, args=(info.api_url, f"app-{n}", traces, seconds))
        for n in range(APPLICATIONS)
    ]
    begun = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sent, took = traces * APPLICATIONS, time.monotonic() - begun
    with psycopg.connect(info.database_url, autocommit=True) as connection:
        deadline = time.monotonic() + SETTLE_SECONDS
        while True:
            row = connection.execute(LATENCY).fetchone()
            if row is None or row[0] >= sent or time.monotonic() > deadline:
                break
            time.sleep(0.5)
        counts: dict[str, int] = dict(connection.execute(COUNTS).fetchall())
    assert row is not None
    answers, distinct, latency, judged = row
    spans = sent * SPANS_OF_A_TRACE
    print(f"spans sent         {spans:,} in {took:.0f} s ({60 * spans / took:,.0f} a minute)")
    print(f"exports failed     {Counting.failed:,} spans")
    print(
        f"answers            {answers:,} of {sent:,}; lost {sent - distinct:,}, twice"
        f" {answers - distinct:,}; judged by then {judged:,}"
    )
    if latency:
        print("question to answer row, s: median {:.1f}, p99 {:.1f}, max {:.1f}".format(*latency))
    for part, module in PARTS.items():
        used = cpu_seconds(module, data) - before[part]
        print(f"CPU of {part:<12}{1000 * used / spans:.2f} ms a span")
    print(f"counted            {counts}")


if __name__ == "__main__":
    main()
