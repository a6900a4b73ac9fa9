#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root gcc unshare uprobes setpriv python3
# where: native
# timeout: 60
#
# Symbolic links that others have put somewhere lead dtx nowhere: not from -o and freopen() into another file, not
# from below the root of a traced process out of it.
# attack: a symbolic link of another user as -o, for freopen(), and as the folder of csvdir | refused with a sentence, nothing is written
# attack: a file or a folder that another user has made where everyone may write, as -o, --record, --report, --trace, --perfetto, --image, --describe, csvdir | refused with a sentence, nothing is written
# attack: a hard link to a file of root, where everyone may write or in a folder of another user, as -o and for freopen() | refused with a sentence, nothing is written
# attack: a folder for csvdir that is exchanged for a link of another user all the time | no file is made where the link leads
. "$(dirname "$0")/../lib.sh"

pids=()
trap 'kill "${pids[@]}" 2>/dev/null; rm -rf "$tmp"' EXIT
mkdir "$tmp/theirs" "$tmp/host"
echo kept >"$tmp/secret"
ln -s "$tmp/secret" "$tmp/theirs/out"
ln -s ../secret "$tmp/ours"
chown -hR 65534 "$tmp/theirs"

# --- output --------------------------------------------------------------------------------------

"$DTX" -q -o "$tmp/theirs/out" -n 'BEGIN { printf("lost"); exit(0); }' 2>"$tmp/err" && fail "-o follows another user's link"
grep -q 'it is a symbolic link of another user' "$tmp/err" || fail "the message: $(cat "$tmp/err")"
"$DTX" -qwn 'BEGIN { freopen("%s/theirs/out", $$1); printf("lost"); exit(0); }' "$tmp" >"$tmp/printed" 2>"$tmp/err"
grep -q 'library-level fault (cannot open .* symbolic link of another user)' "$tmp/err" || fail "freopen() follows another user's link: $(cat "$tmp/err")"
same kept "$(cat "$tmp/secret")" "another user's link was followed"
ln -s "$tmp/sub" "$tmp/theirs/folder" && chown -h 65534 "$tmp/theirs/folder" && mkdir "$tmp/sub" || fail 'no link'
"$DTX" -q -x csvdir="$tmp/theirs/folder" -n 'BEGIN { @a = count(); exit(0); }' 2>"$tmp/err" && fail "csvdir follows another user's link"
grep -q 'csvdir.*it is a symbolic link of another user' "$tmp/err" || fail "the message: $(cat "$tmp/err")"
[ -z "$(ls "$tmp/sub")" ] || fail "csvdir made files behind another user's link"

# Where everyone may write, files that are there already: their owner could read what is written. Not in a folder of the owner.
for mode in 1777 777; do                 # sticky, as /tmp, or not
	mkdir -m $mode "$tmp/all" && chmod 755 "$tmp" && mkdir -m 777 "$tmp/all/folder" && touch "$tmp/all/file" && chmod 666 "$tmp/all/file" && chown 65534 "$tmp/all/"*
	for how in "-o $tmp/all/file" "--record $tmp/all/file" "--report $tmp/all/file" "--trace $tmp/all/file" "--perfetto $tmp/all/file" \
		"-x csvdir=$tmp/all/folder" "-x csvdir=$tmp/all/folder/" "--image $tmp/all/file" "--describe $tmp/all/file"; do
		case $how in --describe*) program=() ;; *) program=(-n 'BEGIN { @a = count(); trace(1); exit(0); }') ;; esac
		[ $mode = 1777 ] || [ "${how%% *}" = -o ] || continue
		refused 'it is of another user, in a folder that everyone may write to' -q $how "${program[@]}"
	done
	[ ! -s "$tmp/all/file" ] && [ -z "$(ls "$tmp/all/folder")" ] || fail "something was written: $(ls -l "$tmp/all")"
	chmod 755 "$tmp/all"
	dtx -q -o "$tmp/all/file" -x csvdir="$tmp/all/folder" -n 'BEGIN { @a = count(); exit(0); }'
	[ -s "$tmp/all/file" ] && [ -e "$tmp/all/folder/agg-a.csv" ] || fail "nothing was written: $(ls -l "$tmp/all")"
	rm -r "$tmp/all"
done
# A second name for a file of root: where everyone may write, or in a folder of another user. Not in root's own.
mkdir -m 1777 "$tmp/all" && mkdir "$tmp/own" && ln "$tmp/secret" "$tmp/all/name" && ln "$tmp/secret" "$tmp/theirs/name" && echo kept >"$tmp/mine" && ln "$tmp/mine" "$tmp/own/name" || fail 'no hard links'
for name in all theirs; do
	refused 'it has another name (a hard link), in a folder where others can make such names' -q -o "$tmp/$name/name" -n 'BEGIN { trace(1); exit(0); }'
	"$DTX" -qwn 'BEGIN { freopen("%s/name", $$1); printf("lost"); exit(0); }' "$tmp/$name" >"$tmp/printed" 2>"$tmp/err"
	grep -q 'cannot open .* it has another name' "$tmp/err" || fail "freopen() takes a hard link: $(cat "$tmp/err")"
