// SPDX-License-Identifier: BSD-2-Clause
// The same of a translator's member.
struct tr { char name[8]; };
translator struct tr < struct task_struct *T > { name = T->comm; };
BEGIN { trace(xlate <struct tr> (curthread).name[8]); }
