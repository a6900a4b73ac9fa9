// SPDX-License-Identifier: BSD-2-Clause
/* Nor does a clause that cannot be read; a name that may be of that clause is not called unknown. */
BEGIN { a = ; b = 1; }
BEGIN { trace(b); printf("%d", execname); }
END { x = strlne("x"); }
