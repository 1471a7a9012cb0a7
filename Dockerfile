# One image for every process: the API, the workers, the dispatcher, Flower and the migration.
# Digests are of the index of all platforms; `docker buildx imagetools inspect IMAGE` prints a newer.
FROM node:22-bookworm-slim@sha256:f32b81066cde10a75dbac96646099533316d94bac4150c55da1636e1f0ffdc46 AS pages
WORKDIR /pages
COPY frontend/package.json frontend/package-lock.json frontend/.npmrc ./
RUN npm ci --ignore-scripts
COPY frontend .
RUN npm run build

FROM python:3.12-slim-bookworm@sha256:782412e85d0f0984994c290652577d4018aff08145c85b262bb63dc0c7522254

ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1

RUN useradd --system --uid 10001 --create-home searchqa
WORKDIR /app

# The packages change seldom: their layer is rebuilt only with the lock.
COPY requirements.lock ./
RUN pip install --require-hashes -r requirements.lock

COPY pyproject.toml hatch_build.py README.md LICENSE NOTICE alembic.ini ./
COPY backend backend
COPY worker worker
COPY migrations migrations
COPY clients/python/src clients/python/src
COPY docs/*.md docs/
RUN pip install --no-build-isolation --no-deps .

COPY --from=pages /pages/dist pages
ENV SEARCHQA_UI_DIR=/app/pages

USER searchqa
EXPOSE 8765
CMD ["python", "-m", "app.api", "--host", "0.0.0.0", "--port", "8765"]
