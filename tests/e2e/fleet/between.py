# SPDX-License-Identifier: BSD-2-Clause
"""between.py HOW AGENT…: stands between a collector and an agent, and is what HOW says.

banner: writes lines first. old, foreign, poor, ahead: the agent's HELLO says another version, machine, no rights, a wrong clock.
rubbish: after HELLO come bytes that are no frames. endless: bytes without end. lies: a frame of a stream before there is one.
slow: each piece waits a little, and comes a byte more than half at a time. cut:N: no more after N pieces of the stream.
stall:N: N pieces, and the others 3 s later. idle: alive, but it does nothing that it is asked. forge: why it ends has a line like dtx's.
noise: the stream itself is random. mute: it never says a word.
"""
import os
import random
import struct
import subprocess
import sys
import threading
import time

how, _, number = sys.argv[1].partition(":")
out = sys.stdout.buffer
if how == "mute":
    time.sleep(1000)
if how == "endless":
    while True:
        out.write(b"no agent, but many words\n" * 1000)
agent = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def requests():
    while True:
        data = os.read(0, 65536)
        if not data:
            break
        agent.stdin.write(data)
        agent.stdin.flush()
    agent.stdin.close()


threading.Thread(target=requests, daemon=True).start()
if how == "banner":
    out.write("Welcome to web1!\nIt is \x1b[31mred\x1b[0m.\n\0".encode() * 40)
    out.flush()
sent = 0
head = agent.stdout.read(13)
out.write(head)
while True:
    head = agent.stdout.read(8)
    if len(head) < 8:
        break
    length, kind = struct.unpack("<IB3x", head)
    body = agent.stdout.read(length)
    if kind == ord("H"):
        other = {"old": (b"version ", b"version dtx 0.1 not "), "foreign": (b"machine ", b"machine pdp"),
                 "poor": (b"rights yes", b"rights it lacks \x1b[31mCAP_BPF"), "ahead": (b"clock ", b"clock 9")}
        body = body.replace(*other.get(how, (b"", b""))) if how in other else body
        head = struct.pack("<IB3x", len(body), kind)
    if kind == ord("S") and how == "noise":
        body = random.randbytes(length)
    if kind == ord("R") and how == "forge":
        why = b"Eit is tired\ndtx: a: left out: it is on fire"
        head, body = struct.pack("<IB3x", len(why), ord("T")) + why + struct.pack("<IB3x", 2, ord("E")), b"1 "
    if kind == ord("S") and how == "stall":
        sent += 1
        if sent == int(number):
            time.sleep(3)
    if kind == ord("S") and how == "cut":
        sent += 1
        if sent > int(number):
            os._exit(0)
    if how == "slow":
        data = head + body
        half = len(data) // 2 + 1
        for piece in data[:half], data[half:]:
            out.write(piece)
            out.flush()
            time.sleep(0.01)
        continue
    out.write(head + body)
    while how == "idle":
        out.write(struct.pack("<IB3x", 0, ord("K")))
        out.flush()
        time.sleep(0.5)
    if kind == ord("H") and how == "rubbish":
        out.write(b"\xff" * 100)
    if kind == ord("H") and how == "lies":
        out.write(struct.pack("<IB3x", 4, ord("S")) + b"abcd")
    out.flush()
