#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf python3
# where: native
#
# dtx --lsp: a program of eight mistakes has eight diagnostics, each with a quick fix; with them the program compiles. The outline,
# the arguments of a call, and names that a variable cannot have.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/eight.d" <<'D'
syscall::opennat:entry
{
	trace(1);
}

syscall::read:entry
/pid = 1/
{
	trace(timestmp);
	printf("%s\n", arg1);
	trace(curthread->tgi);
	trace(args.cnt);
	@x = cuont();
	trace(strlne("a"));
}
D
cat >"$tmp/ask.py" <<'P'
import json, os, subprocess, sys
text = open(sys.argv[1]).read()
server = subprocess.Popen([os.environ["DTX"], "--lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
number = 0
def send(m):
    b = json.dumps(dict(m, jsonrpc="2.0")).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(b) + b)
    server.stdin.flush()
def receive():
    n = 0
    while (line := server.stdout.readline()) not in (b"\r\n", b""):
        n = int(line.split(b":")[1])
    return json.loads(server.stdout.read(n))
def ask(method, **params):
    global number
    number += 1
    send({"id": number, "method": method, "params": dict(params, textDocument={"uri": "u"})})
    answer = receive()
    return answer.get("result", answer.get("error"))
def opened(text):
    send({"method": "textDocument/didOpen", "params": {"textDocument": {"uri": "u", "text": text}}})
    return receive()["params"]["diagnostics"]
ask("initialize")
mistakes = opened(text)
print(len(mistakes), "mistakes")
edits = []
for d in mistakes:
    fixes = ask("textDocument/codeAction", range=d["range"])
    if not fixes:
        print("no fix:", d["message"])
        continue
    edits.append(next((x for x in fixes if "'count'" in x["title"]), fixes[0])["edit"]["changes"]["u"][0])
lines = text.split("\n")
for e in sorted(edits, key=lambda e: (e["range"]["start"]["line"], e["range"]["start"]["character"]), reverse=True):
    a, b = e["range"]["start"], e["range"]["end"]
    lines[a["line"]] = lines[a["line"]][:a["character"]] + e["newText"] + lines[a["line"]][b["character"]:]
fixed = "\n".join(lines)
print(len(opened(fixed)), "left")
open(sys.argv[2], "w").write(fixed)
for s in ask("textDocument/documentSymbol"):
    print("symbol", s["name"], s["range"]["start"]["line"], s["range"]["end"]["line"])
opened("BEGIN { x = 1; trace(substr(\"a,b\", x, ")
print(ask("textDocument/signatureHelp", position={"line": 0, "character": 38}))
opened("inline int N = 3;\nstruct s { int a; };\nBEGIN { x = N; }\n")
for s in ask("textDocument/documentSymbol"):
    print("symbol", s["name"], s["kind"])
for name in "if", "string", "pid", "y":
    answer = ask("textDocument/rename", position={"line": 2, "character": 8}, newName=name)
    print("rename", name, answer.get("message", "done"))
P
DTX=$DTX python3 "$tmp/ask.py" "$tmp/eight.d" "$tmp/fixed.d" >"$tmp/out" || fail "$(cat "$tmp/out")"
same "8 mistakes
0 left
symbol syscall::openat:entry 0 3
symbol syscall::read:entry /pid == 1/ 5 14
{'signatures': [{'label': 'string substr(string, int, [int])'}], 'activeSignature': 0, 'activeParameter': 2}
symbol inline int N = 3 13
symbol struct s 13
symbol BEGIN 12
rename if the new name is a word of D
rename string the new name is a word of D
rename pid the new name is a word of D
rename y done" "$(cat "$tmp/out")" 'not the answers'
"$DTX" -eqs "$tmp/fixed.d" || fail "the program with its fixes: $(cat "$tmp/fixed.d")"
