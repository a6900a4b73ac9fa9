// SPDX-License-Identifier: BSD-2-Clause
// Inlines, translators, providers.
#pragma D attributes Stable/Stable/Common LIMIT
#pragma D binding "1.0" LIMIT
inline int LIMIT = 4 * 25;
inline string who = execname;
inline int scaled[int a, int by] = a * by;
int table[LIMIT];
typedef struct info { int i_pid; string i_name; } info_t;
translator info_t < struct task_struct *T > {
	i_pid = T->pid;
	i_name = stringof(T->comm);
};
provider shop {
	probe query__start(char *q, int n) : (string q, int n);
	probe query__done();
};
#pragma D attributes Evolving/Evolving/Common provider shop provider
BEGIN { xlate <info_t *>(curthread)->i_pid; xlate <info_t>(curthread).i_name; scaled[1, 2]; }
