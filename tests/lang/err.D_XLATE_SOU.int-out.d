/* SPDX-License-Identifier: BSD-2-Clause */
translator int < struct task_struct *t > { z = t->pid; };

BEGIN
{
	exit(0);
}
