/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * target.c - the traced process: -c creates it, stopped where evaltime.c says, -p follows
 * one that runs.
 *
 * A created command is under ptrace until its probes are active.  It stays so until it ends if
 * the program records addresses of processes: its mappings are read once more just before,
 * because the addresses are looked up later.  It does not otherwise, because ptrace shows: signals
 * that the command ignores are delivered, and each signal sends one to dtx.
 *
 * Only the thread that started a ptrace may continue the command, and it must wait in waitpid(); so
 * this is a separate thread.  It shares no data with the other threads; they communicate through a
 * socket:
 *
 *     follower                     owner (the thread of the handle)
 *     READY or FAILED errno  ──►   target_run()
 *                            ◄──   GO or GO_FREE target_resume()
 *     EXITING                ──►   target_ended(): reads the mappings; not after GO_FREE
 *                            ◄──   GO
 *     ENDED wait-status      ──►   target_ended()
 *
 * When the owner closes its end, the command is killed; so it is when dtx ends without a word.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <dtx/opt.h>
#include <dtx/env.h>

#include "runtime/run/run.h"
#include "runtime/sink/live/live.h"
#include "runtime/stack/stack.h"
#include "runtime/provider/provider.h"

/* LOOK: it exits, or has begun another program: what it has mapped is to be read now. */
enum target_news { TARGET_READY, TARGET_FAILED, TARGET_LOOK, TARGET_ENDED };

/* The owner's answer, a byte: go on, or go on without ptrace. */
enum { TARGET_GO, TARGET_GO_FREE };

struct target_msg {
	enum target_news news;
	int value;               /* READY: pid; FAILED: errno; ENDED: wait status */
};

struct target {
	struct dtx_env *env;
	const char *cmd;         /* NULL: grabbed */
	pid_t pid;
	int fd;                  /* grabbed: pidfd; created: our end of the socket */
	int pidfd;               /* created: to end it; -1 none */
	bool ended;
	pthread_t thread;
};

/* What the follower owns. */
struct target_follower {
	char **argv;             /* and argv[0 .. n] point into `words` */
	char **envp;             /* its strings belong to others; options setenv, unsetenv */
	char *words;
	int fd;                  /* its end of the socket */
	int gate[2], failure[2]; /* pipes: may the child go on; why it could not */
	sigset_t mask;           /* the command's signal mask */
	pid_t pid;
	const char *when;        /* option evaltime */
	struct evaltime at;
	bool running, ready;     /* exec() worked; the owner was notified */
	bool free;               /* it goes on without ptrace */
	bool watched;            /* --live has the terminal: no keys, and one file for all text */
};

/* ---- the follower ------------------------------------------------------------------- */

/* The terminal belongs to --live: keys are not for the command, and its messages are shown with its
 * output. */
static void target_leave_terminal(void)
{
	int null = isatty(0) ? open("/dev/null", O_RDONLY | O_CLOEXEC) : -1;

	if (null >= 0)
		dup2(null, 0);
	dup2(1, 2);
}

static void target_child(struct target_follower *f)
{
	char go;

	close(f->gate[1]);
	if (read(f->gate[0], &go, 1) != 1)
		_exit(127);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pthread_sigmask(SIG_SETMASK, &f->mask, NULL);
	if (f->watched)
		target_leave_terminal();
	execvpe(f->argv[0], f->argv, f->envp);
	int err = errno;
	ssize_t n = write(f->failure[1], &err, sizeof(err));
	_exit(n > 0 ? 127 : 126);
}

/* false: the owner is gone. */
static bool target_tell(struct target_follower *f, enum target_news news, int value)
{
	struct target_msg m = { news, value };
	return send(f->fd, &m, sizeof(m), MSG_NOSIGNAL) == sizeof(m);
}

/* Sends a message and waits for the owner's answer.  Without an owner the command ends. */
static void target_ask(struct target_follower *f, enum target_news news, int value)
{
	char go = TARGET_GO;

	if (!target_tell(f, news, value) || recv(f->fd, &go, 1, 0) != 1)
		kill(f->pid, SIGKILL);
	f->free = go == TARGET_GO_FREE;
}

