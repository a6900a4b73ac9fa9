#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf gcc
# where: native
# truth: files that a process creates | names, by openat with O_CREAT and by creat | the program's own calls, what is in the folder
# truth: bytes of disk requests by process, in the way of classic scripts | io:::start, b_bcount, B_READ | read_bytes and write_bytes of /proc/self/io
# truth: bytes read of a file, from the disk and from memory | fds[] at read, io:::start | the program's own calls, /proc/self/io
#
# Scripts that users of DTrace have, on a load whose truth is known: names of files by process, created files, bytes of the
# disk by process, how much of a file came from the disk. What Linux does not know there is told, by a note.
. "$(dirname "$0")/../lib.sh"

gcc -x c -o "$tmp/load" - <<'END' || fail 'the program does not compile'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#define SIZE (1 << 20)
static void io(const char *what)
{
	char text[512] = { 0 }, *at;
	int fd = open("/proc/self/io", O_RDONLY);
	if (read(fd, text, sizeof(text) - 1) > 0 && (at = strstr(text, what)))
		printf("%s%lld\n", what, atoll(at + strlen(what)));
	close(fd);
}
int main(int argc, char **argv)
{
	char *buf;
	if (puts("made") < 0)            /* that page is in memory from now on */
		return 1;
	if (chdir(argv[1]) || posix_memalign((void **)&buf, 4096, SIZE))
		return 1;
	memset(buf, 'x', SIZE);
	close(open("made", O_CREAT | O_WRONLY, 0600));
	close(syscall(SYS_creat, "made too", 0600));
	close(open("made", O_RDONLY));
	close(open("nothing", O_RDONLY));
	int fd = open("data", O_CREAT | O_RDWR | O_DIRECT, 0600);
	if (fd < 0)
		return 77;
	for (int i = 0; i < 4; i++)
		if (write(fd, buf, SIZE) != SIZE)
			return 77;
	lseek(fd, 0, SEEK_SET);
	for (int i = 0; i < 3; i++)
		if (read(fd, buf, SIZE) != SIZE)
			return 77;
	close(fd);
	fd = open("data", O_RDONLY);
	if (read(fd, buf, 65536) != 65536 || lseek(fd, 0, SEEK_SET) || read(fd, buf, 65536) != 65536)
		return 1;
	io("read_bytes: ");
	io("\nwrite_bytes: ");
	return 0;
}
END
mkdir "$tmp/folder"
"$tmp/load" "$tmp/folder" >/dev/null || skip 'no direct reads and writes of a disk here'
rm "$tmp/folder"/*

tool() { # PROGRAM: its output without the load's own
	dtx -qn "$1" -c "$tmp/load $tmp/folder" "${@:2}"
	sed -nE 's/^(read|write)_bytes: //p' "$tmp/out" >"$tmp/truth"
	sed -E '/^(read|write)_bytes|^$|^made$/d; s/ +/ /g; s/^ //' "$tmp/out" >"$tmp/answer"
	rm "$tmp/folder"/*
}

tool 'syscall::openat:entry /pid == $target/ { printf("%s %s\n", execname, copyinstr(arg1)); }'
same 'load made
load made
load nothing
load data
load data' "$(grep -E ' (made|nothing|data)' "$tmp/answer")" 'files by process'

tool 'syscall::creat:entry /pid == $target/ { printf("creat %s\n", copyinstr(arg0)); }
	syscall::openat:entry /pid == $target && arg2 & O_CREAT/ { printf("openat %s\n", copyinstr(arg1)); }'
same 'openat made
creat made too
openat data' "$(cat "$tmp/answer")" 'created files'

# The disk by process: what the program and its requests say, and a note instead of a name.
tool 'io:genunix::start /pid == $target/ { @[execname, args[0]->b_flags & B_READ ? "R" : "W", args[2]->fi_pathname] = sum(args[0]->b_bcount); }'
grep -q "'fi_pathname' is not available here: " "$tmp/err" || fail "no note: $(cat "$tmp/err")"
read -r from to <<<"$(paste -sd ' ' "$tmp/truth")"
same "load R <none> $from" "$(grep ' R ' "$tmp/answer")" 'bytes read of the disk'
# The file system may write its own pages meanwhile; the program's are all there.
awk -v to="$to" '/ W / { exit !($4 >= to) } END { if (!NR) exit 1 }' "$tmp/answer" || fail "bytes written, $to: $(cat "$tmp/answer")"

# How much of what was read came from the disk.
tool 'syscall::read:return /pid == $target && self->of/ { @["all"] = sum(arg0); self->of = 0; }
	syscall::read:entry /pid == $target && fds[arg0].fi_name == "data"/ { self->of = 1; }
	io:::start /pid == $target && args[0]->b_flags & B_READ/ { @["disk"] = sum(args[0]->b_bcount); }'
same "all 3276800
disk $(head -1 "$tmp/truth")" "$(sort "$tmp/answer")" 'read at all, and from the disk'

# The same with the names of long ago: what is wrong with each is told.
dtx -en 'syscall::creat*:entry, syscall::open*:entry /arg1 & O_CREAT/ { printf("%Y %s %s\n", walltimestamp, execname, copyinstr(arg0)); }'
grep -q 'arg1 of openat is the address of' "$tmp/err" && grep -q "arg0 of openat is the number 'dfd'" "$tmp/err" || fail "no notes: $(cat "$tmp/err")"
exit 0
