/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hung.c - file systems that a program or another machine serves may never answer, and the kernel
 * lets no process go that waits for them.  So where the arguments name something there, the work is
 * done by a child.  The first process waits for it, passes signals on, and ends without it if it is
 * stuck in such a question after a signal, or if only a thread of it is left that is.
 * Why: docs/decisions/69-hung-files.md
 */
#include "cmd/hung.h"
#include "cmd/say.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <dtx/tables/served.h>

#define LOOK_NS   20000000       /* between looks, after a signal */
#define LOOKS     17             /* that find it stuck: it is left */
#define LINKS     40             /* symbolic links of a path, at most */
#define SLASHES   64             /* of all words: with more, a list of mounts is read sooner */
#define BREAKS    " \t\n\"',;:()" /* may end a path that is in a program */

/* ---- is something named there? ----------------------------------------------------------- */

static bool is_octal(const char *s)
{
	return s[0] >= '0' && s[0] <= '3' && s[1] >= '0' && s[1] <= '7' && s[2] >= '0' &&
	       s[2] <= '7';
}

/* "a\040b": blanks and backslashes of mount points are octal numbers, and so is '#', which
 * getmntent(3) does not read. */
static void plain_mount(char *s)
{
	char *to = s;

	for (; *s; to++) {
		bool escaped = *s == '\\' && is_octal(s + 1);

		*to = escaped ? (char)((s[1] - '0') << 6 | (s[2] - '0') << 3 | (s[3] - '0')) : *s;
		s += escaped ? 4 : 1;
	}
	*to = '\0';
}

struct mounts {
	char **v;
	size_t n;
};

/* That of a served file system; "/" is none: without it nothing works. */
static void keep_mount(struct mounts *m, char *line)
{
	char *type = strstr(line, " - "), *at = line;

	if (!type || served_by(type + 3) == NOBODY)
		return;
	for (int i = 0; i < 4 && at; i++)
		at = strchr(at + 1, ' ');
	if (!at || at > type || !strncmp(at, " / ", 3))
		return;
	at = strndup(at + 1, strcspn(at + 1, " "));
	char **more = at ? realloc(m->v, (m->n + 1) * sizeof(*m->v)) : NULL;
	if (!more) {
		free(at);
		return;
	}
	plain_mount(at);
	m->v = more;
	m->v[m->n++] = at;
}

static void read_mounts(struct mounts *m)
{
	FILE *in = fopen("/proc/self/mountinfo", "re");
	char *line = NULL;
	size_t size = 0;

	while (in && getline(&line, &size, in) > 0)
		keep_mount(m, line);
	free(line);
	if (in)
		fclose(in);
}

static const char *mount_of(const struct mounts *m, const char *path)
{
	for (size_t i = 0; i < m->n; i++) {
		size_t len = strlen(m->v[i]);

		if (!strncmp(path, m->v[i], len) && (!path[len] || path[len] == '/'))
			return m->v[i];
	}
	return NULL;
}

/* What a symbolic link and the rest of the path stand for; false: it is none. */
static bool through_link(char path[PATH_MAX], const char *rest)
{
	char link[PATH_MAX], made[2 * PATH_MAX];
	ssize_t n = readlink(path, link, sizeof(link) - 1);

	if (n <= 0)
		return false;
	link[n] = '\0';
	*strrchr(path, '/') = '\0';
	if (snprintf(made, sizeof(made), "%s%s%s%s", *link == '/' ? "" : path,
		     *link == '/' ? "" : "/", link, rest) >= PATH_MAX)
		return false;
	strcpy(path, made);
	return true;
}

/*
 * Follows an absolute path step by step, so that nothing is asked below a mount point that is
 * served.  "a/../b" is taken as "b".
 */
static const char *walk(const struct mounts *m, const char *from)
{
	char todo[PATH_MAX], path[PATH_MAX] = "", *at = todo;
	const char *found;
	int links = 0;

	if (snprintf(todo, sizeof(todo), "%s", from) >= (int)sizeof(todo))
		return NULL;
	while (*(at += strspn(at, "/"))) {
		size_t len = strcspn(at, "/"), had = strlen(path);

		if (len == 2 && !memcmp(at, "..", 2) && strrchr(path, '/'))
			*strrchr(path, '/') = '\0';
		else if (len != 2 || memcmp(at, "..", 2))
			snprintf(path + had, sizeof(path) - had, "/%.*s", (int)len, at);
		at += len;
		found = mount_of(m, path);
		if (found)
			return found;
		if (links < LINKS && through_link(path, at)) {
			links++;
			strcpy(todo, path);
			path[0] = '\0';
			at = todo;
		}
	}
	return NULL;
}

