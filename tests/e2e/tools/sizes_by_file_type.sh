#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Reads and writes by the sort of file (pipe, socket, device, memory) and by size.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/script.d" <<-'END'
	#pragma D option quiet
	syscall::read:entry, syscall::write:entry /progenyof($target) && execname == "chores" && arg2 == 1000 + $1/ {
		self->type = fds[arg0].fi_fs;
		self->in = 1;
	}
	syscall::read:return, syscall::write:return /self->in/ {
		@bytes[probefunc, self->type] = sum(arg0);
		@size[self->type] = lquantize(arg0, 0, 5000, 1000);
		self->type = 0;
		self->in = 0;
	}
	END {
		printa("%s %s %@d\n", @bytes);
		printa("%s%@d\n", @size);
	}
END
dtx -s "$tmp/script.d" 2000 -c "$t/chores pipes 12 3000"
same 'read pipefs 36000
read sockfs 36000
write devtmpfs 36000
write pipefs 36000
write sockfs 36000
write tmpfs 36000' "$(grep -E '^(read|write) ' "$tmp/out" | sort)" "the bytes"
# Written and read: 24 of each.
same '3000 24 3000 12' "$(echo $(histogram pipefs | awk '$2') $(histogram devtmpfs | awk '$2'))" "the sizes"
