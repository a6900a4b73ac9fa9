/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nofolder.c - opens a pipe, a socket, an epoll instance and shared memory, which are in no folder,
 * and a file that is; says what /proc/self/fd calls each, and names it to the kernel by dup2().
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
	int pipes[2], fds[5];

	if (pipe(pipes) < 0)
		return 1;
	fds[0] = pipes[1];
	fds[1] = socket(AF_INET, SOCK_STREAM, 0);
	fds[2] = epoll_create1(0);
	fds[3] = memfd_create("memo", 0);
	fds[4] = open("/dev/null", O_RDONLY);
	for (int i = 0; i < 5; i++) {
		char path[64], text[256];
		ssize_t n;

		snprintf(path, sizeof(path), "/proc/self/fd/%d", fds[i]);
		n = readlink(path, text, sizeof(text));
		if (n < 0)
			return 1;
		printf("%d %.*s\n", fds[i], (int)n, text);
		dup2(fds[i], fds[i]);
	}
	return 0;
}
