// SPDX-License-Identifier: BSD-2-Clause
/* A description without probes hides no mistake in other clauses; what its clause assigns is known in them. */
syscall::reed:entry { a = 1; self->b = 2; @c = count(); }
syscall::read:entry { trace(a + self->b + nope); printa(@c); }
syscall::write:entry /arg0 = 1/ { trace(strlne("x")); }
END { trace(curthread->nothing); quantize(3); }
