#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes
#
# Sizes of what a program takes from the heap, by the function that asks, and what it gives back.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/script.d" <<-'END'
	#pragma D option quiet
	pid$target:mallocs:inner:entry { self->in = 1; }
	pid$target:libc.so.6:malloc:entry /self->in/ { self->size = arg0; }
	pid$target:libc.so.6:malloc:return /self->size/ {
		@sizes["malloc"] = quantize(self->size);
		@bytes["bytes"] = sum(self->size);
		block[arg1] = self->size;
		self->size = 0;
	}
	pid$target:mallocs:inner:return { self->in = 0; }
	pid$target:libc.so.6:free:entry /block[arg0]/ {
		@back["freed"] = sum(block[arg0]);
		block[arg0] = 0;
	}
	END { printa(@sizes); printa(@bytes); printa(@back); }
END
dtx -s "$tmp/script.d" -c "$t/mallocs 64:300 5000:20 100000:3"
same '64 300
4096 20
65536 3' "$(histogram malloc | awk '$2')" "the sizes"
same "$((64 * 300 + 5000 * 20 + 100000 * 3)) $((64 * 300 + 5000 * 20 + 100000 * 3))" "$(value bytes) $(value freed)" "the bytes"
