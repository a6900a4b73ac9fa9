/* SPDX-License-Identifier: BSD-2-Clause */
/* offsetof of members of members and of elements; a member may have a name that means something in D. */
#pragma D option quiet
struct in { char a; short b[3]; };
struct s { long first; struct in in[2]; union { struct in other; int string; }; int probe; };
int w[offsetof(struct s, in[1].b[2])];
BEGIN
{
	printf("%d %d %d\n", offsetof(struct s, in[1]), offsetof(struct s, in[1].b[1 + 1]), offsetof(struct s, other.b));
	printf("%d %d\n", offsetof(struct s, string), offsetof(struct s, probe));
	printf("%d %d\n", offsetof(struct device_driver, probe) > 0, offsetof(struct task_struct, se.vruntime) ==
		offsetof(struct task_struct, se) + offsetof(struct sched_entity, vruntime));
	printf("%d\n", sizeof (w));
	exit(0);
}