/* The command has reached the place where it waits for its probes, or will never reach it. */
static void target_is_ready(struct target_follower *f)
{
	if (f->ready)
		return;
	f->ready = true;
	target_ask(f, TARGET_READY, f->pid);
}

static void target_continue(struct target_follower *f, int status)
{
	int event = status >> 16, sig = WSTOPSIG(status);
	bool group = event == PTRACE_EVENT_STOP &&
		(sig == SIGSTOP || sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU);

	if (event == PTRACE_EVENT_EXEC && !f->running) {
		f->running = true;
		if (!evaltime_set(&f->at, f->pid, f->when))
			target_is_ready(f);
	} else if (!event && sig == SIGTRAP && evaltime_hit(&f->at, f->pid)) {
		target_is_ready(f);
		sig = 0;
	} else if (event == PTRACE_EVENT_EXEC && f->ready && !f->free) {
		target_ask(f, TARGET_LOOK, 0);
	} else if (event == PTRACE_EVENT_EXIT && f->running) {
		target_is_ready(f);
		if (!f->free)
			target_ask(f, TARGET_LOOK, 0);
	}
	if (group)               /* stopped by the user: stays so until SIGCONT */
		ptrace(PTRACE_LISTEN, f->pid, NULL, NULL);
	else
		ptrace(f->free ? PTRACE_DETACH : PTRACE_CONT, f->pid, NULL,
		       (long)(event ? 0 : sig));
}

static void target_report_end(struct target_follower *f, int status)
{
	int err = EINTR;         /* killed before it could try */

	if (f->ready) {
		target_tell(f, TARGET_ENDED, status);
		return;
	}
	close(f->failure[1]);
	f->failure[1] = -1;
	if (read(f->failure[0], &err, sizeof(err)) < 0)
		err = errno;
	target_tell(f, TARGET_FAILED, err);
}

static bool target_start(struct target_follower *f)
{
	const long options = PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT;

	f->pid = fork();
	if (f->pid < 0)
		return target_tell(f, TARGET_FAILED, errno), false;
	if (!f->pid)
		target_child(f);
	if (ptrace(PTRACE_SEIZE, f->pid, NULL, options) || write(f->gate[1], "", 1) != 1) {
		target_tell(f, TARGET_FAILED, errno);
		kill(f->pid, SIGKILL);
		waitpid(f->pid, NULL, __WALL);
		return false;
	}
	return true;
}

