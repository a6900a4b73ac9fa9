#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# I/O by file: the reads and writes of each path, with their bytes, as dd makes them.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/script.d" <<-'END'
	#pragma D option quiet
	syscall::read:entry, syscall::pread64:entry, syscall::write:entry, syscall::pwrite64:entry
	/execname == "dd" && fds[arg0].fi_dirname == $$1/
	{
		self->name = fds[arg0].fi_name;
		self->do = 1;
	}
	syscall::read:return, syscall::pread64:return /self->do && (int)arg0 >= 0/ {
		@ops[self->name, "R"] = count();
		@bytes[self->name, "R"] = sum(arg0);
	}
	syscall::write:return, syscall::pwrite64:return /self->do && (int)arg0 >= 0/ {
		@ops[self->name, "W"] = count();
		@bytes[self->name, "W"] = sum(arg0);
	}
	syscall::read:return, syscall::pread64:return, syscall::write:return, syscall::pwrite64:return /self->do/ {
		self->name = 0;
		self->do = 0;
	}
	END {
		printf("%-12s %3s %8s %10s\n", "FILE", "D", "OPS", "BYTES");
		printa("%-12s %3s %@8d %@10d\n", @ops, @bytes);
	}
END
cat >"$tmp/load" <<-END
	dd if=/dev/zero of=$tmp/one bs=100 count=17 status=none
	dd if=/dev/zero of=$tmp/two bs=5000 count=3 status=none
	dd if=$tmp/one of=$tmp/three bs=1000 status=none
	dd if=$tmp/two of=/dev/null bs=4000 status=none
END
dtx -s "$tmp/script.d" "$tmp" -c "sh $tmp/load"
# The last read of a file gives 0 bytes.
same 'one R 3 1700
one W 17 1700
three W 2 1700
two R 5 15000
two W 3 15000' "$(awk 'NF == 4 && $1 != "FILE" { print $1, $2, $3, $4 }' "$tmp/out" | sort)" "not the reads and writes"
