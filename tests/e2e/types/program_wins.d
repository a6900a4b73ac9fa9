// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// Types of the program take precedence over those of the kernel.
struct list_head { char mine[3]; };
typedef short pid_type_t;
BEGIN { printf("%d %d\n", sizeof (struct list_head), sizeof (pid_type_t)); exit(0); }
