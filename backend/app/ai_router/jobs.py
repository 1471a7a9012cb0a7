"""Types of jobs that call models; apart from the router, which must not load SQLAlchemy."""

from app.ai_router.router import Providers
from app.platform.jobs.job import JobContext, JobHandler

ModelJobContext = JobContext[Providers]
ModelJobHandler = JobHandler[Providers]
