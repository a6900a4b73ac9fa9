/* SPDX-License-Identifier: BSD-2-Clause */
struct o { int p; int q; }; translator struct o < struct task_struct *t > { p = t->pid; };

BEGIN
{
	trace(xlate <struct o>(curthread).q);
}
