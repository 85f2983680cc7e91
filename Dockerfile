# The judging service with every language: docker compose up. What the sandbox needs of a container
# is in docs/how-to/run-in-a-container.md; `docker compose run --rm service doctor` says what is missing.
FROM python:3.12-slim-trixie AS build
RUN pip install --no-cache-dir "uv>=0.5.20"
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY sdkbench sdkbench
COPY sdkbench_verifiers sdkbench_verifiers
COPY samples samples
COPY datasets datasets
COPY corpus corpus
COPY proofs proofs
RUN uv build --wheel --out-dir /wheels

FROM python:3.12-slim-trixie
# Debian 13 has a Go, a Rust and a Node that are new enough.
# Leave out what your samples don't need: --build-arg LANGUAGES="nodejs npm".
ARG LANGUAGES="nodejs npm golang-go cargo rustc gcc libc6-dev default-jdk-headless maven"
ARG EXTRAS="serve,postgres"
RUN apt-get update \
    && apt-get install -y --no-install-recommends bubblewrap ca-certificates git $LANGUAGES \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir "$(ls /wheels/*.whl)[$EXTRAS]" && rm -rf /wheels
# Nobody here is root: the sandbox makes its namespaces as any user, and limits are held by a watcher.
RUN useradd --create-home --uid 10001 judge \
    && mkdir /data /cache && chown judge: /data /cache
USER judge
WORKDIR /data
ENV SDKBENCH_CACHE=/cache PYTHONDONTWRITEBYTECODE=1
VOLUME ["/data", "/cache"]
EXPOSE 8643
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD \
    ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8643/healthz', timeout=4)"]
ENTRYPOINT ["sdkbench"]
CMD ["serve", "--host=0.0.0.0"]
STOPSIGNAL SIGTERM
