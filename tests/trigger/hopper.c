/* SPDX-License-Identifier: BSD-2-Clause */
/* hopper N: calls getpgid(1) … getpgid(N), each on another of the CPUs it may use. */
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1;
	cpu_set_t may, one;

	sched_getaffinity(0, sizeof(may), &may);
	for (int i = 1, cpu = 0; i <= n; i++) {
		do {
			cpu = (cpu + 1) % CPU_SETSIZE;
		} while (!CPU_ISSET(cpu, &may));
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		sched_setaffinity(0, sizeof(one), &one);
		getpgid(i);
	}
	return 0;
}
