/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reads SIZE:COUNT…: read(2) from /dev/zero, COUNT times each SIZE bytes, under the process name
 * "known-reads", so that what the loader reads before (under the name "reads") can be told apart.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	static char buf[1 << 20];
	int fd = open("/dev/zero", O_RDONLY);

	prctl(PR_SET_NAME, "known-reads");
	for (int i = 1; i < argc; i++) {
		size_t size = strtoul(argv[i], NULL, 0);
		char *colon = strchr(argv[i], ':');
		long count = colon ? atol(colon + 1) : 1;

		while (count-- > 0)
			if (syscall(SYS_read, fd, buf, size) != (long)size)
				return 1;
	}
	return fd < 0;
}
