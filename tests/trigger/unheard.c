/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unheard [MS]: a TCP server over loopback that accepts nothing, and a client that is not answered
 * because the server's queue is full: it asks again after a second. Ends after MS (1300)
 * milliseconds. Prints "unheard CLIENT SERVER", the ports.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

static int port_of(int fd)
{
	struct sockaddr_in at;
	socklen_t len = sizeof(at);

	getsockname(fd, (struct sockaddr *)&at, &len);
	return ntohs(at.sin_port);
}

int main(int argc, char **argv)
{
	int ms = argc > 1 ? atoi(argv[1]) : 1300, client = -1;
	int server = socket(AF_INET, SOCK_STREAM, 0);
	struct sockaddr_in at = { .sin_family = AF_INET };
	struct timespec a_moment = { 0, 30000000 }, t = { ms / 1000, ms % 1000 * 1000000 };

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(server, (struct sockaddr *)&at, sizeof(at)) || listen(server, 0))
		return 1;
	at.sin_port = htons(port_of(server));
	for (int i = 0; i < 2; i++) {    /* the first one fills the queue */
		client = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
		connect(client, (struct sockaddr *)&at, sizeof(at));
		nanosleep(&a_moment, NULL);
	}
	printf("unheard %d %d\n", port_of(client), port_of(server));
	nanosleep(&t, NULL);
	return 0;
}
