#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# dtx --hosts over OpenSSH: an sshd of the test's own on the loopback, with its own keys, for hosts that have no dtx-run: it is sent,
# and nothing of it stays.
# needs: root sshd ssh-keygen ssh gzip
# timeout: 150
# waits: for logins
. "$(dirname "$0")/../lib.sh"

export XDG_CACHE_HOME=$tmp/cache
mkdir -p /run/sshd "$tmp/bin"
ssh-keygen -qt ed25519 -N '' -f "$tmp/key"
ssh-keygen -qt ed25519 -N '' -f "$tmp/hostkey"
port=$((20000 + $$ % 10000))
# SHLVL: to bash the login is a shell in another one, which reads no .bashrc (whose programs may take a second each time).
cat >"$tmp/sshd_config" <<-E
	Port $port
	ListenAddress 127.0.0.1
	HostKey $tmp/hostkey
	AuthorizedKeysFile $tmp/key.pub
	PidFile $tmp/sshd.pid
	StrictModes no
	UsePAM no
	PasswordAuthentication no
	KbdInteractiveAuthentication no
	PermitRootLogin yes
	MaxStartups 100
	SetEnv PATH=$tmp/hostbin:/usr/bin:/bin SHLVL=1
	E
echo "loop $(cat "$tmp/hostkey.pub")" >"$tmp/known"
# Nothing of the user's own is asked: another configuration, by a command of the same name.
cat >"$tmp/ssh_config" <<-E
	Host stranger
	  UserKnownHostsFile /dev/null
	Host nowhere
	  Port 1
	Host *
	  Port $port
	  HostName 127.0.0.1
	  HostKeyAlias loop
	  IdentityFile $tmp/key
	  IdentitiesOnly yes
	  UserKnownHostsFile $tmp/known
	E
printf '#!/bin/sh\nexec %s -F %s "$@"\n' "$(command -v ssh)" "$tmp/ssh_config" >"$tmp/bin/ssh"
chmod +x "$tmp/bin/ssh"
"$(command -v sshd)" -f "$tmp/sshd_config" -E "$tmp/log"
trap 'kill "$(cat "$tmp/sshd.pid")"; rm -rf "$tmp"' EXIT
awaits test -s "$tmp/sshd.pid"

left() { find /dev/shm /run /tmp -maxdepth 1 -name '.dtx-run-*' | wc -l; }
before=$(left)
fleet() { local hosts=$1; shift; PATH=$tmp/bin:$PATH timeout 80 "$DTX" --hosts "$hosts" -x hostwait=1m "$@" >"$tmp/out" 2>"$tmp/err"; }

# Hosts without dtx-run; one that is not known, one that nobody answers for.
fleet 'h[1-3],stranger,nowhere' -qn 'BEGIN { @["x"] = count(); exit(0); }' </dev/null || fail "status $?: $(cat "$tmp/out" "$tmp/err")"
[ "$(value x)" = 3 ] || fail "three hosts: $(cat "$tmp/out" "$tmp/err")"
grep -q '^dtx: stranger: left out: Host key verification failed' "$tmp/err" || fail "a host that is not known: $(cat "$tmp/err")"
grep -q '^dtx: nowhere: left out: .*Connection refused' "$tmp/err" || fail "nobody is there: $(cat "$tmp/err")"
[ "$(left)" = "$before" ] || fail 'dtx-run stays on the host'

# One that has it, in its PATH, takes its own. Another version is not taken: dtx-run is sent.
mkdir "$tmp/hostbin"
printf '#!/bin/sh\n[ "$1" = --version ] && exec %s --version\necho used >>%s\nexec %s "$@"\n' \
	"$(realpath "$(dirname "$DTX")/dtx-run")" "$tmp/used" "$(realpath "$(dirname "$DTX")/dtx-run")" >"$tmp/hostbin/dtx-run"
