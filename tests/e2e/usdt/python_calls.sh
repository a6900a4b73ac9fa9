#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
#
# Probes of Python's calls get a note that they want its line probe, unless the program has it.
. "$(dirname "$0")/../lib.sh"
echo '#include <sys/sdt.h>' | gcc -E - >/dev/null 2>&1 || skip "needs sys/sdt.h (systemtap-sdt-dev)"

cat >"$tmp/python.c" <<'END'
#include <sys/sdt.h>
int main(void)
{
	DTRACE_PROBE1(python, function__entry, 1);
	DTRACE_PROBE1(python, line, 2);
	return 0;
}
END
gcc -o "$tmp/python" "$tmp/python.c" || fail "cannot compile"
"$DTX" -e -c "$tmp/python" -n 'python$target:::function-entry { }' 2>"$tmp/err" || fail "$(cat "$tmp/err")"
grep -qF 'python*:::line /0/ { }' "$tmp/err" || fail "no note: $(cat "$tmp/err")"
"$DTX" -e -c "$tmp/python" -n 'python$target:::function-entry { } python$target:::line /0/ { }' 2>"$tmp/err" || fail "$(cat "$tmp/err")"
same "" "$(cat "$tmp/err")" "notes"
