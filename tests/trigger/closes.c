/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * closes: TCP connections over loopback that end in different ways; then `ss -tan` shows what is
 * left.  Prints "HOW CLIENT SERVER" (ports) for each, HOW:
 *
 *   later     the client closes, the server a moment after it
 *   half      the client shuts its side, waits for the end of the server's, and closes
 *   reset     the client closes, the server ends with a reset
 *   data      the client closes, the server still sends
 *   abort     the client ends with a reset
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int client, server;

static int port_of(int fd)
{
	struct sockaddr_in a;
	socklen_t len = sizeof(a);

	getsockname(fd, (void *)&a, &len);
	return ntohs(a.sin_port);
}

static void pair(const char *how)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int listener = socket(AF_INET, SOCK_STREAM, 0);

	if (bind(listener, (void *)&a, sizeof(a)) || listen(listener, 1))
		exit(1);
	a.sin_port = htons(port_of(listener));
	client = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(client, (void *)&a, sizeof(a)))
		exit(1);
	server = accept(listener, NULL, NULL);
	close(listener);
	printf("%s %d %d\n", how, port_of(client), port_of(server));
	fflush(stdout);
}

static void reset(int fd)
{
	struct linger now = { 1, 0 };

	setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
	close(fd);
}

/* Until the other side has said that it closes. */
static void get_end(int fd)
{
	char c;

	while (read(fd, &c, 1) > 0)
		;
}

int main(void)
{
	pair("later");
	close(client);
	get_end(server);
	usleep(100000); /* longer than the kernel delays the acknowledgement */
	close(server);

	pair("half");
	shutdown(client, SHUT_WR);
	get_end(server);
	close(server);
	get_end(client);
	close(client);

	pair("reset");
	close(client);
	get_end(server);
	reset(server);

	pair("data");
	close(client);
	get_end(server);
	if (write(server, "x", 1) != 1)
		exit(1);
	close(server);

	pair("abort");
	reset(client);
	close(server);
	return system("ss -Htan");
}
