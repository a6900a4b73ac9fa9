# SPDX-License-Identifier: BSD-2-Clause
"""collector.py STEP…: talks to an agent (cmd/fleet/frame.h) on the standard streams of a child.

The environment names the agent ($AGENT), the image ($IMAGE) and where its stream goes ($STREAM). Steps: hello, describe, load or load:IMAGE, go, option:NAME (%00: a NUL), bye,
end (leases until it ends), lease:MS, deaf (nothing is said until it ends by itself), close (the end of its input), stop, killed (the process in the file pid beside $IMAGE), raw:TEXT.
Prints each frame that is not a stream: its kind, and the first line of its body.
"""
import itertools
import os
import struct
import subprocess
import sys
import urllib.parse

agent = subprocess.Popen(os.environ["AGENT"], shell=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
NUMBERS = itertools.count()
MAGIC = b"\0DTX-AGENT-1\n"


def put(kind, body=b""):
    try:
        agent.stdin.write(struct.pack("<IB", len(body), ord(kind)) + next(NUMBERS).to_bytes(3, "little") + body)
        agent.stdin.flush()
    except BrokenPipeError:
        pass


def take():
    head = agent.stdout.read(8)
    if len(head) < 8:
        return None, b""
    length, kind = struct.unpack("<IB3x", head)
    return chr(kind), agent.stdout.read(length)


stream = open(os.environ.get("STREAM", "/dev/null"), "wb")


def until(*wanted, leases=True):
    while True:
        kind, body = take()
        if kind == "S":
            stream.write(body)
        elif kind == "M":
            stream.write(body)
            if not body:
                print("M")
        elif kind == "K":
            if leases:
                put("k")
        elif kind:
            print(kind, body.decode(errors="replace").split("\n")[0], flush=True)
        if kind is None or kind in wanted and (kind != "M" or not body):
            return body


for step in sys.argv[1:]:
    name, _, value = step.partition(":")
    if name == "hello":
        assert agent.stdout.read(len(MAGIC)) == MAGIC
        print(until("H").decode(), end="")
    elif name == "describe":
        put("d")
        until("M")
    elif name == "option":
        put("o", urllib.parse.unquote_to_bytes(value))
    elif name == "command":
        put("c", value.encode())
    elif name == "load":
        put("i", open(value or os.environ["IMAGE"], "rb").read())
        put("l")
        until("R", "E")
    elif name == "go":  # go:TOKEN
        put("g", value.encode())
        until("B", "E")
    elif name == "resume":  # resume:TOKEN BYTES
        put("r", value.encode())
        until("J", "E")
    elif name == "bye":
        put("b")
    elif name == "lease":
        put("k", value.encode())
    elif name == "end":
        until("E")
    elif name == "deaf":
        until("E", leases=False)
    elif name == "stop":
        put("x")
    elif name == "killed":
        os.kill(int(open(os.path.join(os.path.dirname(os.environ["IMAGE"]), "pid")).read()), 9)
    elif name == "close":
        try:
            agent.stdin.close()
        except BrokenPipeError:
            pass
    elif name == "raw":
        agent.stdin.write(value.encode())
        agent.stdin.flush()
        until("E")
stream.close()
try:
    agent.stdin.close()
except BrokenPipeError:
    pass
until(leases=False)
print("status", agent.wait())
