#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf python3 gcc uprobes
# where: native
# timeout: 60
#
# dtx --lsp: which words are one name (rename, references, definition), what is known of them (hover), what the program's own
# declarations offer (completion); the order of requests. | is the cursor.
# attack: a traced program has a struct called /../../x, whose definition is asked for | its text is in the server's own folder
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/drive.py" <<'P'
import json, subprocess, sys

server = subprocess.Popen([sys.argv[1], "--lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
count, wrong = 0, 0

def send(message):
    body = json.dumps(message, ensure_ascii=False).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    server.stdin.flush()

def receive():
    length = 0
    while (line := server.stdout.readline()) != b"\r\n":
        length = int(line.split(b":")[1])
    return json.loads(server.stdout.read(length))

def ask(method, params):
    global count
    count += 1
    send({"id": count, "method": method, "params": params})
    while (answer := receive()).get("id") != count:
        pass
    return answer

def at(text):
    before, after = text.split("|")
    send({"method": "textDocument/didOpen", "params": {"textDocument": {"uri": "u", "text": before + after}}})
    line = before.rsplit("\n", 1)[-1]
    return before + after, {"textDocument": {"uri": "u"}, "position": {
        "line": before.count("\n"), "character": len(line.encode("utf-16-le")) // 2}}

def same(want, got, what):
    global wrong
    if want != got:
        wrong = 1
        print(f"{what}: {got!r}, not {want!r}", file=sys.stderr)

def renamed(text, want):
    whole, params = at(text)
    answer = ask("textDocument/rename", params | {"newName": "new"})
    if "error" in answer:
        return same(want, None, f"{text}: {answer['error']['message']}")
    lines = whole.split("\n")
    for edit in reversed(answer["result"]["changes"]["u"]):
        a, b = edit["range"]["start"], edit["range"]["end"]
        line = lines[a["line"]].encode("utf-16-le")
        line = line[:2 * a["character"]] + edit["newText"].encode("utf-16-le") + line[2 * b["character"]:]
        lines[a["line"]] = line.decode("utf-16-le")
    same(want, "\n".join(lines), text)
    references = ask("textDocument/references", params)["result"]
    same(len(answer["result"]["changes"]["u"]), len(references), f"references of {text}")

def said(text, want):
    result = ask("textDocument/hover", at(text)[1])["result"]
    value = result["contents"]["value"] if result else ""
    if want not in value or not want and value:
        same(want, value, text)

def offered(text, *want):
    result = ask("textDocument/completion", at(text)[1])["result"]
    labels = [item["label"] for item in result["items"]]
    for word in want:
        if word not in labels:
            same(word, labels[:9], text)
    if not want:
        same([], labels[:9], text)
    return result

same(-32002, ask("textDocument/hover", {})["error"]["code"], "before initialize")
same("dtx", ask("initialize", {})["result"]["serverInfo"]["name"], "initialize")
same(-32600, ask("initialize", {})["error"]["code"], "a second initialize")

renamed('BEGIN { x| = 1; /* x */ trace(x); printf("x"); @x = count(); self->x = \'x\'; }',
        'BEGIN { new = 1; /* x */ trace(new); printf("x"); @x = count(); self->x = \'x\'; }')
renamed("tick-1s { x|; } tick-x { }", "tick-1s { new; } tick-x { }")
renamed("BEGIN { /* 😀é */ x| = 2; 😀 x; }", "BEGIN { /* 😀é */ new = 2; 😀 new; }")
renamed("#pragma D option quiet\nBEGIN { qui|et = 1; }", "#pragma D option quiet\nBEGIN { new = 1; }")
renamed('#pragma D param limit int 1 "t"\nBEGIN { $lim|it; limit = 3; }', '#pragma D param new int 1 "t"\nBEGIN { $new; limit = 3; }')
renamed("struct s| { int s; }; struct s v; BEGIN { v.s; s = 1; }", "struct new { int s; }; struct new v; BEGIN { v.s; s = 1; }")
renamed("self int a|; BEGIN { self->a = 1; a = 2; }", "self int new; BEGIN { self->new = 1; a = 2; }")
renamed("inline int fo|o = 3; BEGIN { foo; args.foo; }", "inline int new = 3; BEGIN { new; args.foo; }")
for text in ("sys|call::read:entry { syscall = 1; }", "BEGIN { if| (1) { } }", "in|t x; BEGIN { }", "BEGIN { $tar|get; }",
             "struct s { int a|a; }; BEGIN { aa = 1; }", "BEGIN { exec|name; }", "BEGIN { O_RDON|LY; }", "BEGIN { (struct task_st|ruct *)0; }"):
    renamed(text, None)

said("BEGIN { self->sta|rt = timestamp; }", "variable self->start : uint64_t")
said("BEGIN { x = execname; trace(x|); }", "variable x : string")
said("BEGIN { @a|b[pid] = count(); }", "@ab")
said("BEGIN { O_RDO|NLY; }", "inline int O_RDONLY = 0;")
said("inline int foo = 3;\nBEGIN { trace(fo|o); }", "inline int foo = 3;")
said("#pragma D option buf|size=1m", "Principal buffer")
said("syscall::re|ad:entry { }", "args[2]: size_t count")
said("BEGIN { /* exec|name */ }", "")

same("psinfo.h", ask("textDocument/definition", at("psin|fo_t *p; BEGIN { }")[1])["result"]["uri"].rsplit("/", 1)[-1], "of the library")
same("task_struct.h", ask("textDocument/definition", at("BEGIN { (struct task_str|uct *)0; }")[1])["result"]["uri"].rsplit("/", 1)[-1],
     "of the kernel")
same(None, ask("textDocument/definition", at("BEGIN { exec|name; }")[1])["result"], "a built-in")
for member in "la|st", "fir|st":
    there = ask("textDocument/definition", at(f"uprobe:{sys.argv[2]}:hot:entry {{ trace(args[0]->{member}); }}")[1])["result"]["uri"]
    same("_______planted", there.rsplit("/", 1)[-1][:14], "of a struct whose name is a path")
    with open(there[len("file://"):]) as text:
        same(True, "last" in text.read(), "its text")

offered("inline int foo = 3; BEGIN { bar = 1; fo|", "foo", "for")
offered("BEGIN { total = 1; tot|", "total")
offered('#pragma D param limit int 1 "t"\nBEGIN { $li|', "limit")
offered("BEGIN { `exec|")
same(False, offered("BEGIN { exec|", "execname")["isIncomplete"], "a short list")
many = " ".join(f"v{i} = 1;" for i in range(2100))
same(True, offered("BEGIN { " + many + " v|", "v7")["isIncomplete"], "a list that is cut")

ask("shutdown", {})
same(-32600, ask("textDocument/hover", {})["error"]["code"], "after shutdown")
send({"method": "exit"})
same(0, server.wait(10), "exit")
sys.exit(wrong)
P
# A struct of a program has any name.
echo "struct $(printf 'A%.0s' {1..20}) { int first, last; } *hot(struct $(printf 'A%.0s' {1..20}) *p) { return p + 1; } int main(void) { return 0; }" >"$tmp/p.c"
gcc -g -O0 -o "$tmp/p" "$tmp/p.c" || fail 'gcc'
sed -i "s,$(printf 'A%.0s' {1..20}),/../../planted00000/," "$tmp/p"
mkdir "$tmp/run"
XDG_RUNTIME_DIR=$tmp/run python3 "$tmp/drive.py" "$DTX" "$tmp/p" || fail "the language server"
[ ! -e "$tmp/planted00000" ] && [ -z "$(ls "$tmp" | grep '^planted')" ] || fail 'a program has made a file of its choice'
same '' "$(ls "$tmp/run")" 'what is left of the definitions'
