# SPDX-License-Identifier: BSD-2-Clause
"""faults.py [--token] LINK: requests to a run that serves, good and bad ones (tests/e2e/output/serve.sh)."""
import json
import os
import re
import socket
import sys
import time
from urllib.parse import urlsplit

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "output"))
from validate import validator  # noqa: E402

link = urlsplit(sys.argv[-1])
address = (link.hostname, link.port)
host = f"{link.hostname}:{link.port}"
bearer = "" if sys.argv[1] == "--token" else f"Authorization: Bearer {link.query.removeprefix('token=')}\r\n"


def raw(data, seconds=5):
    """What the server answers to these bytes, until it closes."""
    with socket.create_connection(address, seconds) as s:
        try:
            s.sendall(data)
        except (ConnectionResetError, BrokenPipeError):
            pass
        answer = b""
        try:
            while part := s.recv(65536):
                answer += part
        except (ConnectionResetError, socket.timeout):
            pass
    return answer


def get(path, headers="", method="GET", name=host):
    answer = raw(f"{method} {path} HTTP/1.1\r\nHost: {name}\r\nConnection: close\r\n{bearer}{headers}\r\n".encode())
    head, _, body = answer.partition(b"\r\n\r\n")
    return (int(head.split(b" ")[1]) if head else 0), head.decode("latin-1"), body


def expect(what, got, want):
    if got != want:
        sys.exit(f"{what}: {got!r} instead of {want!r}")


if sys.argv[1] == "--token":
    token = link.query.removeprefix("token=")
    expect("the page has no data", get("/")[0], 200)
    expect("no token", get("/about")[0], 401)
    expect("no token for metrics", get("/metrics")[0], 401)
    expect("a wrong token", get("/about?token=" + "0" * 32)[0], 401)
    expect("a part of the token", get("/about?token=" + token[:31])[0], 401)
    expect("the token", get("/about?token=" + token)[0], 200)
    expect("as a header", get("/metrics", f"Authorization: Bearer {token}\r\n")[0], 200)
    expect("a wrong header", get("/metrics", f"Authorization: Bearer {token}0\r\n")[0], 401)
    for path in ("log", "program", "rows?agg=0", "csv?agg=0", "json?agg=0", "events", "heat", "flame", "stacks", "trace"):
        expect(path + " without a token", get("/" + path)[0], 401)
    cookie = re.search(r"^Set-Cookie: (dtx_\w+=\w+); Path=/; HttpOnly; SameSite=Strict\r?$", get("/?token=" + token)[1], re.M)
    expect("a cookie for a wrong token", "Set-Cookie" in get("/?token=" + "0" * 32)[1], False)
    expect("the cookie", get("/log", f"Cookie: {cookie.group(1)}\r\n")[0], 200)
    expect("a wrong cookie", get("/log", f"Cookie: {cookie.group(1)}0\r\n")[0], 401)
    expect("a page of another site", get("/log?token=" + token, "Origin: http://evil.example.org\r\n")[0], 403)
    expect("a page of another port", get("/log?token=" + token, f"Origin: http://{link.hostname}:1\r\n")[0], 403)
    expect("its own page", get("/log?token=" + token, f"Origin: http://{host}\r\n")[0], 200)
    sys.exit(0)

# What everybody gets.
status, head, body = get("/")
expect("the page", status, 200)
for header in ("Content-Security-Policy: default-src 'none'", "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer"):
    if header not in head:
        sys.exit(f"no {header}: {head}")
if re.search(rb"https?://|<script>|style=|onclick", body):
    sys.exit("the page has a script or a style of its own, or names another place")
about = json.loads(get("/about")[2])
expect("aggregations", [a["name"] for a in about["aggs"]], ["rounds", "q", "_", "st"])
expect("program", get("/program")[2].decode().strip(), about["programs"][0].strip())

# Metrics: names, labels, help, buckets.
time.sleep(0.7)
text = get("/metrics")[2].decode()
for want in ('# HELP dtx_rounds_total Rounds of the "timer" \\\\ of this test.\n# TYPE dtx_rounds_total counter\n', '# TYPE dtx_q histogram\n',
             'dtx_q_bucket{le="7"} 0\n', 'dtx_info{version='):
    if want not in text:
        sys.exit(f"{want!r} is not in the metrics:\n{text}")
count = int(re.search(r'^dtx_q_count (\d+)$', text, re.M).group(1))
expect("a bucket", int(re.search(r'^dtx_q_bucket\{le="15"\} (\d+)$', text, re.M).group(1)), count)
if not re.search(r'^dtx_rounds_total\{execname="[^"]*",key2="a\\"b\\n\\\\xff"\} \d+$', text, re.M) and \
        not re.search(r'^dtx_rounds_total\{execname="[^"]*",[a-z_0-9]+="a\\"b\\n\\\\xff"\} \d+$', text, re.M):
    sys.exit(f"a key of odd bytes:\n{text}")
