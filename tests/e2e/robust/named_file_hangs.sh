#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root
# where: native
# timeout: 120
# attack: a script, library, image, recording, BTF, output, traced program on a file system that never answers, or answers all but reads | SIGTERM and Ctrl-C end dtx in half a second, with a message
#
# Files that the user names lie on a file system that is a program itself (FUSE), which stops to answer. The kernel lets no process go that waits
# for it, but the command ends. While it answers, all is as elsewhere: output, status, signals.
. "$(dirname "$0")/../lib.sh"
[ -w /dev/fuse ] || skip 'no /dev/fuse'
[ -z "${DTX_SLOW:-}" ] || skip 'the time is measured'

mkdir "$tmp/mnt" "$tmp/elsewhere"
ln -s ../mnt/file "$tmp/elsewhere/link"
trap 'kill $dtx $server 2>/dev/null; umount -l "$tmp/mnt" 2>/dev/null; rm -rf "$tmp"' EXIT
# serves FILE [HOLD]: what the file system has, and what it does not answer: "", all; pages, what is read.
serves() {
	rm -f "$tmp/out" "$tmp/hold"
	"$t/hangfuse" "$tmp/mnt" "$1" "$tmp/hold" >"$tmp/out" & server=$!
	begun
	[ $# = 1 ] || printf '%s' "$2" >"$tmp/hold"
}
unserved() {
	kill "$server"
	wait "$server" 2>/dev/null
	umount -l "$tmp/mnt"
}
# Not pgrep, which asks for the command line: that may wait, too.
worker() { tr -d ' ' <"/proc/$dtx/task/$dtx/children"; }
is_stuck() { [ -n "$(worker)" ] && grep -qE 'request_wait_answer|folio_wait|wait_on_page' "/proc/$(worker)/wchan"; }
# ends SIGNAL STATUS ARGUMENTS…
ends() {
	serves "$tmp/script" "$hold"
	env --default-signal=INT "$DTX" "${@:3}" >"$tmp/text" 2>"$tmp/err" & dtx=$!
	awaits is_stuck "${*:3}"
	since=$(date +%s%N)
	kill -"$1" "$dtx"
	wait "$dtx"
	same "$2" $? "the status of ${*:3}: $(cat "$tmp/err")"
	took=$((($(date +%s%N) - since) / 1000000))
	[ "$took" -lt 1000 ] || fail "${*:3}: it ended $took ms after the signal"
	grep -q "^dtx: the file system of $tmp/mnt does not answer: the command ends without it; its process [0-9]* ends when the file system answers" "$tmp/err" ||
		fail "${*:3}: $(cat "$tmp/err")"
	unserved
}

echo 'tick-10ms { n++; } tick-10ms /n == 1/ { printf("began\n"); } END { printf("ended %d\n", n > 0); exit(3); }' >"$tmp/script"
for hold in '' pages; do
	ends TERM 143 -s "$tmp/mnt/file"
	ends INT 130 -r "$tmp/mnt/file"
	ends TERM 143 --replay "$tmp/elsewhere/link"
	ends TERM 143 -x btf="$tmp/mnt/file" -n 'BEGIN { exit(0); }'
	ends HUP 129 -n "uprobe:$tmp/mnt/file:main { }"
	if [ -z "$hold" ]; then
		ends TERM 143 -o "$tmp/mnt/file" -n 'BEGIN { exit(0); }'
		ends TERM 143 -L "$tmp/mnt/lib" -n 'BEGIN { exit(0); }'
	fi
done

# The folder is there, and the program names the file.
DTX=$(realpath "$DTX")
serves "$tmp/script"
cd "$tmp/mnt" || fail 'no way into the folder'
env --default-signal=INT "$DTX" -qs file >"$tmp/text" 2>"$tmp/err" & dtx=$!
cd "$OLDPWD" || exit
awaits grep -qs began "$tmp/text"
[ -n "$(worker)" ] || fail 'by a folder: no second process'
kill "$dtx"
wait "$dtx"
"$DTX" -qn 'tick-10ms { printf("began %s\n", "'"$tmp/mnt/file"'"); }' >"$tmp/text" 2>"$tmp/err" & dtx=$!
awaits grep -qs began "$tmp/text"
[ -n "$(worker)" ] || fail 'by a program: no second process'
kill "$dtx"
wait "$dtx"
unserved

# What names nothing outside the file system of "/" does not read the list of mounts, which may be long.
reads() {
	(cd / && "$DTX" -x cache=off -qn 'syscall::openat:entry { self->p = arg1; }
		syscall::openat:return /self->p && copyinstr(self->p) == "/proc/self/mountinfo"/ { n++; }
		END { printf("%d times", n); }' -c "$DTX --fmt $1" 2>&1 | grep -o '[0-9]* times')
}
ln -s /proc "$tmp/away"
same '0 times' "$(reads "$tmp/script")" 'the list of mounts is read for a file beside'
same '1 times' "$(reads "$tmp/away/self/status")" 'the list of mounts for a file elsewhere'

# It answers: a script there runs, and is ended, as one elsewhere.
serves "$tmp/script"
for script in "$tmp/script" "$tmp/mnt/file"; do
	for sig in INT TERM; do              # a shell lets its background ignore INT
		rm -f "$tmp/text"            # that of the run before, which may be read until this one makes its own
		env --default-signal=INT "$DTX" -qs "$script" >"$tmp/text" 2>"$tmp/err" & dtx=$!
		awaits grep -qs began "$tmp/text"
		kill -$sig "$dtx"
		wait "$dtx"
		same 3 $? "the status of $script after $sig: $(cat "$tmp/err")"
		grep -q '^ended 1$' "$tmp/text" || fail "$script after $sig: $(cat "$tmp/text" "$tmp/err")"
	done
	rm -f "$tmp/text"
	"$DTX" -qs "$script" >"$tmp/text" 2>"$tmp/err" & dtx=$!
	awaits grep -qs began "$tmp/text"
	children=$(worker)
	kill -KILL "$dtx"
	[ -z "$children" ] || awaits [ ! -e "/proc/$children" ]
done
unserved
exit 0
