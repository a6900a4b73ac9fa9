# SPDX-License-Identifier: BSD-2-Clause
"""Calls getppid() in all kinds of frames, and writes the frames of each call as the interpreter
itself sees them: the truth that pystack() is compared with.  The file's name is the argument."""
import asyncio
import os
import sys
import threading

import größer

truth = open(sys.argv[1], "w")


def tell(f):
    while f:
        print(f"{f.f_code.co_filename}:{f.f_lineno} {f.f_code.co_qualname}", file=truth)
        f = f.f_back
    print(file=truth, flush=True)


def probe():
    tell(sys._getframe()), os.getppid()


def by_generator():
    def numbers():
        yield 1
        probe()
        yield 2

    return sum(n for n in numbers())


def recursion(n):
    if not n:
        return größer.Ключ().方法(probe)
    return recursion(n - 1)


async def inner():
    await asyncio.sleep(0)
    probe()


async def outer():
    await asyncio.gather(inner(), inner())


def several_lines():
    squares = [x * x for x in range(3)]



    return {
        "one": squares,
        "two":
            probe(),
    }, [
        probe() for x in "ab"
    ]


def in_thread():
    (lambda: probe())()


def raises():
    try:
        raise ValueError
    except ValueError:
        probe()
    finally:
        probe()


class Manager:
    probe()

    def __enter__(self):
        probe()

    def __exit__(self, *_):
        probe()

    @property
    def attribute(self):
        return probe()


def run(text, name):
    exec(compile(text, name, "exec"), {"probe": probe})


probe()
by_generator()
recursion(30)
asyncio.run(outer())
several_lines()
raises()
with Manager() as m:
    pass
Manager().attribute
threads = [threading.Thread(target=in_thread) for i in range(3)]
for t in threads:
    t.start()
    t.join()
sorted([1], key=lambda x: probe() or 0)
run("def made():\n\n    probe()\nmade()", "<made>")
# A long way to the line, backwards and forwards, and an instruction far from the begin.
run("x = 0\n" * 5000 + "probe()", "<long>")
run("\n" * 70000 + "(lambda: [\n" + "0,\n" * 300 + "probe()])()", "<far>")
# Texts that are too long: the end of a file's name and the begin of a function's are kept.
run("probe()", "/" + "l" * 300 + "ong/file.py")
run("class " + "C" * 200 + ":\n  def f(): probe()\n" + "C" * 200 + ".f()", "<name>")
run("probe()", "/größe.py")
run("probe()", "/方法.py")
run("probe()", "/\U0001f40d.py")
if not os.fork():
    probe()
    os._exit(0)
os.wait()
