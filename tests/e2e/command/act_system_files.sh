#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# A command of system(), and one of -c, may open as many files as dtx might when it was started: dtx raises its own limit.
. "$(dirname "$0")/../lib.sh"

printf '#!/bin/sh\nulimit -Sn\n' >"$tmp/limit"
chmod +x "$tmp/limit"
ulimit -Sn 512
dtx -wqn 'BEGIN { system("ulimit -Sn"); } syscall::getpgid:entry /0/ {}' -c "$tmp/limit"
[ "$(xargs <"$tmp/out")" = "512 512" ] || fail "$(cat "$tmp/out")"
