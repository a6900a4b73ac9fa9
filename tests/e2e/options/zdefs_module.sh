#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# With -Z a description of a module that is not loaded waits for it (kernel/module_later.sh). Where that cannot be, dtx says
# that it matches nothing and stays so; not of the kernel itself.
. "$(dirname "$0")/../lib.sh"

quiet() { dtx -Zqn "$1 { @ = count(); } BEGIN { exit(0); }"; }
for provider in rawfbt rawtp; do
	quiet "$provider:nosuchmod::nosuchprobe"
	grep -q "'$provider:nosuchmod::nosuchprobe' matches nothing, and no module nosuchmod is loaded: if it is loaded later, its probes are not attached" \
		"$tmp/err" || fail "$provider: $(cat "$tmp/err")"
done
for desc in fbt:vmlinux:nosuchfunction:entry fbt::nosuchfunction:entry 'fbt:nosuch*::entry' nosuch:::probe; do
	quiet "$desc"
	! grep -q 'is loaded' "$tmp/err" || fail "$desc: $(cat "$tmp/err")"
done

# Fields have types, which are not known yet.
dtx -Zqn 'tracepoint:nosuchmod:: { trace(args.x); } BEGIN { exit(0); }'
grep -qE "is not attached to what comes with a module: arg0 ... arg5 are the raw values|its probes are not attached" "$tmp/err" || fail "$(cat "$tmp/err")"
