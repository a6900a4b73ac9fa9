/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tcp NAME SIZE:COUNT… [-- NAME SIZE:COUNT…]…: one client process a NAME, all at once. Each sends
 * over loopback to a TCP server of its own that only reads: COUNT times send(2) with SIZE bytes, in
 * the order given. So the calls of tcp_sendmsg by NAME, with their sizes, are exactly those of the
 * command line.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static char buf[1 << 20];

static void serve(int listener)
{
	int fd = accept(listener, NULL, NULL);

	prctl(PR_SET_NAME, "tcp-server");
	while (read(fd, buf, sizeof(buf)) > 0)
		;
	_exit(fd < 0);
}

static void client(char **argv)
{
	struct sockaddr_in addr = { .sin_family = AF_INET,
				    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(addr);
	int listener = socket(AF_INET, SOCK_STREAM, 0), fd, one = 1, status;

	if (bind(listener, (void *)&addr, len) || listen(listener, 1) ||
	    getsockname(listener, (void *)&addr, &len))
		_exit(1);
	if (fork() == 0)
		serve(listener);
	close(listener);
	fd = socket(AF_INET, SOCK_STREAM, 0);
	prctl(PR_SET_NAME, argv[0]);
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	if (connect(fd, (void *)&addr, len))
		_exit(1);
	for (argv++; *argv && strcmp(*argv, "--"); argv++) {
		long size = atol(*argv),
		     count = strchr(*argv, ':') ? atol(strchr(*argv, ':') + 1) : 1;

		while (count-- > 0)
			if (send(fd, buf, size, 0) != size)
				_exit(1);
	}
	close(fd);
	wait(&status);
	_exit(status != 0);
}

int main(int argc, char **argv)
{
	int status, failed = 0;

	for (char **arg = argv + 1; *arg; arg++) {
		if (arg != argv + 1 && strcmp(arg[-1], "--"))
			continue;
		if (fork() == 0)
			client(arg);
	}
	while (wait(&status) > 0)
		failed |= status != 0;
	return failed;
}
