# SPDX-License-Identifier: BSD-2-Clause
"""between.py HOW AGENT…: stands between a collector and an agent, and is what HOW says.

banner: writes lines first. old, foreign, poor, ahead: the agent's HELLO says another version, machine, no rights, a wrong clock.
rubbish: after HELLO come bytes that are no frames. endless: bytes without end. lies: a frame of a stream before there is one.
slow: each piece waits a little, and comes a byte more than half at a time. stall:N: N pieces of the stream, and the others 3 s later.
idle: alive, but it does nothing that it is asked. forge: why it ends has a line like dtx's. mute: it never says a word.
noise: the stream itself is random. again: a run that has begun is "stale".
restless: it is never told to end.
double: each frame comes twice, in both directions. cut:N, swap:N, lose:N: after N pieces of the stream the connection ends, two of
them change places, one is lost: of each connection. die:N: it ends, and the agent is killed. deaf:N: nothing comes any more, both ways.
"""
import os
import random
import struct
import subprocess
import sys
import threading
import time

how, _, number = sys.argv[1].partition(":")
number = int(number or 0)
out = sys.stdout.buffer
if how == "mute":
    time.sleep(1000)
if how == "endless":
    while True:
        out.write(b"no agent, but many words\n" * 1000)
agent = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def exactly(n):
    data = b""
    while len(data) < n:
        more = os.read(0, n - len(data))
        if not more:
            return data
        data += more
    return data


def requests():
    while True:
        head = exactly(8)
        data = head + exactly(int.from_bytes(head[:4], "little"))
        if not data:
            break
        if how == "restless" and data[4:5] == b"x":
            continue
        while silent:
            time.sleep(1)
        agent.stdin.write(2 * data if how == "double" else data)
        agent.stdin.flush()
    while silent:  # its end does not come, either
        time.sleep(1)
    agent.stdin.close()


def frame(kind, body, tail):
    return struct.pack("<IB", len(body), kind) + tail + body


silent = False
threading.Thread(target=requests, daemon=True).start()
if how == "banner":
    out.write("Welcome to web1!\nIt is \x1b[31mred\x1b[0m.\n\0".encode() * 40)
    out.flush()
sent = 0
late = b""
out.write(agent.stdout.read(13))
while True:
    head = agent.stdout.read(8)
    if len(head) < 8:
        break
    length, kind, tail = struct.unpack("<IB3s", head)
    kind_name = chr(kind)
    body = agent.stdout.read(length)
    if kind_name == "H":
        other = {"old": (b"version ", b"version dtx 0.1 not "), "foreign": (b"machine ", b"machine pdp"),
                 "poor": (b"rights yes", b"rights it lacks \x1b[31mCAP_BPF"), "ahead": (b"clock ", b"clock 9")}
        body = body.replace(*other[how]) if how in other else body
    if kind_name == "S":
        sent += 1
        if how == "noise":
            body = random.randbytes(length)
        if how == "stall" and sent == number:
            time.sleep(3)
        if how == "deaf" and sent > number:
            silent = True
            time.sleep(1000)
        if how in ("cut", "die") and sent > number:
            if how == "die":
                agent.kill()
            os._exit(0)
    if kind_name == "R" and how == "forge":
        out.write(frame(ord("T"), b"Eit is tired\ndtx: a: left out: it is on fire", tail))
        kind, body, tail = ord("E"), b"1 ", bytes([tail[0] + 1, tail[1], tail[2]])
    if kind_name in "BS" and how == "again":  # whichever comes first: a short run may have sent all before it says that it began
        out.write(frame(ord("B"), b"", tail))
        kind, body, tail = ord("E"), b"1 stale", bytes([tail[0] + 1, tail[1], tail[2]])
    data = frame(kind, body, tail)
    if kind_name == "S" and how in ("swap", "lose") and sent == number:
        late = data if how == "swap" else b""
        continue
    if how == "slow":
        half = len(data) // 2 + 1
        for piece in data[:half], data[half:]:
            out.write(piece)
            out.flush()
            time.sleep(0.01)
        continue
    out.write(2 * data if how == "double" else data)
    if late and kind_name == "S":
        out.write(late)
        late = b""
    while how == "idle":
        out.write(frame(ord("K"), b"", (int.from_bytes(tail, "little") + 1).to_bytes(3, "little")))
        tail = (int.from_bytes(tail, "little") + 1).to_bytes(3, "little")
        out.flush()
        time.sleep(0.5)
    if kind_name == "H" and how == "rubbish":
        out.write(b"\xff" * 100)
    if kind_name == "H" and how == "lies":
        out.write(frame(ord("S"), b"abcd", b"\1\0\0"))
    out.flush()
