// SPDX-License-Identifier: BSD-2-Clause
// row: lang.4
// Statements: the last semicolon, empty ones, if and else.
BEGIN { }
BEGIN { ; ; }
BEGIN { a = 1 }
BEGIN { a = 1; }
BEGIN { if (a) b = 1 }
BEGIN { if (a) b = 1; else c = 1 }
BEGIN { if (a) { b = 1; c = 2 } else if (d) e = 3; else { f = 4; } g = 5; }
BEGIN { if (a) if (b) c = 1; else d = 2; }
BEGIN { if (a) ; else { } }
