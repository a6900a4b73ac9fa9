#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root uprobes gcc python3
# where: native
# timeout: 60
#
# Who can exchange the file of a probe sees when dtx reads it, and puts another one there before the kernel opens it: its code,
# of all processes, would get breakpoints in the middle of instructions.
# attack: a path of a probe leads to another program as soon as dtx has read the first one | nothing is attached, and dtx says why
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/first.c" <<'END'
#include <unistd.h>
__attribute__((noipa)) void hot(void) { getppid(); }
int main(void) { hot(); return 0; }
END
{ echo '__attribute__((noipa)) int other(int a) { return a * a + 3; }'; cat "$tmp/first.c"; } >"$tmp/second.c"
for name in first second; do gcc -O1 -o "$tmp/$name" "$tmp/$name.c" || fail 'gcc'; done
# exchanged PATH: dtx probes it, and it leads elsewhere by the time that dtx has opened it. The other one may come too late.
exchanged() {
	ln -sf first "$tmp/path"
	rm -f "$tmp/out"
	python3 - "$tmp" >"$tmp/out" <<'END' &
import ctypes, os, sys
libc = ctypes.CDLL(None)
events = libc.inotify_init()
libc.inotify_add_watch(events, (sys.argv[1] + '/first').encode(), 0x20)    # IN_OPEN
print('ready', flush=True)
os.read(events, 4096)
os.symlink('second', sys.argv[1] + '/new')
os.rename(sys.argv[1] + '/new', sys.argv[1] + '/path')
END
	begun
	mv "$tmp/out" "$tmp/attacker"
	nice -n 19 "$DTX" -qn "uprobe:$1:hot:entry { @ = count(); } tick-100ms { exit(0); }" >"$tmp/out" 2>"$tmp/err"
	wait
	same second "$(readlink "$tmp/path")" 'the file was not exchanged'
	grep -q 'not attached: .*: another file has its path since its functions were looked up' "$tmp/err"
}
for path in "$tmp/path" "$tmp/./path"; do
	for ((i = 0; i < 8; i++)); do ! exchanged "$path" || break; done
	[ $i -lt 8 ] || fail "it was attached each time: $(cat "$tmp/err")"
done
# And without an attacker it is probed, by each path.
dtx -qn "uprobe:$tmp/path:hot:entry { printf(\"seen\"); }" -c "$tmp/path"
same seen "$(cat "$tmp/out")" 'the file that is there'
