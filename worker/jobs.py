"""Which jobs there are, and the loop that does them."""

from collections.abc import Collection

from celery import signals

from app.ai_router.jobs import ModelJobHandler
from app.answering.refine.automatic import REFINE_JOB
from app.answering.refine.job import refine
from app.experiments.benches.job import judge_bench_part
from app.experiments.datasets.generation import GENERATE_DATASET, generate_dataset
from app.experiments.queries import EVALUATE_CASES, JUDGE_BENCH, JUDGE_SUCCESSION
from app.experiments.runs.job import evaluate_cases
from app.experiments.succession.job import judge_succession_part
from app.experiments.trials import JUDGE_TRIAL, run_trial
from app.notes.embedding import INDEX_JOB, embed_notes, index_vectors
from app.notes.vectors import EMBED_JOB
from app.platform.broker import Publisher, Queue
from app.platform.settings import Settings
from app.quality.failures.job import GROUP_JOB, group_failures
from app.quality.rejudging.job import rejudge
from app.quality.rejudging.service import REJUDGE_JOB
from app.verdicts.batches.job import judge_batch
from app.verdicts.batches.queries import BATCH_JOB
from app.verdicts.lifecycle.publisher import BackgroundPublisher
from worker.job_loop import JobLoop

# A job of another kind waits for a process with its handler, as during an upgrade.
HANDLERS: dict[str, ModelJobHandler] = {
    REFINE_JOB: refine,
    EMBED_JOB: embed_notes,
    INDEX_JOB: index_vectors,
    EVALUATE_CASES: evaluate_cases,
    GENERATE_DATASET: generate_dataset,
    GROUP_JOB: group_failures,
    REJUDGE_JOB: rejudge,
    JUDGE_BENCH: judge_bench_part,
    JUDGE_SUCCESSION: judge_succession_part,
    BATCH_JOB: judge_batch,
    JUDGE_TRIAL: run_trial,
}


def make_job_loop(settings: Settings, database_url: str, queues: Collection[str]) -> JobLoop:
    """The loop and the publisher of the evaluations that its jobs store. A process that does not
    serve the bulk queue does one job at a time."""
    assert settings.redis.message_url, "the Celery application has asked for it"
    publisher = BackgroundPublisher(
        Publisher(settings.redis.message_url, settings), batch=settings.worker.dispatch_batch
    )
    publisher.start()
    signals.worker_shutdown.connect(lambda **_: publisher.stop(), weak=False)
    alone = Queue.BULK not in queues
    return JobLoop(settings, database_url, HANDLERS, publisher.publish, alone=alone)
