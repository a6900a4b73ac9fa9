/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aside.c - work that reads a file of others, in a thread of its own: libraries do not ask whether
 * the user wants an end, so the tracing thread waits, and can leave the work behind.
 *
 * There is one such thread, which waits for the next work.  One that was left goes on alone: it has
 * all that it uses, ends as soon as it asks, or with the process.  Nobody gets its result.
 * Why: docs/decisions/45-reading-aside.md
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "runtime/code/safe/budget.h"
#include "runtime/proc/proc.h"

#define LOOK_NS 20000000         /* between questions whether to stop */
#define STILL_LOOKS 50           /* without the processor: is the file system a program? */

struct aside_thread {
	pthread_mutex_t lock;
	pthread_cond_t wake;             /* there is work, or it is done */
	void (*work)(void *arg);         /* NULL: it is done */
	void (*left)(void *arg);         /* set: nobody waits for it */
	void *arg;
	struct budget *budget;
	clockid_t clock;                 /* its time of the processor */
	bool over;
};

static _Thread_local struct aside_thread *spare;        /* waits for work */
static _Thread_local bool some_left;

static void aside_free(struct aside_thread *s)
{
	pthread_cond_destroy(&s->wake);
	pthread_mutex_destroy(&s->lock);
	budget_copy_free(s->budget);
	free(s);
}

/* Faults of mapped files are taken by the thread that reads (guard.c). */
static void take_faults(void)
{
	static const int faults[] = { SIGBUS, SIGSEGV, SIGFPE, SIGILL };
	sigset_t set;

	sigemptyset(&set);
	for (u32 i = 0; i < ARRAY_SIZE(faults); i++)
		sigaddset(&set, faults[i]);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static void *aside_run(void *arg)
{
	struct aside_thread *s = arg;

	take_faults();
	pthread_mutex_lock(&s->lock);
	while (!s->over) {
		if (s->work) {
			budget_use(s->budget);
			pthread_mutex_unlock(&s->lock);
			s->work(s->arg);
			pthread_mutex_lock(&s->lock);
			s->work = NULL;
			pthread_cond_broadcast(&s->wake);
			if (s->left)
				break;
		} else {
			pthread_cond_wait(&s->wake, &s->lock);
		}
	}
	pthread_mutex_unlock(&s->lock);
	if (s->left)
		s->left(s->arg);
	aside_free(s);
	return NULL;
}

static struct aside_thread *aside_new(void)
{
	struct aside_thread *s = xcalloc(1, sizeof(*s));
	pthread_condattr_t attr;
	pthread_t thread;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&s->wake, &attr);
	pthread_condattr_destroy(&attr);
	pthread_mutex_init(&s->lock, NULL);
	s->budget = budget_copy_new();
	if (!thread_start(&thread, aside_run, s)) {
		pthread_getcpuclockid(thread, &s->clock);
		pthread_detach(thread);
		return s;
	}
	aside_free(s);
	return NULL;
}

void aside_end(void)
{
	struct aside_thread *s = spare;

	spare = NULL;
	if (!s)
		return;
	pthread_mutex_lock(&s->lock);
	s->over = true;
	pthread_cond_broadcast(&s->wake);
	pthread_mutex_unlock(&s->lock);
}

static s64 aside_cpu(const struct aside_thread *s)
{
	struct timespec t;

	return clock_gettime(s->clock, &t) ? 0 : t.tv_sec * 1000000000ll + t.tv_nsec;
}

/* With the lock.  false: it is not done, and is to be left. */
static bool aside_wait(struct aside_thread *s, const struct aside_device *d)
{
	s64 used = aside_cpu(s), now;
	struct timespec until;
	u32 still = 0;

	while (s->work) {
		if (!budget_copy_ask(s->budget))
			return false;
		now = aside_cpu(s);
		still = now == used ? still + 1 : 0;
		used = now;
		if (still > STILL_LOOKS) {
			if (proc_is_served(d->pid, d->major, d->minor))
				return false;
			still = 0;       /* a slow disk, a busy machine */
		}
		until = clock_after(LOOK_NS);
		pthread_cond_timedwait(&s->wake, &s->lock, &until);
	}
	return true;
}

enum aside aside(void (*work)(void *arg), void *arg, void (*left)(void *arg),
		 const struct aside_device *device)
{
	struct aside_thread *s = NULL;
	bool done;

	if (budget_asks() && budget_hasty())
		return ASIDE_LATER;
	if (budget_asks())
		s = spare ? spare : (spare = aside_new());
	if (!s) {                        /* a signal ends the process, or there is no thread */
		work(arg);
		return ASIDE_DONE;
	}
	pthread_mutex_lock(&s->lock);
	budget_lend(s->budget);
	s->work = work;
	s->arg = arg;
	pthread_cond_broadcast(&s->wake);
	done = aside_wait(s, device);
	if (done)
		budget_take_back(s->budget);
	else
		s->left = left;
	pthread_mutex_unlock(&s->lock);
	if (!done) {
		spare = NULL;            /* it ends by itself */
		some_left = true;
	}
	return done ? ASIDE_DONE : ASIDE_LEFT;
}

/* ---- a file ------------------------------------------------------------------------------- */

struct file_work {
	int fd;
	char *path;
	void *(*read)(int fd, const char *path);
	void (*drop)(void *made);
	void *made;
};

static void file_read_aside(void *arg)
{
	struct file_work *w = arg;

	w->made = w->read(w->fd, w->path);
}

static void file_drop(void *arg)
{
	struct file_work *w = arg;

	w->drop(w->made);
	close(w->fd);
	free(w->path);
	free(w);
}

/* As the kernel knows it: the file system is not asked. */
static struct aside_device device_of(int fd)
{
	struct statx x;

	if (statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE, &x))
		return (struct aside_device){ 0 };
	return (struct aside_device){ (u32)getpid(), x.stx_dev_major, x.stx_dev_minor };
}

void *aside_file(int fd, const char *path, void *(*read)(int fd, const char *path),
		 void (*drop)(void *made), enum aside *how)
{
	struct file_work *w = xcalloc(1, sizeof(*w));
	struct aside_device device;
	void *made;

	*w = (struct file_work){ fcntl(fd, F_DUPFD_CLOEXEC, 0), xstrdup(path), read, drop, NULL };
	device = device_of(fd);
	*how = aside(file_read_aside, w, file_drop, &device);
	if (*how == ASIDE_LEFT)
		return NULL;
	made = w->made;
	w->made = NULL;
	file_drop(w);
	return made;
}

bool aside_left(void)
{
	return some_left;
}
