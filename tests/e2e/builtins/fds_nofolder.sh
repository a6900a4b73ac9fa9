#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: both
#
# fds[] of a pipe, a socket, an epoll instance and shared memory: the paths that /proc/PID/fd shows (without its
# "(deleted)"), and names that say what they are.
. "$(dirname "$0")/../lib.sh"

dtx -qn 'syscall::dup2:entry /pid == $target/ {
	printf("D %d %s\nN %s %s\n", arg0, fds[arg0].fi_pathname, fds[arg0].fi_fs, fds[arg0].fi_name);
}' -c "$t/nofolder"
# A file with a folder is beside the point: in a guest its path begins outside of the root that the program has.
said() { sed -n 's/ (deleted)$//; /null$/d; /^[0-9]/p' "$tmp/out"; }
same "$(said)" "$(sed -n '/null$/d; s/^D //p' "$tmp/out")" "not what /proc/self/fd says"
pipe=$(said | grep -o 'pipe:.*')
same "pipefs $pipe
sockfs TCP
anon_inodefs [eventpoll]
tmpfs memfd:memo
devtmpfs null" "$(sed -n 's/^N //p' "$tmp/out")" "the names of files"
# Short strings cut the text, and nothing else.
dtx -qn 'syscall::dup2:entry /pid == $target/ { printf("D %s\n", fds[arg0].fi_pathname); }' -x strsize=9 -c "$t/nofolder"
same "$(said | sed 's/^[0-9]* //; s/^\(.\{8\}\).*/\1/')" "$(sed -n 's/^D //p' "$tmp/out" | head -4)" "paths of 8 bytes"
