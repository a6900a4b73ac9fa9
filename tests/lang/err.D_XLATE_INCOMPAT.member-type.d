/* SPDX-License-Identifier: BSD-2-Clause */
struct o { int p; }; translator struct o < struct task_struct *t > { p = t->comm; };

BEGIN
{
	exit(0);
}
