#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: perf
#
# arg0 and arg1 of a profile probe: never both, and those of a program that only computes are in its function.
. "$(dirname "$0")/../lib.sh"

# shellcheck disable=SC2016
dtx -qn 'profile-499 /pid == $target/ { @n[arg0 && arg1 ? "both" : arg1 ? "user" : arg0 ? "kernel" : "none"] = count(); }
profile-499 /pid == $target && arg1/ { @f[ufunc(arg1)] = count(); }' -c "$t/spin 1000"
[ "$(value both)" = 0 ] && [ "$(value none)" = 0 ] || fail "both: $(value both), neither: $(value none)"
user=$(value user) burn=$(value 'spin`burn')
[ "$user" -ge 20 ] && [ $((burn * 10)) -ge $((user * 9)) ] || fail "$burn of $user user samples are in burn()"
