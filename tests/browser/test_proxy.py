"""The app below a path, behind the proxies that docs/howto/serve.md shows, with TLS."""

import contextlib
import re
import shutil
import ssl
import subprocess
import urllib.error
import urllib.request

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.helpers.browser import free_port, serving
from tests.helpers.paths import ROOT
from tests.helpers.screen import Screen
from tests.helpers.wait import SECONDS, until

pytestmark = pytest.mark.slow

DOCUMENT = (ROOT / "docs/howto/serve.md").read_text(encoding="utf-8")
INSECURE = ssl._create_unverified_context()  # the certificate is this test's own


def shown(kind):
    """The document's configuration of a proxy."""
    return re.search(rf"^```{kind}\n(.*?)^```$", DOCUMENT, flags=re.MULTILINE | re.DOTALL)[1]


def replaced(text, **words):
    """Every one of the words is in the text, and is replaced."""
    for word, by in words.items():
        assert word in text, f"the document says {word}"
        text = text.replace(word, by)
    return text


def nginx(folder, port, server):
    """Command of the document's nginx, at a free port and with a certificate made here."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("no openssl on this machine, which makes the certificate")
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj",
         "/CN=127.0.0.1", "-keyout", folder / "key.pem", "-out", folder / "chain.pem"],
        check=True, capture_output=True,
    )  # fmt: skip
    block = replaced(
        shown("nginx"),
        **{
            "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;",
            "trees.example.org": "127.0.0.1",
            "/etc/ssl/trees/fullchain.pem": f"{folder}/chain.pem",
            "/etc/ssl/trees/privkey.pem": f"{folder}/key.pem",
            "127.0.0.1:8501": server,
        },
    )
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    (folder / "nginx.conf").write_text(
        f"daemon off;\npid {folder}/pid;\nerror_log {folder}/errors;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{places}{block}}}\n"
    )
    return ["-e", folder / "errors", "-p", folder, "-c", folder / "nginx.conf"]


def caddy(folder, port, server):
    """Command of the document's Caddy, with a certificate of its own making."""
    block = replaced(
        shown("caddy"),
        **{"trees.example.org {": f"https://127.0.0.1:{port} {{\ntls internal",
           "127.0.0.1:8501": server},
    )  # fmt: skip
    options = "admin off\nauto_https disable_redirects\nskip_install_trust\n"
    options += f"storage file_system {folder}/kept\n"
    (folder / "Caddyfile").write_text(f"{{\n{options}}}\n{block}")
    return ["run", "--config", folder / "Caddyfile", "--adapter", "caddyfile"]


@contextlib.contextmanager
def proxied(name, folder, server):
    """Start a proxy; gives the app's address behind it."""
    program = shutil.which(name) or shutil.which(f"/usr/sbin/{name}")
    if program is None:
        pytest.skip(f"no {name} on this machine; install Debian's package")
    port = free_port()
    words = {"nginx": nginx, "caddy": caddy}[name](folder, port, server)
    with (folder / "said").open("w") as said:
        process = subprocess.Popen([program, *words], stdout=said, stderr=said)
    address = f"https://127.0.0.1:{port}/trees"

    def up():
        assert process.poll() is None, (folder / "said").read_text()
        with contextlib.suppress(OSError):
            return status(f"{address}/healthz") == 200
        return False

    try:
        until(up, f"for {name}")
        yield address
    finally:
        process.terminate()
        process.wait(timeout=SECONDS)


def status(address):
    try:
        with urllib.request.urlopen(address, context=INSECURE, timeout=SECONDS) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The app below a path."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TREECORE_METRICS", "all")
        with serving(tmp_path_factory.mktemp("served"), base="trees") as served:
            yield served.address


@pytest.mark.parametrize("name", ["nginx", "caddy"])
def test_a_run_plays_and_goes_home_through_a_proxy(name, server, own_context, tmp_path):
    plain = server.removeprefix("http://").removesuffix("/trees")
    assert status(f"{server}/metrics") == 200
    with proxied(name, tmp_path, plain) as address:
        assert status(f"{address}/metrics") == 404
        assert status(f"{address}/_stcore/metrics") == 404
        assert status(address) == 200, "without the slash one is sent on"
        screen = Screen(own_context(ignore_https_errors=True).new_page())
        link = "v=1&data=spirals&size=500&test=0&seed=0&run=sgd&depth=4&epochs=100000"
        screen.page.goto(f"{address}/lab?{link}")
        screen.wait_for("paused")
        screen.press("Play")
        screen.wait_for("running")
        screen.take_in(10)
        screen.press("Pause")
        screen.wait_for("paused")
        screen.more()
        screen.press("Export")
        picture = screen.download("SVG").read_text(encoding="utf-8")
        assert picture.startswith("<svg")
        assert not re.search(r"NaN|Infinity|undefined", picture)
        assert screen.download("Tree as JSON").read_bytes().startswith(b"{")
        screen.page.get_by_role("link", name="Learn").first.click()
        screen.page.wait_for_url(f"{address}/learn**")
        screen.page.locator("[data-testid=over-strip][data-state]").wait_for(state="attached")
        assert screen.complaints == []
        screen.page.close()


def test_a_page_of_another_host_is_let_in_to_neither_socket(server):
    place = server.removeprefix("http://").removesuffix("/trees")
    for path in ("/trees/_stcore/stream", "/trees/live/" + "a" * 32):
        with pytest.raises(InvalidStatus) as refused:
            connect(f"ws://{place}{path}", origin="http://evil.example")
        assert refused.value.response.status_code == 403
