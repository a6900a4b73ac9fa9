/* SPDX-License-Identifier: BSD-2-Clause */
/* An attribute whose number is none would leave a struct other than it is in C. */
struct s { char a; int b __attribute__((aligned(pid))); } __attribute__((aligned(3)));
BEGIN
{
	trace(sizeof(struct s));
}
