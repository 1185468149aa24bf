"""Drive Chromium from a test, over a pipe: no driver, no port, nothing to install but the browser."""

import contextlib
import importlib.util
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-dev-shm-usage --remote-debugging-pipe"
).split()
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SCRIPTS = ("axe_playwright_python", "axe_core_python")
AT_3_AND_4 = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(x), fcntl.F_DUPFD, 10) for x in sys.argv[1:3]]
os.dup2(ends[0], 3), os.dup2(ends[1], 4)
os.execv(sys.argv[3], sys.argv[3:])
"""


def find_browser():
    return next(filter(None, map(shutil.which, NAMES)), None)


def find_axe():
    """The script of axe-core that an installed package carries, the newest known package first."""
    for name in SCRIPTS:
        spec = importlib.util.find_spec(name)
        path = Path(spec.origin).with_name("axe.min.js") if spec is not None and spec.origin else None
        if path is not None and path.is_file():
            return path.read_text(encoding="utf-8")
    return None


def why_not():
    """Why pages cannot be opened here; empty where they can."""
    if find_browser() is None:
        return "no Chromium is installed (looked for " + ", ".join(NAMES) + ")"
    if find_axe() is None:
        return "axe-core is not installed: pip install 'rulewright[dev]'"
    return ""


def axe_version(script):
    return re.search(r"axe v([0-9.]+)", script[:400])[1]


class Browser:
    """One browser with one page."""

    def __init__(self, folder):
        to_it, from_us = os.pipe()
        to_us, from_it = os.pipe()
        command = [find_browser(), *FLAGS, f"--user-data-dir={folder}", "about:blank"]
        self.process = subprocess.Popen(
            [sys.executable, "-c", AT_3_AND_4, str(to_it), str(from_it), *command],
            pass_fds=(to_it, from_it),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(to_it), os.close(from_it)
        self.out, self.back = from_us, to_us
        self.waiting, self.number, self.session = b"", 0, None
        try:
            target = self.call("Target.createTarget", url="about:blank")["targetId"]
            self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            self.call("Page.enable")
        except BaseException:
            self.close()
            raise

    def close(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for end in (self.out, self.back):
            os.close(end)

    def message(self, until):
        """The next message of the browser."""
        while b"\0" not in self.waiting:
            ready, _, _ = select.select([self.back], [], [], max(0.0, until - time.monotonic()))
            more = os.read(self.back, 1 << 20) if ready else b""
            if not more:
                raise TimeoutError("the browser does not answer")
            self.waiting += more
        text, _, self.waiting = self.waiting.partition(b"\0")
        return json.loads(text)

    def call(self, method, seconds=600, **params):
        self.number += 1
        number = self.number
        call = {"id": number, "method": method, "params": params}
        if self.session is not None:
            call["sessionId"] = self.session
        data = json.dumps(call).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data) :]
        until = time.monotonic() + seconds
        while True:
            found = self.message(until)
            if found.get("id") == number:
                if "error" in found:
                    raise RuntimeError(f"{method}: {found['error']}")
                return found["result"]

    def open(self, path, query="", width=1200, dark=False):
        """Open a file at a width, in light or dark colours."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        colors = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("Emulation.setEmulatedMedia", features=colors)
        url = Path(path).resolve().as_uri() + query
        self.call("Page.navigate", url=url)
        until = time.monotonic() + 600
        while self.run("document.URL + ' ' + document.readyState") != f"{url} complete":
            if time.monotonic() > until:
                raise TimeoutError(url)
            time.sleep(0.02)

    def run(self, script):
        """The value of a script, waited for."""
        made = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in made:
            raise RuntimeError(made["exceptionDetails"])
        return made["result"].get("value")

    def violations(self, axe):
        """What axe-core finds wrong with the open page: (rule, the markup of the first places)."""
        self.run(axe + "; undefined")
        found = self.run(
            "axe.run(document, {resultTypes: ['violations']}).then(r => r.violations.map(v => "
            "[v.id, v.help, v.nodes.length, v.nodes.slice(0, 3).map(n => n.html.slice(0, 200) + ' ' + (n.any[0] || {}).message)]))"
        )
        return [tuple(map(str, v)) for v in found]
