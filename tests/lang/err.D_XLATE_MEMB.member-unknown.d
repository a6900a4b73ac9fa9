/* SPDX-License-Identifier: BSD-2-Clause */
struct o { int p; }; translator struct o < struct task_struct *t > { z = t->pid; };

BEGIN
{
	exit(0);
}
