/* SPDX-License-Identifier: BSD-2-Clause */
// row: lang.1
/* Right-aligned short forms of a description, several per clause. */
#pragma D option quiet
BEGIN, ::BEGIN,
:::BEGIN, dtrace:::BEGIN
{ n++; }
END { printf("%d %s\n", n, probename); }
BEGIN { exit(0); }