/* A word of the command line may be a path, have one after a '=', or be a program that has one. */
static const char *named_by(const struct mounts *m, const char *word)
{
	const char *eq = strrchr(word, '='), *path = eq ? eq + 1 : word, *found = NULL;
	char whole[2 * PATH_MAX], here[PATH_MAX];

	for (size_t i = 0; i < m->n && !found; i++)
		if (strstr(word, m->v[i]))
			found = m->v[i];
	if (found || *path == '/' || !getcwd(here, sizeof(here)))
		return found ? found : walk(m, path);
	snprintf(whole, sizeof(whole), "%s/%s", here, path);
	return walk(m, whole);
}

/*
 * Does the way to this path leave the file system of "/", or is that unknown?  The kernel looks for
 * mounts on the way, and no file system but that of "/" is asked.
 */
static bool leaves_root(const char *path, size_t len)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_XDEV };
	char whole[PATH_MAX];
	long fd;

	snprintf(whole, sizeof(whole), "%.*s", (int)len, path);
	fd = syscall(SYS_openat2, AT_FDCWD, whole, &how, sizeof(how));
	if (fd >= 0)
		close((int)fd);
	return fd < 0 && errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG;
}

/* The word may be a path, have one after a '=', or be a program that has some: each '/' may begin
 * one, which ends with the word or sooner. */
static bool may_leave_root(const char *word)
{
	const char *eq = strrchr(word, '=');

	if (leaves_root(word, PATH_MAX) || (eq && leaves_root(eq + 1, PATH_MAX)))
		return true;
	for (const char *at = strchr(word, '/'); at; at = strchr(at + 1, '/'))
		if (leaves_root(at, PATH_MAX) || leaves_root(at, strcspn(at, BREAKS)))
			return true;
	return false;
}

/* To list the mounts takes 2 us for each, and a machine may have thousands.  So they are read only
 * if a word may name something outside the file system of "/". */
static bool one_may_leave_root(int argc, char **argv)
{
	char here[PATH_MAX];
	size_t slashes = 0;

	if (!getcwd(here, sizeof(here)) || leaves_root(here, PATH_MAX))
		return true;
	for (int i = 1; i < argc; i++)
		for (const char *p = argv[i]; (p = strchr(p, '/')); p++)
			slashes++;
	if (slashes > SLASHES)
		return true;
	for (int i = 1; i < argc; i++)
		if (may_leave_root(argv[i]))
			return true;
	return false;
}

/* The mount point, or NULL. */
static const char *named(const struct mounts *m, int argc, char **argv)
{
	const char *found = NULL;

	for (int i = 1; i < argc && !found && m->n; i++)
		found = named_by(m, argv[i]);
	return found;
}

/* ---- the process that waits ---------------------------------------------------------------- */

/* Functions of the kernel that wait for an answer, a page, or another one's look-up of a name. */
static const char *const waits[] = {
	"request_wait_answer", "fuse_", "folio_wait", "wait_on_page", "__lock_page", "__folio_lock",
	"d_alloc_parallel", "rpc_wait", "nfs_", "nfs4_", "wait_for_response", "cifs_", "ceph_",
	"afs_", "netfs_", "smb2_", "compound_send_recv", "ptlrpc_",
};

/* The first line of /proc/PID/task/TID/FILE, or "". */
static void read_line(char *to, size_t size, int pid, const char *tid, const char *file)
{
	char path[320];
	FILE *in;

	snprintf(path, sizeof(path), "/proc/%d/task/%s/%s", pid, tid, file);
	*to = '\0';
	in = fopen(path, "re");
	if (in && !fgets(to, (int)size, in))
		*to = '\0';
	if (in)
		fclose(in);
}

static bool waits_for_answer(int pid, const char *tid)
{
	char name[128];

	read_line(name, sizeof(name), pid, tid, "wchan");
	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++)
		if (!strncmp(name, waits[i], strlen(waits[i])))
			return true;
	return false;
}

