#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
# timeout: 180
# truth: a process that executes a copy of itself in memory, or another program | it is told, by what name, that the probes are not in it | the program's own calls
# A program that executes another one leaves its probes behind, which is told, with -q too. One that executes itself again does not.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/p.c" <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>
extern char **environ;
static volatile int sink;
__attribute__((noinline, noclone)) int step(int n) { sink += n; return n; }
int main(int argc, char **argv)
{
	char *next[] = { argv[0], argv[1], "again", NULL };
	int self = open("/proc/self/exe", O_RDONLY), fd;

	step(argc);
	if (argc != 2)
		return 0;
	if (!strcmp(argv[1], "itself"))
		return execv("/proc/self/exe", next);
	if (strcmp(argv[1], "copy"))
		return execv(argv[1], next);
	fd = memfd_create("a\033[31mcopy", MFD_CLOEXEC);
	sendfile(fd, self, NULL, 1 << 20);
	return fexecve(fd, next, environ);
}
C
gcc -O1 -g -w -o "$tmp/p" "$tmp/p.c" && cp "$tmp/p" "$tmp/other" || fail gcc

# runs CALLS TOLD PROBE ARGUMENT
runs() {
	dtx -qn "$3"' { @ = count(); } END { printa("%@d\n", @); }' -c "$tmp/p $4"
	same "$1" "$(grep . "$tmp/out")" "$3, $4: calls"
	same "$2" "$(sed -n "s,^dtx: warning: process [0-9]* has executed another program\, \(.*\): the probes in $tmp/p are not in it\$,\1,p" "$tmp/err")" \
		"$3, $4: $(cat "$tmp/err")"
}
runs 2 '' 'pid$target:a.out:step:entry' itself
runs 1 "$tmp/other" 'pid$target:a.out:step:entry' "$tmp/other"
runs 1 "$tmp/other" "uprobe:$tmp/p:step" "$tmp/other"
runs 2 '' "uprobe:$tmp/p:step,uprobe:$tmp/other:step" "$tmp/other"
runs 2 '' 'pid$target:libc.so.6:open*:entry' "$tmp/other"
runs 1 '/memfd:a\x1b[31mcopy (deleted)' 'pid$target:a.out:step:entry' copy
exit 0
