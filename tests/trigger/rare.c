/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rare.c - what seldom happens, in known numbers: 2 messages sent and 1 received, 50 pages that the
 * kernel touches first, 20 times sched_yield(), 3 datagrams to a port that nobody has open, a
 * connection that is reset, and one whose first segment is sent twice because the server's queue is
 * full.
 */
#define _DEFAULT_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/socket.h>
#include <unistd.h>

#define PAGES 50

static void must(int ok)
{
	if (!ok)
		exit(1);
}

static void messages(void)
{
	struct { long type; char text[8]; } m = { 1, "text" };
	int queue = msgget(IPC_PRIVATE, 0600);

	must(!msgsnd(queue, &m, sizeof(m.text), 0) && !msgsnd(queue, &m, sizeof(m.text), 0));
	must(msgrcv(queue, &m, sizeof(m.text), 0, 0) == sizeof(m.text));
	msgctl(queue, IPC_RMID, NULL);
}

static void pages(void)
{
	size_t size = PAGES * 4096;
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	madvise(p, size, MADV_NOHUGEPAGE);
	must(read(open("/dev/zero", O_RDONLY), p, size) == (ssize_t)size);
}

/* A socket on a port of its own of 127.0.0.1, whose address is given back. */
static int bound(int type, struct sockaddr_in *at)
{
	socklen_t len = sizeof(*at);
	int fd = socket(AF_INET, type, 0);

	*at = (struct sockaddr_in){ .sin_family = AF_INET,
				    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	must(fd >= 0 && !bind(fd, (struct sockaddr *)at, len) &&
	     !getsockname(fd, (struct sockaddr *)at, &len));
	return fd;
}

static void nobody(void)
{
	struct sockaddr_in to;
	int fd;

	close(bound(SOCK_DGRAM, &to));
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	for (int i = 0; i < 3; i++)
		must(sendto(fd, "?", 1, 0, (struct sockaddr *)&to, sizeof(to)) == 1);
}

static void reset(void)
{
	struct linger at_once = { 1, 0 };
	struct sockaddr_in to;
	int listener = bound(SOCK_STREAM, &to), fd = socket(AF_INET, SOCK_STREAM, 0), peer;

	must(!listen(listener, 1) && !connect(fd, (struct sockaddr *)&to, sizeof(to)));
	peer = accept(listener, NULL, NULL);
	must(peer >= 0 && !setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once)));
	close(fd);
	must(read(peer, &to, 1) < 0);
	close(peer);
	close(listener);
}

static void full(void)
{
	struct sockaddr_in to;
	int listener = bound(SOCK_STREAM, &to);

	must(!listen(listener, 0));
	for (int i = 0; i < 3; i++)
		connect(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), (struct sockaddr *)&to,
			sizeof(to));
	usleep(1500000);
}

int main(void)
{
	messages();
	pages();
	for (int i = 0; i < 20; i++)
		sched_yield();
	nobody();
	reset();
	full();
	return 0;
}
