#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Memory mapped and given back: calls, bytes and sizes by program; what is anonymous and what is of a file.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/script.d" <<-'END'
	#pragma D option quiet
	inline int ANONYMOUS = 0x20;
	syscall::mmap:entry /progenyof($target)/ { self->size = arg1; self->kind = arg3 & ANONYMOUS ? "anonymous" : "file"; }
	syscall::mmap:return /self->size && (long)arg0 > 0/ {
		@calls[execname, self->kind] = count();
		@bytes[execname, self->kind] = sum(self->size);
		@sizes[execname] = quantize(self->size);
	}
	syscall::mmap:return { self->size = 0; self->kind = 0; }
	syscall::munmap:entry /progenyof($target)/ { @freed[execname] = count(); }
	END {
		printa("%s %s: %@d calls, %@d bytes\n", @calls, @bytes);
		printa("%s munmap %@d\n", @freed);
		printa(@sizes);
	}
END
count() { dtx -s "$tmp/script.d" -c "$t/chores maps $1 32" && awk '$1 == "chores" && $2 == "anonymous:" { print $3, $5 } $1 == "chores" && $2 == "munmap" { print $3 }' "$tmp/out"; }
# What the loader maps is the same each time.
read -r calls bytes freed < <(echo $(count 1))
few=$(histogram chores | awk '$1 == 131072 { print $2 }')
read -r calls2 bytes2 freed2 < <(echo $(count 51))
same '50 6553600 50 50' "$((calls2 - calls)) $((bytes2 - bytes)) $((freed2 - freed)) $(($(histogram chores | awk '$1 == 131072 { print $2 }') - few))" \
	"not the maps made"
