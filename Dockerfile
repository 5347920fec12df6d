# The app for many visitors, as docs/howto/serve.md tells.
FROM python:3.13-slim

# Nobody is root in here, and only /data is written to: runs, sweeps and compiled kernels.
RUN useradd --uid 10001 --home-dir /data --create-home trees

WORKDIR /app
COPY constraints.txt pyproject.toml README.md LICENSE ./
COPY treecore treecore
RUN pip install --no-cache-dir -c constraints.txt -e ".[app]"
COPY app.py ./
COPY .streamlit .streamlit
COPY sample_data sample_data
COPY benchmarks/__init__.py benchmarks/marks.py benchmarks/
COPY benchmarks/published benchmarks/published
COPY benchmarks/results/changes.toml benchmarks/results/
COPY pages pages
COPY ui ui
RUN python -m compileall -q .

USER trees
ENV HOME=/data \
    NUMBA_CACHE_DIR=/data/kernels \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    STREAMLIT_BROWSER_SERVER_ADDRESS=localhost \
    STREAMLIT_SERVER_ADDRESS=0.0.0.0 \
    STREAMLIT_SERVER_HEADLESS=true \
    STREAMLIT_SERVER_PORT=8501 \
    TREECORE_LOG=info \
    TREECORE_RUNS=/data/runs \
    TREECORE_SWEEPS=/data/sweeps
# A new volume begins with these kernels; where the processor is another one, they are compiled anew.
RUN python -c "import treecore; treecore.warm_up()"
VOLUME /data
EXPOSE 8501

HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["python", "-c", "\
import os, urllib.request as request; \
base = os.environ.get('STREAMLIT_SERVER_BASE_URL_PATH', '').strip('/'); \
place = '/'.join(filter(None, [os.environ['STREAMLIT_SERVER_PORT'], base, 'healthz'])); \
request.urlopen(f'http://127.0.0.1:{place}', timeout=4)"]
CMD ["streamlit", "run", "app.py"]
