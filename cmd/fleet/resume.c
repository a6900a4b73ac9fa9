/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * resume.c - a run outlives its connection.  The agent listens on an abstract socket of this
 * machine; another agent, which the collector reached when it called again, hands its standard
 * input and output to it, and then only waits, because its session ends with it.
 *
 * Both ends are processes of one user, which each asks the kernel for; and who hands a connection
 * over knows the token.  The name of the socket, which everybody may read, has only a half of it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "cmd/fleet/agent.h"

#define ANSWER_S 2               /* for the other agent, which is at work on nothing else */
/* Anybody on this machine may call, but only one user is heard: others do not fill the queue, and
 * are not looked at one by one. */
#define CALLS_MOST 1024

struct request {
	char token[RESUME_TOKEN];
	uint64_t at;
	uint32_t heard, said;
};

static bool token_is_one(const char *text, size_t len)
{
	return len >= RESUME_TOKEN && strspn(text, "0123456789abcdef") >= RESUME_TOKEN;
}

static socklen_t address(struct sockaddr_un *a, const char *token)
{
	*a = (struct sockaddr_un){ .sun_family = AF_UNIX };
	int n = snprintf(a->sun_path + 1, sizeof(a->sun_path) - 1, "dtx-run-%.*s",
			 RESUME_TOKEN / 2, token);

	return offsetof(struct sockaddr_un, sun_path) + 1 + n;
}

static bool is_own(int fd)
{
	struct ucred who;
	socklen_t len = sizeof(who);

	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &len) && who.uid == geteuid();
}

static void no_long_waits(int fd)
{
	struct timeval most = { ANSWER_S, 0 };

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof(most));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof(most));
}

/* ---- the run ------------------------------------------------------------------------ */

int resume_listen(struct resume *r, const char *token, size_t len)
{
	struct sockaddr_un a;

	if (len != RESUME_TOKEN || !token_is_one(token, len))
		return -EINVAL;
	r->listens = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (r->listens < 0 || bind(r->listens, (struct sockaddr *)&a, address(&a, token)) ||
	    listen(r->listens, CALLS_MOST)) {
		fd_close(&r->listens);
		return 0;                        /* the run ends with its connection */
	}
	memcpy(r->token, token, len);
	return 0;
}

/* The request and the descriptors of its connection. */
static bool take_request(int from, struct request *q, int fds[2])
{
	char control[CMSG_SPACE(2 * sizeof(int))] = { 0 };
	struct iovec body = { q, sizeof(*q) };
	struct msghdr m = { .msg_iov = &body, .msg_iovlen = 1, .msg_control = control,
			    .msg_controllen = sizeof(control) };
	ssize_t n = recvmsg(from, &m, MSG_CMSG_CLOEXEC);
	struct cmsghdr *c = n < 0 ? NULL : CMSG_FIRSTHDR(&m);
	int got = 0;

	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
		got = (int)((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
	if (got)
		memcpy(fds, CMSG_DATA(c), got * sizeof(int));
	if (n == sizeof(*q) && got == 2 && !(m.msg_flags & MSG_CTRUNC))
		return true;
	while (got--)
		close(fds[got]);
	return false;
}

static bool is_for(const struct resume *r, const struct request *q)
{
	unsigned char differs = 0;

	for (int i = 0; i < RESUME_TOKEN; i++)
		differs |= r->token[i] ^ q->token[i];
	return !differs && q->at >= r->given && q->at <= r->given + r->sent;
}

/* The next that this user has made, or -1. */
static int accept_own(int listens)
{
	for (int i = 0; i < CALLS_MOST; i++) {
		int link = accept4(listens, NULL, NULL, SOCK_CLOEXEC);

		if (link < 0 || is_own(link))
			return link;
		close(link);
	}
	return -1;
}

bool resume_accept(struct resume *r, struct resumed *to)
{
	int link = accept_own(r->listens), fds[2] = { -1, -1 };
	struct request q;

	if (link < 0)
		return false;
	no_long_waits(link);
	if (!take_request(link, &q, fds)) {
		close(link);
		return false;
	}
	bool good = is_for(r, &q) && dup2(fds[0], 0) == 0 && dup2(fds[1], 1) == 1 &&
		    send(link, "y", 1, MSG_NOSIGNAL) == 1;
	close(fds[0]);
	close(fds[1]);
	if (!good) {
		close(link);
		return false;
	}
	fd_close(&r->link);              /* who held the connection before need not wait */
	r->link = link;
	*to = (struct resumed){ q.at, q.heard, q.said };
	return true;
}

void resume_away(struct resume *r)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	dup2(null, 0);                   /* so that the session of the connection can end */
	dup2(null, 1);
	fd_close(&null);
	fd_close(&r->link);
	r->away = true;
}

/* ---- who hands a connection over ---------------------------------------------------- */

static bool send_request(int to, const struct request *q)
{
	char control[CMSG_SPACE(2 * sizeof(int))] = { 0 };
	struct iovec body = { (void *)q, sizeof(*q) };
	struct msghdr m = { .msg_iov = &body, .msg_iovlen = 1, .msg_control = control,
			    .msg_controllen = sizeof(control) };
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(2 * sizeof(int));
	memcpy(CMSG_DATA(c), (const int[]){ 0, 1 }, 2 * sizeof(int));
	return sendmsg(to, &m, MSG_NOSIGNAL) == sizeof(*q);
}

int resume_hand_over(const struct frame *f, uint32_t heard, uint32_t said)
{
	struct request q = { .heard = heard, .said = said };
	struct sockaddr_un a;
	char text[RESUME_TOKEN + 24], answer;
	int link;

	if (f->len >= sizeof(text) || !token_is_one(f->body, f->len))
		return -EINVAL;
	memcpy(text, f->body, f->len);
	text[f->len] = '\0';
	memcpy(q.token, text, RESUME_TOKEN);
	q.at = strtoull(text + RESUME_TOKEN, NULL, 10);
	link = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (link < 0)
		return -errno;
	no_long_waits(link);
	if (connect(link, (struct sockaddr *)&a, address(&a, text)) || !is_own(link) ||
	    !send_request(link, &q) || recv(link, &answer, 1, 0) != 1) {
		close(link);
		return -ENOENT;
	}
	return link;
}

void resume_wait(int link)
{
	struct timeval for_ever = { 0, 0 };
	char end;

	close(0);
	close(1);
	setsockopt(link, SOL_SOCKET, SO_RCVTIMEO, &for_ever, sizeof(for_ever));
	while (recv(link, &end, 1, 0) > 0)
		;
	close(link);
}
