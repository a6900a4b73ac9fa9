# SPDX-License-Identifier: BSD-2-Clause
"""Drives a headless Chromium by the DevTools protocol.  Debian's python3-websockets is used.

with Browser() as page:
    page.open(url)                  waits until it is loaded
    page.value("1 + 1")             the value of an expression; promises are awaited
    page.until("x > 1", seconds=5)  waits until it is true, or fails
    page.picture("file.png")        a screenshot
"""
import asyncio
import base64
import json
import os
import re
import shutil
import subprocess
import tempfile
import time

import websockets


class Failed(Exception):
    pass


class Browser:
    def __init__(self, width=1280, height=800, dark=False):
        self.size, self.dark = (width, height), dark
        self.number, self.events, self.problems = 0, [], []

    def __enter__(self):
        self.home = tempfile.mkdtemp()
        self.loop = asyncio.new_event_loop()
        self.process = subprocess.Popen(
            ["/usr/bin/chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--no-first-run", "--disable-background-networking", "--hide-scrollbars", "--remote-debugging-port=0",
             f"--user-data-dir={self.home}", f"--window-size={self.size[0]},{self.size[1]}", "about:blank"],
            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, start_new_session=True)
        for line in self.process.stderr:
            found = re.search(r"DevTools listening on ws://([^/]+)/", line)
            if found:
                break
        else:
            raise Failed("chromium does not start")
        self._drain()
        self._run(self._connect(found.group(1)))
        self.call("Page.enable")
        self.call("Runtime.enable")
        self.call("Log.enable")
        self.call("Network.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=self.size[0], height=self.size[1], deviceScaleFactor=1, mobile=False)
        if self.dark:
            self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        return self

    def __exit__(self, *why):
        try:
            self._run(self.socket.close())
        except Exception:
            pass
        try:
            os.killpg(self.process.pid, 9)
        except ProcessLookupError:
            pass
        self.process.wait()
        shutil.rmtree(self.home, ignore_errors=True)

    def _drain(self):
        import threading
        threading.Thread(target=lambda: [None for _ in self.process.stderr], daemon=True).start()

    def _run(self, what, seconds=60):
        return self.loop.run_until_complete(asyncio.wait_for(what, seconds))

    async def _connect(self, where):
        import urllib.request
        for page in json.load(urllib.request.urlopen(f"http://{where}/json")):
            if page["type"] == "page":
                self.socket = await websockets.connect(page["webSocketDebuggerUrl"], max_size=None)
                return
        raise Failed("chromium has no page")

    def _event(self, message):
        self.events.append(message)
        if message["method"] == "Runtime.exceptionThrown":
            self.problems.append(message["params"]["exceptionDetails"].get("exception", {}).get("description", "exception"))
        if message["method"] == "Log.entryAdded" and message["params"]["entry"]["level"] == "error":
            self.problems.append(" ".join([message["params"]["entry"]["text"], message["params"]["entry"].get("url", "")]))

    async def _call(self, method, params):
        self.number += 1
        await self.socket.send(json.dumps({"id": self.number, "method": method, "params": params}))
        while True:
            message = json.loads(await self.socket.recv())
            if message.get("id") == self.number:
                if "error" in message:
                    raise Failed(f"{method}: {message['error']['message']}")
                return message["result"]
            if "method" in message:
                self._event(message)

    def call(self, method, **params):
        return self._run(self._call(method, params))

    def open(self, url):
        """Returns the seconds until the page was loaded and drawn."""
        began = time.monotonic()
        self.call("Page.navigate", url=url)
        self.until("document.readyState === 'complete'", 30)
        self.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
        return time.monotonic() - began

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise Failed(f"{expression}: {result['exceptionDetails']['exception'].get('description')}")
        return result["result"].get("value")

    def until(self, expression, seconds=10):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.value(f'!!({expression})'):
                return
            time.sleep(0.05)
        raise Failed(f"not within {seconds} s: {expression}")

    def click(self, selector):
        """A click of the mouse in the middle of the first element."""
        x, y = self.value(f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'nearest'}});"
                          " const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()")
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def picture(self, path, selector=None):
        """Of what is seen, or of one element."""
        clip = {}
        if selector:
            x, y, width, height = self.value(f"(() => {{ const r = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
                                             " return [r.x + scrollX, r.y + scrollY, r.width, r.height]; })()")
            clip = {"clip": {"x": x, "y": y, "width": width, "height": height, "scale": 1}, "captureBeyondViewport": True}
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        with open(path, "wb") as out:
            out.write(base64.b64decode(self.call("Page.captureScreenshot", **clip)["data"]))