if 'dtx_errors_total{' not in text:
    sys.exit(f"the fault is not among the metrics:\n{text}")

# Rows, the log, downloads.
lines = get("/json?agg=0")[2].splitlines()
for line in lines:
    value = json.loads(line)
    for error in validator(value["type"]).iter_errors(value):
        sys.exit(f"json: {error.message}")
expect("json", [json.loads(line)["type"] for line in lines], ["begin", "aggregation", "row"])
row = json.loads(lines[2])
expect("a row", (row["aggregation"], {"hex": "6122620aff"} in row["keys"].values(), row["value"] > 0), ("@rounds", True, True))
status, head, body = get("/trace")
events = json.loads(body)["traceEvents"]                 # whole, though the run goes on
expect("a time line", ("attachment" in head, "text" in events[0]["args"]), (True, True))
part = get("/trace?from=0")[2]
expect("a part of it", (part.startswith(b'{"displayTimeUnit"'), get("/trace?from=7")[2][:20]), (True, part[7:27]))
expect("behind its end", get("/trace?from=999999999999")[::2], (200, b""))
rows = json.loads(get("/rows?agg=0&filter=nothing-has-this")[2])
expect("filtered rows", rows, {"matching": 0, "rows": []})
expect("the log", 'five "5" <b>' in [line[1] for line in json.loads(get("/log")[2])["lines"]], True)
expect("csv", get("/csv?agg=2")[2].splitlines()[0].split(b",")[1:], [b"count", b"per s"])
for form, begin in (("folded", b""), ("pprof", b"\x1f\x8b"), ("svg", b"<svg")):
    status, head, body = get("/stacks?agg=3&format=" + form)
    expect(form, (status, body.startswith(begin), "attachment" in head), (200, True, True))
expect("no such aggregation", get("/rows?agg=99")[0], 404)
expect("no such aggregation, json", get("/json?agg=99")[0], 404)
expect("no number of an aggregation", get("/csv?agg=-1")[0], 404)
expect("no format of stacks", get("/stacks?agg=3&format=foo")[0], 400)
expect("numbers that are none", get("/rows?agg=0&n=x&skip=1e9&column=99999999999")[0], 200)

# Bad requests.
expect("another site's name", get("/about", name="evil.example.org")[0], 403)
expect("POST", get("/about", method="POST")[0], 405)
expect("DELETE", get("/", method="DELETE")[0], 405)
for path in ("/../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/serve.js/", "/about%2f", "/x" * 4000):
    if get(path)[0] not in (400, 404, 414):
        sys.exit(f"{path[:40]} is answered with {get(path)[0]}")
answer = raw(b"GET / HTTP/1.1\r\nHost: " + host.encode() + b"\r\n" + b"X: " + b"y" * 1000000 + b"\r\n\r\n")
if answer and answer.split(b" ")[1] not in (b"400", b"413", b"431"):
    sys.exit(f"headers of 1 MB are answered with {answer[:60]}")
for junk in (b"\x00\xff\xfe\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\x00"):
    raw(junk, 1)

# Clients that send nothing, one byte after the other, or never read; and more of them than are let in.
silent = [socket.create_connection(address, 5) for _ in range(40)]
for s in silent[:20]:
    s.sendall(b"GET /ab")
deaf = [socket.create_connection(address, 5) for _ in range(20)]
for s in deaf:
    s.sendall(f"GET /events HTTP/1.1\r\nHost: {host}\r\n{bearer}\r\n".encode())
time.sleep(2.2)
refused = 0
for s in deaf:
    s.settimeout(2)
    try:
        refused += b" 503 " in s.recv(200)
    except (socket.timeout, ConnectionResetError):
        refused += 1
if refused < 4:
    sys.exit(f"{20 - refused} clients watch at the same time")
for s in silent + deaf:
    s.close()
for attempt in range(30):           # what was closed is noticed with the next event
    try:
        if get("/about")[0] == 200:
            break
    except (ConnectionError, socket.timeout):
        pass
    time.sleep(0.2)
else:
    sys.exit("it does not answer after the others have gone")

# A hundred that send a byte now and then shut nobody out, and none of them stays.
dripping = [socket.create_connection(address, 5) for _ in range(100)]
began = time.monotonic()
answered = cut = 0
while time.monotonic() - began < 15 and cut < len(dripping):
    cut = 0
    for s in dripping:
        try:
            s.send(b"G")
        except OSError:
            cut += 1
    answered += get("/about")[0] == 200
    time.sleep(0.5)
if answered < 10 or cut < len(dripping):
    sys.exit(f"beside dripping clients {answered} requests were answered; {cut} of the clients were cut off")
