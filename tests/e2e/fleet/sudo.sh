#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# A user who may call one command by sudo, dtx-run --trust SIGNERS --agent, runs what was signed on hosts, and nothing else.
# needs: root syscall:getpriority sudo unshare setpriv ssh-keygen python3
. "$(dirname "$0")/../lib.sh"

rm -rf "$tmp"
tmp=$(TMPDIR=/tmp mktemp -d)             # where another user may look
chmod 755 "$tmp"
cp "$DTX" "$(dirname "$DTX")/dtx-run" "$tmp"
ssh-keygen -qt ed25519 -N '' -f "$tmp/alice"
echo "alice $(cat "$tmp/alice.pub")" >"$tmp/signers"
cp "$tmp/signers" "$tmp/others"
agent="$tmp/dtx-run --trust $tmp/signers --agent"
printf 'Defaults !lecture\nroot ALL=(ALL) ALL\nnobody ALL=(root) NOPASSWD: %s\n' "$agent" >"$tmp/sudoers"
chmod 440 "$tmp/sudoers"
# Only the processes of this test see these rights.
nobody() {
	HOME=$tmp XDG_CACHE_HOME=/nonexistent timeout 60 unshare -m sh -c 'mount --bind "$0" /etc/sudoers && exec setpriv --reuid=65534 --regid=65534 --clear-groups "$@"' \
		"$tmp/sudoers" "$@" >"$tmp/out" 2>"$tmp/err"
}
host() { nobody "$tmp/dtx" --hosts web1 --via "sudo -n $1" "${@:2}"; }

# truth: a host of a user without rights, by sudo, a signed image | count() by name | 200 calls of a program
cat >"$tmp/caller.py" <<-'E'
	import ctypes
	libc = ctypes.CDLL(None)
	libc.prctl(15, b"caller", 0, 0, 0)
	for i in range(200): libc.getpriority(0, 0)
	E
dtx --image "$tmp/good" -x timestamps -x sign="$tmp/alice" -w -n "BEGIN { system(\"python3 $tmp/caller.py\"); }
	syscall::getpriority:entry /execname == \"caller\"/ { @[execname] = count(); } syscall::getpriority:entry /execname == \"caller\" && ++n == 200/ { exit(0); }"
dtx --image "$tmp/bad" -x timestamps -n 'BEGIN { exit(0); }'
chmod 644 "$tmp/good" "$tmp/bad"
host "$agent" -qr "$tmp/good" || fail "a signed image: $(cat "$tmp/out" "$tmp/err")"
[ "$(value caller)" = 200 ] || fail "a signed image: $(cat "$tmp/out" "$tmp/err")"

# attack: a user with sudo for the agent with --trust alone: an image that nobody signed, a program, -c, other keys, no --trust, other options | refused
refuses() { if host "${@:2}"; then fail "accepted: ${*:2}"; fi; grep -q "$1" "$tmp/err" || fail "${*:2}: not told '$1', but: $(cat "$tmp/err")"; }
refuses 'web1: left out: the image is not signed' "$agent" -r "$tmp/bad"
refuses 'web1: left out: with --trust it runs signed images' "$agent" -n 'BEGIN { exit(0); }'
refuses 'web1: left out: with --trust it runs signed images' "$agent" -r "$tmp/good" -c id
refuses 'a password is required' "$tmp/dtx-run --trust $tmp/others --agent" -r "$tmp/good"
refuses 'a password is required' "$tmp/dtx-run --agent" -r "$tmp/good"
refuses 'a password is required' "$agent -o $tmp/written" -r "$tmp/good"