done
same kept "$(cat "$tmp/secret")" "a hard link was written to"
dtx -q -o "$tmp/own/name" -n 'BEGIN { printf("own\n"); exit(0); }'
same $'kept\nown' "$(sed '/^$/d' "$tmp/mine")" "root's own hard link"
rm -r "$tmp/all"
reached=$(mktemp -d /tmp/dtx.XXXXXX)     # the folder of a run of tests is closed to others
trap 'kill "${pids[@]}" 2>/dev/null; rm -rf "$tmp" "$reached"' EXIT
chmod 755 "$reached" && mkdir -m 777 "$reached/all" || exit 1
PATH=/usr/bin:/bin setpriv --reuid=65534 --regid=65534 --clear-groups python3 - "$reached/all/x" "$tmp/sub" <<'END' &
import os, sys
while True:
    try:
        os.symlink(sys.argv[2], sys.argv[1])
        os.rename(sys.argv[1], sys.argv[1] + '2')
        os.mkdir(sys.argv[1], 0o777)
        os.rename(sys.argv[1], sys.argv[1] + '3')
    except OSError:
        pass
    for name in os.listdir(os.path.dirname(sys.argv[1])):
        try:
            os.rename(os.path.dirname(sys.argv[1]) + '/' + name, sys.argv[1] + str(os.getpid()))
        except OSError:
            pass
END
pids+=($!)
for ((i = 0; i < 6; i++)); do
	timeout 20 "$DTX" -q -x csvdir="$reached/all/x" -n 'BEGIN { @a = count(); exit(0); }' >/dev/null 2>&1
	[ $? -lt 124 ] || fail 'it hangs or crashes'
done
kill "${pids[-1]}" || fail 'the other user did not run'
[ -z "$(ls "$tmp/sub")" ] || fail "csvdir made files behind a link: $(ls "$tmp/sub")"
mv "$tmp/ours" "$tmp/sub/ours"
"$DTX" -q -o "$tmp/sub/ours" -n 'BEGIN { printf("%s", "more"); exit(0); }' || fail "-o does not follow a link of this user"
same kept$'\n'more "$(cat "$tmp/secret")" "a link of this user was not followed"
same seen "$("$DTX" -q -o /dev/stdout -n 'BEGIN { printf("seen"); exit(0); }')" "-o /dev/stdout"

# --- a process with other files under its paths -----------------------------------------------------

cat >"$tmp/probed.c" <<-'END'
	#include <stdio.h>
	#include <sys/mman.h>
	#include <unistd.h>
	__attribute__((noinline)) void visible(long page) { __asm__ volatile("" :: "r"(page)); }
	int main(void)
	{
		char *page = mmap((void *)0x660000000000, 4096, 7, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
		for (;; usleep(2000)) {
			visible((long)page);
			getpgid((long)page & 0xffff);
			access(page, 0);
		}
	}
END
gcc -O1 -static -o "$tmp/probed" "$tmp/probed.c" || fail 'the program does not compile'
sed 's/visible/decoy/' "$tmp/probed.c" | gcc -O1 -static -x c -o "$tmp/host/decoy" - || fail 'the decoy does not compile'

# In a mount namespace whose /mnt is its own and which does not see $tmp/host.
unshare -m sh -c 'mount -t tmpfs none /mnt && mount -t tmpfs none "$1/host" && cp "$1/probed" /mnt/probed && exec /mnt/probed' sh "$tmp" &
pids+=($!)
pid=$!
awaits executes $pid /mnt/probed
dtx -qn "pid$pid:a.out:visible:entry { @ = count(); } tick-50ms /i++ > 100/ { exit(1); } pid$pid:a.out:visible:entry /n++ == 5/ { exit(0); }"
dtx -qn "pid\$target:a.out:visible:entry { exit(0); }" -p "$pid"
nsenter -t "$pid" -m sh -c 'rm /mnt/probed && ln -s "$1/host/decoy" "/mnt/probed (deleted)"' sh "$tmp" || fail 'nsenter'
[ -e "/proc/$pid/root/mnt/probed (deleted)" ] || fail 'the link leads nowhere: this test shows nothing'
"$DTX" -ln "pid$pid:a.out:decoy:entry" >"$tmp/out" 2>&1
grep -q ' decoy entry' "$tmp/out" && fail "a link out of the process's root was followed: $(cat "$tmp/out")"

# In a root folder whose /tmp is a link out of it, to a map of code that it never made.
mkdir "$tmp/root" && cp "$tmp/probed" "$tmp/root/probed" && ln -s "$tmp/host" "$tmp/root/tmp"
chroot "$tmp/root" /probed &
pids+=($!)
pid=$!
awaits executes $pid "$tmp/root/probed"
echo '660000000000 1000 planted' >"$tmp/host/perf-$pid.map"
dtx -qn "syscall::access:entry /pid == $pid/ { trace(usym(arg0)); exit(0); }"
grep -q planted "$tmp/out" && fail "a map of code outside of the process's root is believed"
rm "$tmp/root/tmp" && mkdir "$tmp/root/tmp" && mv "$tmp/host/perf-$pid.map" "$tmp/root/tmp/"
dtx -qn "syscall::access:entry /pid == $pid/ { trace(usym(arg0)); exit(0); }"
grep -q planted "$tmp/out" || fail "the map in its root is not read: $(cat "$tmp/out")"
