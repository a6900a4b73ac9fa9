/* SPDX-License-Identifier: BSD-2-Clause */
/* files TOTAL: that many open files, in as many processes as it takes; says "ready", ends when its
 * input does. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	long total = argc > 1 ? atol(argv[1]) : 1, each = 0;
	struct rlimit most;
	char c;
	int fd = open("/dev/null", O_RDONLY);

	setpgid(0, 0);
	getrlimit(RLIMIT_NOFILE, &most);
	most.rlim_cur = most.rlim_max;
	setrlimit(RLIMIT_NOFILE, &most);
	while (fd >= 0 && each < total && dup(fd) >= 0)
		each++;
	for (long made = each; each && made < total; made += each) {
		pid_t child = fork();

		if (child < 0)
			return 1;
		if (child)
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pause();
		return 0;
	}
	if (!each)
		return 1;
	puts("ready");
	fflush(stdout);
	int left = read(0, &c, 1) != 0;
	signal(SIGTERM, SIG_IGN);        /* for all but this one */
	kill(0, SIGTERM);
	while (wait(NULL) > 0)
		;
	return left;
}
