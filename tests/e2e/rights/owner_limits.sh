#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf unshare python3
# where: native
#
# /etc/dtx/run.conf: what the owner of a machine allows holds for dtx and for images, whatever these and the command line say; the
# message says where the limit is. A file that others could change, or that cannot be understood, stops all runs.
# attack: an image with destructive actions, -w and #pragma, where the owner allows none; one whose manifest denies them | refused, nothing done
# attack: limits in a file of another user, one that others may write, a symbolic link | nothing is run
. "$(dirname "$0")/../lib.sh"
if [ -z "${INSIDE:-}" ]; then INSIDE=1 exec unshare -m --propagation private "$0"; fi

# A copy of /etc, for this test alone.
mkdir -p "$tmp/etc/dtx"
cp -a /etc/{passwd,group,ld.so.cache} "$tmp/etc"
mount --bind "$tmp/etc" /etc || skip 'cannot mount'
trap 'umount -l /etc; rm -rf "$tmp"' EXIT
conf=/etc/dtx/run.conf

# limits LINE…: the file has these.
limits() { printf '%s\n' "$@" >$conf; chmod 644 $conf; }

nothing='BEGIN { printf("ran\n"); exit(0); }'
dtx -qn "$nothing"
limits '# none' '' '  duration=1h  ' 'destructive = no'
dtx -qn "$nothing"
same 'ran' "$(sed '/^$/d' "$tmp/out")" 'within the limits'
dtx -n "$nothing"
grep -qF 'this run ends after 1h (/etc/dtx/run.conf:3)' "$tmp/err" || fail "$(cat "$tmp/err")"

# Destructive actions, in whatever way they are allowed and hidden.
system='BEGIN { system("touch %s/done", $$1); exit(0); }'
refused 'allows no destructive actions (/etc/dtx/run.conf:4)' -wqn "$system" "$tmp"
refused 'allows no destructive actions (/etc/dtx/run.conf:4)' -qn "#pragma D option destructive
$system" "$tmp"
dtx --image "$tmp/raise" -qn '#pragma D option destructive
syscall::getpid:entry /pid == $1/ { raise(9); } BEGIN { exit(0); }' 1
dtx_run=${DTX%/*}/dtx-run
DTX=$dtx_run refused 'allows no destructive actions' -w "$tmp/raise"
# Its manifest says that it has none; the hash at its end is right.
grep -qa '"destructive":1,' "$tmp/raise" || fail 'the manifest does not say that it is destructive'
LC_ALL=C sed -i 's/"destructive":1,/"destructive":0,/' "$tmp/raise"
sealed "$tmp/raise"
DTX=$dtx_run refused 'allows no destructive actions' "$tmp/raise"
[ ! -e "$tmp/done" ] || fail 'it was done'

limits 'duration = 300ms' 'maxoverhead=5%'
timeout 60 "$DTX" -qn 'tick-50ms { @ = count(); }' >"$tmp/out" 2>"$tmp/err" || fail "$(cat "$tmp/err")"
# A run that is cut short is told so, in any case; not one that ends by itself, or by its own duration.
same 'dtx: warning: the run ended after 300ms, as this machine allows no longer one (/etc/dtx/run.conf:1)' "$(cat "$tmp/err")" 'a run that is cut short'
for own in "-n BEGIN{exit(0);}" '-n tick-50ms{} --duration 100ms' '-n tick-50ms{} --duration 300ms'; do
	dtx -q $own
	same '' "$(cat "$tmp/err")" "not cut short: $own"
done
mkdir "$tmp/cache"
XDG_CACHE_HOME=$tmp/cache timeout 60 "$DTX" --hosts web1 --via "$(realpath "$(dirname "$DTX")")/dtx-run --agent" -x hostwait=1m -qn 'tick-50ms { @ = count(); }' >"$tmp/out" 2>"$tmp/err" ||
	fail "$(cat "$tmp/err")"
grep -q 'the run ended after 300ms' "$tmp/err" || fail "a run of a host is cut short: $(cat "$tmp/err")"
refused 'at most duration=300ms (/etc/dtx/run.conf:1)' --duration 1s -n "$nothing"
refused 'at most duration=300ms (/etc/dtx/run.conf:1)' --duration 0 -n "$nothing"
refused 'at most maxoverhead=5% (/etc/dtx/run.conf:2)' -x maxoverhead=50% -n "$nothing"
DTX_OPT_DURATION=1h refused 'at most duration=300ms' -n "$nothing"
dtx --image "$tmp/long" -x duration=1h -n "$nothing"
refused 'at most duration=300ms' -r "$tmp/long"
dtx -x duration=200ms -x maxoverhead=1% -qn "$nothing"

limits 'memory = 100k'
refused 'allows 100 KB for the tables and buffers of a program (/etc/dtx/run.conf:1)' -n 'BEGIN { @[pid] = count(); exit(0); }'
limits 'memory = 1g' && dtx -qn 'BEGIN { @[pid] = count(); exit(0); }'
limits 'providers = syscall, profile'
dtx -qn 'BEGIN { exit(0); } syscall::read:entry, profile-99 { }'
refused 'no probes of the provider tracepoint (/etc/dtx/run.conf:1)' -n 'tracepoint:sched:sched_switch { }'

for line in 'destructive' 'destructive = perhaps' 'duration = 0' 'duration = long' 'memory = -1' 'providers = nosuch' 'nosuch = 1' 'duration ='; do
	limits "$line"
	refused 'nothing is run: the limit at /etc/dtx/run.conf:1 cannot be understood' -n "$nothing"
done

# attack: a file of limits that is full of NULs, as a crash of the machine may leave it | nothing is run
head -c 100 /dev/zero >$conf && refused 'it has bytes that are no text' -n "$nothing"
limits 'duration = 1h'
chown 65534 $conf && refused 'it does not belong to root' -n "$nothing"
chown 0 $conf && chmod 664 $conf && refused 'others than root may write to it: it has to be a file of root with the mode 0644' -n "$nothing"
chmod 644 $conf && chmod 777 /etc/dtx && refused 'others than root may write to it: it has to be a folder of root with the mode 0755' -n "$nothing"
chmod 755 /etc/dtx && mv $conf /etc/dtx/real && ln -s real $conf && refused 'it is a symbolic link' -n "$nothing"
rm $conf && mkdir $conf && refused 'no file of text' -n "$nothing"
rmdir $conf && dtx -qn "$nothing"
exit 0