static void target_follower_free(struct target_follower *f)
{
	int fds[] = { f->fd, f->gate[0], f->gate[1], f->failure[0], f->failure[1] };

	for (u32 i = 0; i < ARRAY_SIZE(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	free(f->argv);
	free(f->envp);
	free(f->words);
	free(f);
}

static void *target_follow(void *arg)
{
	struct target_follower *f = arg;
	int status = 0;

	if (target_start(f)) {
		for (;;) {
			pid_t pid = waitpid(f->pid, &status, __WALL);
			if (pid < 0 && errno == EINTR)
				continue;
			if (pid < 0 || !WIFSTOPPED(status))
				break;
			target_continue(f, status);
		}
		target_report_end(f, status);
	}
	target_follower_free(f);
	return NULL;
}

/* ---- the owner: -c ---------------------------------------------------------------------- */

/* Is the variable of "NAME=VALUE" (or NAME) among the lines? */
static bool target_named(const char *lines, const char *var)
{
	size_t n = strcspn(var, "=\n");

	for (const char *l = lines; l && *l; l = strchr(l, '\n'), l = l ? l + 1 : NULL)
		if (strcspn(l, "=\n") == n && !strncmp(l, var, n))
			return true;
	return false;
}

/* The environment of a command: ours, without the variables named by setenv and unsetenv, and then
 * those of setenv. */
static char **target_environment(struct dtx_env *env)
{
	const char *unset = opt_text(env, OPT_unsetenv);
	char *add = arena_strdup(env->arena, opt_text(env, OPT_setenv)), *save = NULL;
	u32 n = 0, most = 1;

	for (char **e = environ; *e; e++)
		most++;
	for (const char *p = add; *p; p++)
		most += *p == '\n';
	char **envp = xcalloc(most + 1, sizeof(*envp));

	for (char **e = environ; *e; e++)
		if (!target_named(unset, *e) && !target_named(opt_text(env, OPT_setenv), *e))
			envp[n++] = *e;
	for (char *l = strtok_r(add, "\n", &save); l; l = strtok_r(NULL, "\n", &save))
		envp[n++] = l;
	return envp;
}

/* Reads one word like a shell and removes its quotes, in place; NULL: a quote is not closed. */
static char *target_word(char *s)
{
	char *out = s, quote = 0;

	for (; *s && (quote || !strchr(" \t\n", *s)); s++) {
		if (quote ? *s == quote : *s == '\'' || *s == '"') {
			quote = quote ? 0 : *s;
			continue;
		}
		if (*s == '\\' && s[1] && quote != '\'' && (!quote || strchr("\"\\$`", s[1])))
			s++;
		*out++ = *s;
	}
	s += *s != 0;
	if (out < s)
		*out = 0;
	return quote ? NULL : s;
}

/* The words of a command; no variables, patterns or pipes.  False: a quote is not closed. */
static bool target_words(char *text, char **argv)
{
	for (;;) {
		text += strspn(text, " \t\n");
		if (!*text)
			return true;
		*argv++ = text;
		text = target_word(text);
		if (!text)
			return false;
	}
}

static struct target_follower *target_follower_new(struct dtx_env *env, const char *cmd)
{
	struct target_follower *f = xcalloc(1, sizeof(*f));

	f->fd = f->gate[0] = f->gate[1] = f->failure[0] = f->failure[1] = -1;
	f->when = opt_text(env, OPT_evaltime);
	f->watched = divert_has(env->divert, 1) && divert_has(env->divert, 2);
	f->envp = target_environment(env);
	f->words = xstrdup(cmd);
	f->argv = xcalloc(strlen(cmd) / 2 + 2, sizeof(char *));
	if (!target_words(f->words, f->argv))
		f->argv[0] = NULL;
	return f;
}

static int target_failed(struct target *t, const char *name, int err)
{
	if (err == ENOENT && !strchr(name, '/'))
		return dtx_env_fail(t->env, -err,
				    "cannot run '%s': there is no such command in PATH", name);
	if (err == EPERM)
		return dtx_env_fail(
			t->env, -err,
			"cannot run '%s' stopped: ptrace(2) is not permitted here (CAP_SYS_PTRACE, "
			"kernel.yama.ptrace_scope)",
			name);
	return dtx_env_fail(t->env, -err, "cannot run '%s': %s", name, strerror(err));
}

static int target_launch(struct target *t, struct target_follower *f)
{
	int ends[2];
	sigset_t all;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return -errno;
	t->fd = ends[0];
	f->fd = ends[1];
	if (pipe2(f->gate, O_CLOEXEC) || pipe2(f->failure, O_CLOEXEC))
		return -errno;
	sigfillset(&all);                /* the thread of the handle gets the signals */
	pthread_sigmask(SIG_SETMASK, &all, &f->mask);
	sigset_t old = f->mask;
	int err = pthread_create(&t->thread, NULL, target_follow, f);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return -err;
}

static ssize_t target_news(struct target *t, struct target_msg *m)
{
	ssize_t n;
	do {
		n = recv(t->fd, m, sizeof(*m), 0);
	} while (n < 0 && errno == EINTR);
	return n;
}

/* The first process is $target. */
static void target_note(struct dtx_env *env, pid_t pid)
{
	VEC_PUSH(&env->targets, pid);
	if (env->target_pid)
		return;
	env->target_pid = pid;
	env->target_exe = process_exe(env, pid);
}

struct target *target_run(struct dtx_env *env, const char *cmd)
{
	struct target_follower *f = target_follower_new(env, cmd);
	struct target *t = xcalloc(1, sizeof(*t));
	struct target_msg m = { TARGET_FAILED, EIO };

	t->env = env;
	t->fd = t->pidfd = -1;
	t->cmd = arena_strdup(env->arena, cmd);
	const char *name = f->argv[0] ? arena_strdup(env->arena, f->argv[0]) : NULL;
	int err = name ? target_launch(t, f) : -EINVAL;
	if (err) {
		target_follower_free(f);
		dtx_env_fail(env, err,
			     name                  ? "cannot run '%s': %s"
			     : strpbrk(cmd, "'\"") ? "a quote in the command of -c is not closed"
						   : "-c needs a command",
			     name, strerror(-err));
		goto fail;
	}
	if (target_news(t, &m) > 0 && m.news == TARGET_READY) {
		t->pid = m.value;
		t->pidfd = syscall(SYS_pidfd_open, t->pid, 0);
		target_note(env, t->pid);
		return t;
	}
	target_failed(t, name, m.value);
	pthread_join(t->thread, NULL);
fail:
	if (t->fd >= 0)
		close(t->fd);
	free(t);
	return NULL;
}

/* ---- the owner: -p ------------------------------------------------------------------------ */

struct target *target_grab(struct dtx_env *env, pid_t pid)
{
	int fd = pid > 0 ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
	int err = pid > 0 ? errno : ESRCH;

	if (fd < 0 && (err == EINVAL || err == ENOENT)) {
		dtx_env_fail(env, -err, "%d is a thread, not a process: give the id of its process",
			     pid);
		return NULL;
	}
	if (fd < 0) {
		dtx_env_fail(env, -err, err == ESRCH ? "there is no process %d" :
			     "cannot follow the process %d: %s", pid, strerror(err));
		return NULL;
	}
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	struct target *t = xcalloc(1, sizeof(*t));
	t->env = env;
	t->fd = fd;
	t->pidfd = -1;
	t->pid = pid;
	env->target_grabbed = !env->target_pid;
	target_note(env, pid);
	usyms_note(usyms_get(env), pid);
	return t;
}

/* ---- both ------------------------------------------------------------------------------------ */

/* The answer to a message of the follower. */
static bool target_answer(struct target *t, char go)
{
	return send(t->fd, &go, 1, MSG_NOSIGNAL) == 1;
}

int target_resume(struct target *t, bool followed)
{
	if (t->cmd && !t->ended && followed)
		usyms_note(usyms_get(t->env), t->pid);
	if (!t->cmd || t->ended || target_answer(t, followed ? TARGET_GO : TARGET_GO_FREE))
		return 0;
	return dtx_env_fail(t->env, -errno, "cannot start '%s': %s", t->cmd, strerror(errno));
}

pid_t target_pid(const struct target *t)
{
	return t->pid;
}

int target_pidfd(const struct target *t)
{
	return t->fd;
}

static const char *target_how(const struct target *t, int status)
{
	struct arena *a = t->env->arena;

	if (WIFSIGNALED(status))
		return arena_printf(a, "the command '%s' (process %d) was ended by signal %d (%s)",
				    t->cmd, t->pid, WTERMSIG(status), strsignal(WTERMSIG(status)));
	if (!WEXITSTATUS(status))
		return NULL;
	return arena_printf(a, "the command '%s' (process %d) exited with status %d", t->cmd,
			    t->pid, WEXITSTATUS(status));
}

bool target_ended(struct target *t, const char **how, bool *killed)
{
	struct target_msg m;

	*how = NULL;
	*killed = false;
	while (!t->ended && fd_waits(t->fd, 0)) {
		if (!t->cmd) {
			t->ended = true;
		} else if (target_news(t, &m) <= 0) {
			t->ended = true;
		} else if (m.news == TARGET_LOOK) {
			usyms_note(usyms_get(t->env), t->pid);
			target_answer(t, TARGET_GO);
		} else {
			*how = target_how(t, m.value);
			*killed = WIFSIGNALED(m.value);
			t->ended = true;
		}
	}
	return t->ended;
}

void target_free(struct target *t)
{
	if (!t)
		return;
	if (t->pidfd >= 0)
		syscall(SYS_pidfd_send_signal, t->pidfd, SIGKILL, NULL, 0);
	close(t->fd);
	if (t->cmd)
		pthread_join(t->thread, NULL);
	if (t->pidfd >= 0)
		close(t->pidfd);
	free(t);
}
