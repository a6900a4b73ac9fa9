/* SPDX-License-Identifier: BSD-2-Clause */
/* Strings in predicates, through comparison and strlen. */
#pragma D option quiet
BEGIN { s = "run"; e = ""; }
BEGIN /s == "run"/ { printf("one\n"); }
BEGIN /s == "walk"/ { printf("never\n"); }
BEGIN /strlen(s) == 3 && e == ""/ { printf("two\n"); }
BEGIN /s != e/
{
	printf("three\n");
	exit(0);
}