chmod +x "$tmp/hostbin/dtx-run"
fleet h1 -qn 'BEGIN { @["x"] = count(); exit(0); }' || fail "its own dtx-run: $(cat "$tmp/err")"
[ "$(cat "$tmp/used")" = used ] || fail 'its own dtx-run is not used'
printf '#!/bin/sh\necho "dtx-run: dtx 0.0.1"\n' >"$tmp/hostbin/dtx-run"
fleet h1 -qn 'BEGIN { @["x"] = count(); exit(0); }' || fail "an old dtx-run: $(cat "$tmp/err")"
[ "$(value x)" = 1 ] || fail "an old dtx-run: $(cat "$tmp/out" "$tmp/err")"

# A static one beside dtx is sent rather than the other: it also runs where another C library is.
mkdir "$tmp/own"
cp "$DTX" "$(dirname "$DTX")/dtx-run" "$tmp/own"
printf '#!/bin/sh\necho static >>%s\nexec %s "$@"\n' "$tmp/used" "$(realpath "$(dirname "$DTX")/dtx-run")" >"$tmp/own/dtx-run-static"
touch -d '1 hour ago' "$tmp/own/dtx-run"
DTX=$tmp/own/dtx fleet h1 -qn 'BEGIN { @["x"] = count(); exit(0); }' || fail "a static one: $(cat "$tmp/err")"
[ "$(tail -n 1 "$tmp/used")" = static ] || fail 'the static one is not sent'

# Where a folder in memory has no room, another one is taken; where none has, it is told how much is needed.
rm "$tmp/hostbin/dtx-run"
for full in /dev/shm /; do
	cat >"$tmp/hostbin/head" <<-E
		#!/bin/sh
		to=\$(readlink /proc/\$\$/fd/1)
		case \$3-\$to in /dev/zero-$full*) exit 1 ;; esac
		[ "\$3" != /dev/zero ] || echo "\$to" >>$tmp/places
		exec /usr/bin/head "\$@"
	E
	chmod +x "$tmp/hostbin/head"
	if fleet h1 -qn 'BEGIN { @["x"] = count(); exit(0); }'; then [ $full = /dev/shm ]; else [ $full = / ]; fi || fail "$full is full: $(cat "$tmp/out" "$tmp/err")"
done
grep -q '^/run/\.dtx-run-' "$tmp/places" || fail "another folder: $(cat "$tmp/places")"
grep -Eq '^dtx: h1: left out: no folder in memory \(/dev/shm, /run\) or TMPDIR takes a program of [0-9]{4,} KB$' "$tmp/err" || fail "all are full: $(cat "$tmp/err")"
[ "$(left)" = "$before" ] || fail 'dtx-run stays on a host that is full'
rm "$tmp/hostbin/head"

# A login that is not root becomes it.
printf '#!/bin/sh\necho 1000\n' >"$tmp/hostbin/id"
printf '#!/bin/sh\necho "$0 $1" >>%s\nshift\nexec "$@"\n' "$tmp/used" >"$tmp/hostbin/sudo"
cp "$tmp/hostbin/sudo" "$tmp/hostbin/doas"
chmod +x "$tmp"/hostbin/*
for become in sudo doas none; do
	: >"$tmp/used"
	fleet h1 -x become=$become -qn 'BEGIN { exit(0); }' || fail "$become: $(cat "$tmp/err")"
	same "$([ $become = none ] || echo "$tmp/hostbin/$become -n")" "$(cat "$tmp/used")" "become=$become"
done
printf '#!/bin/sh\necho "sudo: a password is required" >&2; exit 1\n' >"$tmp/hostbin/sudo"
if fleet h1 -n BEGIN; then fail 'without rights'; fi
grep -qx 'dtx: h1: left out: sudo: a password is required' "$tmp/err" || fail "not told: $(cat "$tmp/err")"
rm "$tmp"/hostbin/*

# The connection ends in the middle: the run there ends, too.
PATH=$tmp/bin:$PATH "$DTX" --hosts h1 -qn 'BEGIN { printf("ready\n"); } tick-1s { @ = count(); }' >"$tmp/out" 2>"$tmp/err" & pid=$!
begun
kill -9 $pid
wait $pid 2>/dev/null
awaits eval '! pgrep -f "^/proc/self/fd/3 --agent" >/dev/null'
[ "$(left)" = "$before" ] || fail 'dtx-run stays on the host'
