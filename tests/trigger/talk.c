/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * talk ADDRESS: a TCP client and a server that talk over loopback (IPv4 or IPv6), a connection that
 * is refused, and three datagrams.  The client sends 1000, 20000 and 5 bytes, the server answers
 * with 700; while the connection stands, `ss -tin` shows it.  Prints the ports: "tcp CLIENT
 * SERVER", "refused CLIENT SERVER", "udp CLIENT SERVER".
 */
#include <arpa/inet.h>
#include <linux/sockios.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static union {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
} addr;
static socklen_t addr_len;
static char buf[20000];

/* A socket on the address; its port. */
static int bound(int type, int *port)
{
	int fd = socket(addr.any.sa_family, type, 0);
	socklen_t len = addr_len;

	addr.v4.sin_port = 0;            /* at the same place in sockaddr_in6 */
	if (fd < 0 || bind(fd, &addr.any, len) || getsockname(fd, &addr.any, &len))
		exit(1);
	*port = ntohs(addr.v4.sin_port);
	return fd;
}

static int join(int fd, int port)
{
	addr.v4.sin_port = htons(port);
	return connect(fd, &addr.any, addr_len);
}

static void get(int fd, size_t n)
{
	for (ssize_t got; n; n -= got)
		if ((got = read(fd, buf, n < sizeof(buf) ? n : sizeof(buf))) <= 0)
			exit(1);
}

static void put(int fd, size_t n)
{
	if (write(fd, buf, n) != (ssize_t)n)
		exit(1);
}

/* Until the peer has acknowledged everything. */
static void drain(int fd)
{
	int left = 1;

	while (!ioctl(fd, SIOCOUTQ, &left) && left)
		usleep(1000);
}

static void serve(int listener)
{
	int fd = accept(listener, NULL, NULL);

	get(fd, 21005);
	put(fd, 700);
	drain(fd);
	if (read(fd, buf, 1) != 0)
		_exit(1);
	_exit(0);
}

static void tcp(void)
{
	int server, client, one = 1, listener = bound(SOCK_STREAM, &server), fd;
	char text[64];

	listen(listener, 1);
	if (!fork())
		serve(listener);
	close(listener);
	fd = bound(SOCK_STREAM, &client);
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	if (join(fd, server))
		exit(1);
	printf("tcp %d %d\n", client, server);
	put(fd, 1000);
	put(fd, 20000);
	put(fd, 5);
	get(fd, 700);
	drain(fd);
	fflush(stdout);
	snprintf(text, sizeof(text), "ss -tinH 'sport = :%d and dport = :%d'", client, server);
	if (system(text))
		exit(1);
	shutdown(fd, SHUT_WR);
	while (read(fd, buf, sizeof(buf)) > 0)
		;
	close(fd);
	wait(NULL);
}

static void refused(void)
{
	int server, client, fd = bound(SOCK_STREAM, &server);

	close(fd);
	fd = bound(SOCK_STREAM, &client);
	printf("refused %d %d\n", client, server);
	if (!join(fd, server))
		exit(1);
	close(fd);
}

static void udp(void)
{
	int server, client, to = bound(SOCK_DGRAM, &server), fd = bound(SOCK_DGRAM, &client);

	join(fd, server);
	printf("udp %d %d\n", client, server);
	for (int n = 1003; n <= 1409; n += 203) {
		put(fd, n);
		get(to, n);
	}
}

int main(int argc, char **argv)
{
	if (argc == 2 && inet_pton(AF_INET, argv[1], &addr.v4.sin_addr)) {
		addr.any.sa_family = AF_INET;
		addr_len = sizeof(addr.v4);
	} else if (argc == 2 && inet_pton(AF_INET6, argv[1], &addr.v6.sin6_addr)) {
		addr.any.sa_family = AF_INET6;
		addr_len = sizeof(addr.v6);
	} else {
		return 2;
	}
	tcp();
	refused();
	udp();
	return 0;
}
