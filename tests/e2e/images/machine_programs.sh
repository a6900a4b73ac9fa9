#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root uprobes cc zstd tar python3 objcopy
# where: native
#
# --describe FILE --program PATH records programs with their libraries and debugging information; what probes them is compiled
# for that machine as it is there, and files of this machine with the same paths are never taken for its own.
# truth: programs of a machine in a file | images made with -x machine=FILE after the program was replaced, and -lv | those made on the machine itself, before
# attack: a table of programs with a link to itself, a file that is not there, a length beyond the line | refused, or no such file
. "$(dirname "$0")/../lib.sh"
m=$tmp/here.machine

cat >"$tmp/first.c" <<'END'
#include <stdio.h>
#include <sys/sdt.h>
struct point { int x, y; char name[8]; };
__attribute__((noinline)) int work(struct point *p, int n)
{
	DTRACE_PROBE2(demo, begin, n, p);
	return p->x + n;
}
int main(void) { struct point p = { 1, 2, "pt" }; printf("%d\n", work(&p, 3)); return 0; }
END
sed 's/struct point { int x, y;/struct point { long before; int y, x;/; s/p = { 1,/p = { 0, 1,/' "$tmp/first.c" >"$tmp/second.c"
mkdir "$tmp/bin"
cc -g -O1 -o "$tmp/bin/prog" "$tmp/first.c" || skip 'no sys/sdt.h'
objcopy --only-keep-debug "$tmp/bin/prog" "$tmp/bin/prog.debug"
objcopy --strip-debug --add-gnu-debuglink="$tmp/bin/prog.debug" "$tmp/bin/prog"
ln -s prog "$tmp/bin/alias"
ln -s bin "$tmp/other"

cat >"$tmp/programs" <<END
uprobe:libc:malloc, uprobe:libc:mem*: { @[probefunc] = count(); }
uprobe:$tmp/bin/prog:work { trace(args[0]->x); trace(stringof(args[0]->name)); }
uprobe:$tmp/other/alias:work:return { trace(args[1]); }
uprobe:$tmp/bin/prog:first.c@7 { trace(n); }
usdt:$tmp/bin/prog:demo:begin { trace(arg0); }
END
# all FOLDER [OPTION…]: an image of each, and the list of the probes.
all() {
	local n=0 folder=$tmp/$1 program
	shift
	mkdir "$folder"
	while IFS= read -r program; do dtx --image "$folder/$((++n))" "$@" -n "$program"; done <"$tmp/programs"
	for program in "uprobe:$tmp/bin/prog:[mw]*" "usdt:$tmp/bin/prog::" 'uprobe:libc:fopen*'; do
		"$DTX" "$@" -lvn "$program" 2>&1
	done >"$folder/list"
}
all made
dtx --describe "$m" --program "$tmp/bin/prog" --program "$tmp/other/alias"
mv "$tmp/bin" "$tmp/first"
all meant -x machine="$m"
diff -r "$tmp/made" "$tmp/meant" || fail 'without the files they differ'
grep -q 'struct point' "$tmp/made/list" || fail "no types: $(cat "$tmp/made/list")"

mkdir "$tmp/bin"
cc -g -O1 -o "$tmp/bin/prog" "$tmp/second.c"
rm -r "$tmp/meant"
all meant -x machine="$m"
diff -r "$tmp/made" "$tmp/meant" || fail 'with another program of that path they differ'
if dtx --image "$tmp/new" -n "$(sed -n 2p "$tmp/programs")" && cmp -s "$tmp/new" "$tmp/made/2"; then fail 'the other program is the same'; fi

# What an editor asks: each question has a handle of its own.
ask() { printf 'Content-Length: %d\r\n\r\n%s' ${#1} "$1"; }
{
	ask '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}'
	ask '{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///x.d","languageId":"d","version":1,"text":"uprobe:'"$tmp"'/bin/prog:work { trace(args[0]->nosuch); }"}}}'
	ask '{"jsonrpc":"2.0","id":2,"method":"shutdown"}'
	ask '{"jsonrpc":"2.0","method":"exit"}'
} >"$tmp/asked"
"$DTX" --lsp -x machine="$m" <"$tmp/asked" >"$tmp/out" 2>&1
grep -q "no member 'nosuch'" "$tmp/out" || fail "the language server: $(cat "$tmp/out")"

# --- what is not recorded -----------------------------------------------------------------------

# told WORDS PROGRAM: it is refused, with these words.
told() { refused "$1" -e -x machine="$m" -n "$2"; }
told "dtx --describe FILE --program /bin/cat records it" 'uprobe:/bin/cat:main { @ = count(); }'
told "dtx --describe FILE --program cat records it" 'uprobe:cat:main { @ = count(); }'
told "dtx --describe FILE --program /bin/cat records it" 'usdt:/bin/cat::start { @ = count(); }'
told 'name the file' 'uprobe:/bin/*:main { @ = count(); }'
told 'name the file' 'usdt:/bin/*::start { @ = count(); }'
for probe in "pid$$:libc:malloc:entry" "demo$$:::begin" "uprobe:$$:main"; do told 'processes of' "$probe { @ = count(); }"; done
refused 'cannot record the program' --describe "$tmp/none" --program /nonexistent
refused 'no ELF object' --describe "$tmp/none" --program "$tmp/first.c"
refused 'is not used without --describe' -l --program /bin/cat
[ ! -e "$tmp/none" ] || fail 'a description without the program'

# --- a description of somebody else -------------------------------------------------------------

# remade OLD NEW: the table has this in place of that.
remade() {
	zstd -dq <"$m" >"$tmp/tar"
	python3 - "$tmp/tar" "$1" "$2" <<-'PYTHON'
	import io, sys, tarfile
	with tarfile.open(sys.argv[1]) as old:
	    members = [(m, old.extractfile(m).read() if m.isfile() else b'') for m in old]
	with tarfile.open(sys.argv[1], 'w', format=tarfile.USTAR_FORMAT) as new:
	    for member, data in members:
	        if member.name == 'dtx/programs':
	            data = data.replace(sys.argv[2].encode(), sys.argv[3].encode(), 1)
	            member.size = len(data)
	        new.addfile(member, io.BytesIO(data))
	PYTHON
	zstd -q -1 -f "$tmp/tar" -o "$tmp/changed"
	m=$tmp/changed
}
whole=$m
remade ' prog' ' alias' && told 'does not have the file' "uprobe:$tmp/other/alias:work { @ = count(); }"
for change in 'file 0 /file 999 ' 'link /link 99999' 'file 0 /rubbish '; do
	m=$whole
	remade "${change%/*}" "${change#*/}"
	told 'it is damaged' 'BEGIN { exit(0); }'
done
