#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root setcap setpriv gcc
# where: native
#
# With file capabilities any user may start dtx: what the user names is read with the user's own rights, not with those of the
# file. A set-user-ID copy does not run. What dtx writes is for this user alone.
# attack: --fmt, -s, -L, -r, --replay, --diff, cat() and a source line of a file that only root may read, with file capabilities | nothing of it is shown
# attack: DEBUGINFOD_URLS=file:// with links to a file that only root may read, with file capabilities | it is not copied for the user
# attack: a set-user-ID or set-group-ID copy of dtx | ends with a sentence, nothing is written
# attack: recordings, time lines, images, stacks and -o of root read by another user | they have mode 600
. "$(dirname "$0")/../lib.sh"
plain 'a copy with other libraries'

rm -rf "$tmp"
tmp=$(TMPDIR=/tmp mktemp -d)             # where another user may look
chmod 755 "$tmp"
cp "$DTX" "$tmp/dtx"
chmod 755 "$tmp/dtx"
setcap cap_bpf,cap_perfmon,cap_dac_read_search,cap_sys_ptrace,cap_syslog+ep "$tmp/dtx" || skip 'no file capabilities here'
mkdir -m 777 "$tmp/lib" "$tmp/all"
echo 'int secret_of_root = = ;' >"$tmp/secret"
cp "$tmp/secret" "$tmp/secret.d"
chmod 600 "$tmp/secret" "$tmp/secret.d"
ln -s "$tmp/secret.d" "$tmp/lib/x.d"
nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups timeout 20 "$@"; }
# A program whose debugging information names the file as its source.
printf '#line 1 "%s"\nint f(int a) { return a + 1; }\nint main(void) { return f(1); }\n' "$tmp/secret" >"$tmp/all/p.c"
gcc -g -O0 -o "$tmp/all/p" "$tmp/all/p.c"

tried=0
# closed ARGUMENT…: nothing of the file is shown.
closed() {
	nobody "$tmp/dtx" "$@" >"$tmp/out" 2>&1 </dev/null
	tried=$((tried + 1))
	if grep -q 'secret_of_root' "$tmp/out"; then fail "$* shows the file: $(cat "$tmp/out")"; fi
}
closed --fmt "$tmp/secret"
closed -e -s "$tmp/secret"
closed -L "$tmp/lib" -n 'BEGIN { exit(0); }'
closed -r "$tmp/secret"
closed --replay "$tmp/secret"
closed -q --stacks "folded=$tmp/all/f" --diff "$tmp/secret" -n 'BEGIN { @[stack()] = count(); exit(0); }'
closed -qn "BEGIN { cat(\"%s\", \"$tmp/secret\"); exit(0); }"
closed -lvn "uprobe:$tmp/all/p:*:"
closed -lvn "line:$tmp/all/p:$tmp/secret:1"
# Types are taken from no file that this user cannot read.
cp /sys/kernel/btf/vmlinux "$tmp/types"
chmod 600 "$tmp/types"
nobody "$tmp/dtx" -x btf="$tmp/types" -qn 'BEGIN { exit(0); }' >"$tmp/out" 2>&1 && fail "-x btf reads a file of root: $(cat "$tmp/out")"
chmod 644 "$tmp/types"
nobody "$tmp/dtx" -x btf="$tmp/types" -qn 'BEGIN { exit(0); }' >"$tmp/out" 2>&1 || fail "-x btf: $(cat "$tmp/out")"
# The same file as root, so that the test can fail.
"$tmp/dtx" --fmt "$tmp/secret" 2>&1 | grep -q secret_of_root || fail 'root cannot read it either'
# A server of debugging information may be a folder: what is there is read and kept by a library.
gcc -O0 -Wl,--build-id=0xabcdef0123456789abcdef0123456789abcdef01 -o "$tmp/all/q" "$tmp/all/p.c"
strip -g "$tmp/all/q"
mkdir -p "$tmp/all/web/buildid/abcdef0123456789abcdef0123456789abcdef01"
ln -s "$tmp/secret" "$tmp/all/web/buildid/abcdef0123456789abcdef0123456789abcdef01/debuginfo"
for as in nobody ''; do
	rm -rf "$tmp/all/cache"
	mkdir -m 777 "$tmp/all/cache"
	DEBUGINFOD_URLS=file://$tmp/all/web DEBUGINFOD_CACHE_PATH=$tmp/all/cache $as \
		"$tmp/dtx" -e -n "uprobe:$tmp/all/q:f:entry { trace(args[0]); }" >"$tmp/out" 2>&1
	copies=$(grep -rl secret_of_root "$tmp/all/cache" | wc -l)
	if [ -n "$as" ]; then same 0 "$copies" "a user with file capabilities has a copy: $(cat "$tmp/out")"
	elif ls /usr/lib/*/libdebuginfod.so.1 >/dev/null 2>&1; then same 1 "$copies" "root has no copy either: $(cat "$tmp/out")"; fi
done
# And it can trace, and read what is the user's own.
echo 'BEGIN { printf("own script\n"); exit(0); }' >"$tmp/all/own.d"
nobody "$tmp/dtx" -qs "$tmp/all/own.d" >"$tmp/out" 2>&1
grep -q '^own script' "$tmp/out" || fail "a user with file capabilities cannot run a script: $(cat "$tmp/out")"

# for a copy that is set-user-ID, set-group-ID
for mode in 4755 2755; do
	cp "$DTX" "$tmp/set"
	chmod $mode "$tmp/set"
	echo root >"$tmp/file"
	chmod 660 "$tmp/file"
	nobody "$tmp/set" -q -o "$tmp/file" -n 'BEGIN { printf("written\n"); exit(0); }' >"$tmp/out" 2>&1
	[ $? = 2 ] || fail "mode $mode: it runs: $(cat "$tmp/out")"
	grep -q 'does not run as a set-user-ID or set-group-ID program' "$tmp/out" || fail "mode $mode: $(cat "$tmp/out")"
	same root "$(cat "$tmp/file")" "mode $mode: the file was written"
done

for mask in 022 000; do
	umask $mask
	dir=$tmp/mode$mask
	mkdir -m 700 "$dir"
	dtx -q --record "$dir/record" --trace "$dir/trace" --stacks "svg=$dir/svg" -o "$dir/output" -wn '
		BEGIN { @[stack()] = count(); freopen("%s", "'"$dir/freopen"'"); trace(1); exit(0); }'
	dtx --image "$dir/image" -n 'BEGIN { exit(0); }'
	same "$(printf '600 %s\n' freopen image output record svg trace)" "$(cd "$dir" && stat -c '%a %n' * | sort -k2)" "modes with umask $mask"
	rm -r "$dir"
done
dtx -q -x outmode=640 --record "$tmp/record" -o "$tmp/output" -n 'BEGIN { exit(0); }'
same '640 640' "$(stat -c %a "$tmp/record" "$tmp/output" | xargs)" 'option outmode'
"$DTX" -q -x outmode=777 -n 'BEGIN { exit(0); }' 2>"$tmp/err" && fail 'outmode=777 is accepted'
exit 0
