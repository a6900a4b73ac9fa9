#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root gcc python3
#
# The command of -c writes to the same file as dtx: between the lines of dtx, and into none of them.
# truth: lines of the output | each is whole, where the traced command writes to the same file | the command's own lines
. "$(dirname "$0")/../lib.sh"

gcc -O1 -x c -o "$tmp/says" - <<'END' || fail 'the program does not compile'
#include <sys/syscall.h>
#include <unistd.h>
int main(void)
{
	for (int i = 0; i < 20000; i++) {
		syscall(SYS_getpid);
		if (i % 100 == 0)
			write(1, "says\n", 5);
	}
	return 0;
}
END
for format in text json csv; do
	dtx -q -x format=$format -x bufsize=16m -n 'syscall::getpid:entry /pid == $target/ { printf("%s %d\n", "a text of some length", 12345); }' -c "$tmp/says"
	same 200 "$(grep -cx says "$tmp/out")" "$format: lines of the command"
	case $format in
	text) same 20000 "$(grep -cx 'a text of some length 12345' "$tmp/out")" "$format: lines of dtx" ;;
	json) grep -vx says "$tmp/out" | python3 -c 'import json, sys; [json.loads(l) for l in sys.stdin]' || fail 'a line of JSON is cut' ;;
	esac
done
