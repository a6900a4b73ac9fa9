/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * chores.c - what scripts for the whole system look at, in known numbers:
 *
 *     chores locks N MS       N times a thread waits MS milliseconds for a lock that another holds;
 *                             prints the lock's address
 *     chores maps N PAGES     N times mmap() and munmap() of so many pages
 *     chores asks N SIZE      N datagrams of SIZE bytes to a server in the same process, which
 *                             answers each with 2 × SIZE after 2 ms; prints "client PORT", "server
 *                             PORT"
 *     chores errors N         N times each: open() of a path that is not there, of a folder below a
 *                             file, and of a folder for writing; close() of a descriptor that is
 *                             not open; N successful opens of /dev/null
 *     chores pipes N SIZE     N writes of SIZE bytes to a pipe, a socket pair, /dev/null and a file
 *                             in memory, and N reads of the first two
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static char buf[65536];

static void must(int ok)
{
	if (!ok)
		exit(1);
}

static void *waiter(void *arg)
{
	for (int n = *(int *)arg; n > 0; n--) {
		pthread_barrier_wait(&both);
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
		pthread_barrier_wait(&both);
	}
	return NULL;
}

static void locks(int n, int ms)
{
	pthread_t t;

	printf("lock %lu\n", (unsigned long)&lock);
	pthread_barrier_init(&both, NULL, 2);
	must(!pthread_create(&t, NULL, waiter, &n));
	for (int i = 0; i < n; i++) {
		pthread_mutex_lock(&lock);
		pthread_barrier_wait(&both);
		usleep(ms * 1000);
		pthread_mutex_unlock(&lock);
		pthread_barrier_wait(&both);
	}
	pthread_join(t, NULL);
}

static void maps(int n, int pages)
{
	for (int i = 0; i < n; i++) {
		void *p = mmap(NULL, pages * 4096, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		must(p != MAP_FAILED && !munmap(p, pages * 4096));
	}
}

static int bound(const char *name, struct sockaddr_in *at)
{
	socklen_t len = sizeof(*at);
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	*at = (struct sockaddr_in){ .sin_family = AF_INET,
				    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	must(fd >= 0 && !bind(fd, (void *)at, len) && !getsockname(fd, (void *)at, &len));
	printf("%s %d\n", name, ntohs(at->sin_port));
	return fd;
}

static void asks(int n, int size)
{
	struct sockaddr_in from, to;
	int client = bound("client", &from), server = bound("server", &to);

	must(!connect(client, (void *)&to, sizeof(to)));
	must(!connect(server, (void *)&from, sizeof(from)));
	for (int i = 0; i < n; i++) {
		must(send(client, buf, size, 0) == size);
		must(recv(server, buf, sizeof(buf), 0) == size);
		usleep(2000);
		must(send(server, buf, 2 * size, 0) == 2 * size);
		must(recv(client, buf, sizeof(buf), 0) == 2 * size);
	}
}

static void errors(int n, int unused)
{
	for (int i = 0; i < n; i++) {
		open("/no/such/file", O_RDONLY);
		open("/dev/null/below", O_RDONLY);
		open("/dev", O_WRONLY);
		close(1000);
		must(!close(open("/dev/null", O_RDONLY)));
	}
}

static void pipes(int n, int size)
{
	int null = open("/dev/null", O_WRONLY), memory = memfd_create("memory", 0);
	int ends[2], pair[2];

	must(!pipe(ends) && !socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	for (int i = 0; i < n; i++) {
		must(write(ends[1], buf, size) == size && read(ends[0], buf, size) == size);
		must(write(pair[1], buf, size) == size && read(pair[0], buf, size) == size);
		must(write(null, buf, size) == size);
		must(write(memory, buf, size) == size);
	}
}

static const struct {
	const char *name;
	void (*act)(int, int);
} chores[] = {
	{ "locks", locks }, { "maps", maps }, { "asks", asks },
	{ "errors", errors }, { "pipes", pipes },
};

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (size_t i = 0; argc > 2 && i < sizeof(chores) / sizeof(chores[0]); i++)
		if (!strcmp(chores[i].name, argv[1])) {
			chores[i].act(atoi(argv[2]), argc > 3 ? atoi(argv[3]) : 0);
			return 0;
		}
	return 2;
}