/* Does any of its threads? */
static bool one_waits(int pid)
{
	char path[32];
	bool waiting = false;
	struct dirent *e;
	DIR *d;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	d = opendir(path);
	while (d && !waiting && (e = readdir(d)))
		waiting = isdigit((unsigned char)e->d_name[0]) && waits_for_answer(pid, e->d_name);
	if (d)
		closedir(d);
	return waiting;
}

struct watch {
	int pid;
	char tid[12];            /* of its first thread: the same number */
	const char *mount;
	sigset_t set;
	int sig;                 /* that asked for an end, or 0 */
	int still;               /* looks that found it stuck */
	char ran[96];            /* how often the thread ran, in words of proc(5) */
};

/* "123 (name) D …": the state of the first thread.  The last number is the status of the process
 * once that has ended. */
static char state_of(const struct watch *w, int *status)
{
	char line[1024], *end;

	read_line(line, sizeof(line), w->pid, w->tid, "stat");
	end = strrchr(line, ')');
	if (!end || strlen(end) < 3)
		return '\0';
	*status = atoi(strrchr(end, ' '));
	return end[2];
}

/* It has ended, but for a thread that waits; or it was asked to end, and is in one sleep since. */
static bool is_left(struct watch *w, int *status)
{
	bool ended = state_of(w, status) == 'Z';
	char ran[sizeof(w->ran)];

	read_line(ran, sizeof(ran), w->pid, w->tid, "schedstat");
	if (!ended)
		*status = (128 + w->sig) << 8;
	if (ended ? !one_waits(w->pid) : !w->sig || !waits_for_answer(w->pid, w->tid))
		w->still = 0;
	else if (ended || !strcmp(ran, w->ran))
		w->still++;
	else
		w->still = 1;
	strcpy(w->ran, ran);
	return w->still >= LOOKS;
}

static void take_signal(struct watch *w)
{
	struct timespec second = { 1, 0 }, look = { 0, LOOK_NS };
	siginfo_t info;
	int sig = sigtimedwait(&w->set, &info, w->sig || w->still ? &look : &second);

	if (sig <= 0 || sig == SIGCHLD)
		return;
	w->sig = sig;
	if (info.si_code <= 0)           /* one of the terminal it has got itself */
		kill(w->pid, sig);
}

/* As the child ended. */
static void end_like(int status)
{
	sigset_t one;

	if (WIFSIGNALED(status)) {
		sigemptyset(&one);
		sigaddset(&one, WTERMSIG(status));
		signal(WTERMSIG(status), SIG_DFL);
		raise(WTERMSIG(status));
		sigprocmask(SIG_UNBLOCK, &one, NULL);
	}
	_exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

static void wait_for(struct watch *w)
{
	int status;

	snprintf(w->tid, sizeof(w->tid), "%d", w->pid);
	while (waitpid(w->pid, &status, WNOHANG) != w->pid) {
		take_signal(w);
		if (!is_left(w, &status))
			continue;
		command_say("the file system of %s does not answer: the command ends without it; "
			    "its process %d ends when the file system answers or is unmounted",
			    w->mount, w->pid);
		kill(w->pid, SIGKILL);
		break;
	}
	end_like(status);
}

/* SIGCHLD, and what ends a run unless it was ignored when dtx began. */
static void awaited(sigset_t *set)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct sigaction old;

	sigemptyset(set);
	sigaddset(set, SIGCHLD);
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (!sigaction(ends[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaddset(set, ends[i]);
}

void hung_guard(int argc, char **argv)
{
	struct mounts m = { 0 };
	struct watch w = { 0 };
	sigset_t before;
	pid_t parent = getpid();

	if (!one_may_leave_root(argc, argv))
		return;
	read_mounts(&m);
	w.mount = named(&m, argc, argv);
	if (w.mount) {
		awaited(&w.set);
		sigprocmask(SIG_BLOCK, &w.set, &before);
		w.pid = fork();
		if (w.pid > 0)
			wait_for(&w);
		if (!w.pid)
			prctl(PR_SET_PDEATHSIG, SIGKILL);
		sigprocmask(SIG_SETMASK, &before, NULL);
		if (!w.pid && getppid() != parent)
			_exit(1);
	}
	for (size_t i = 0; i < m.n; i++)
		free(m.v[i]);
	free(m.v);
}
