#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf python3
# where: native
#
# dtx --lsp: a program of eight mistakes has eight diagnostics, each with a quick fix; with them the program compiles. The outline,
# the arguments of a call, and names that a variable cannot have. Semantic tokens: what each word is, also after a mistake.
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
legend = ask("initialize")["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"]
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
text = open(sys.argv[3]).read()
opened(text)
data = ask("textDocument/semanticTokens/full")["data"]
lines = [line.encode("utf-16-le") for line in text.split("\n")]
line = column = 0
for i in range(0, len(data), 5):
    column = data[i + 1] + (0 if data[i] else column)
    line += data[i]
    print(line, legend[data[i + 3]], lines[line][2 * column:2 * (column + data[i + 2])].decode("utf-16-le"))
opened("BEGIN { trace(1) trace(2); }\nEND { y = 1; } /* no end")
print(len(ask("textDocument/semanticTokens/full")["data"]) // 5, "tokens")
opened("")
print(ask("textDocument/semanticTokens/full"))
P
cat >"$tmp/tokens.d" <<'D'
#pragma D option quiet
/* two
 * lines ä😀 */ self int depth;
struct pt { int x; struct task_struct *t; };
typedef struct pt pt_t; // c
syscall::read:entry, tick-1s /pid == $target/
{
	@a["😀", execname] = sum(args.count);
	this->p = (pt_t *)0x10;
	printf("%s", stringof(curthread->comm)); trace('a' + `jiffies);
}
D
DTX=$DTX python3 "$tmp/ask.py" "$tmp/eight.d" "$tmp/fixed.d" "$tmp/tokens.d" >"$tmp/out" || fail "$(cat "$tmp/out")"
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
rename y done
0 macro #pragma D option quiet
1 comment /* two
2 comment  * lines ä😀 */
2 keyword self
2 type int
2 variable depth
3 keyword struct
3 type pt
3 type int
3 property x
3 keyword struct
3 type task_struct
3 operator *
3 property t
4 keyword typedef
4 keyword struct
4 type pt
4 variable pt_t
4 comment // c
5 event syscall::read:entry
5 event tick-1s
5 operator /
5 variable pid
5 operator ==
5 macro \$target
5 operator /
7 variable @a
7 string \"😀\"
7 variable execname
7 operator =
7 function sum
7 variable args
7 operator .
7 property count
8 keyword this
8 operator ->
8 variable p
8 operator =
8 type pt_t
8 operator *
8 number 0x10
9 function printf
9 string \"%s\"
9 keyword stringof
9 variable curthread
9 operator ->
9 property comm
9 function trace
9 string 'a'
9 operator +
9 variable \`jiffies
9 tokens
{'data': []}" "$(cat "$tmp/out")" 'not the answers'
"$DTX" -eqs "$tmp/fixed.d" || fail "the program with its fixes: $(cat "$tmp/fixed.d")"
