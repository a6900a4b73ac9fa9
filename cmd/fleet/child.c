/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * child.c - the processes of an agent: one describes the machine, one runs the image and the
 * commands of -c.  The agent itself only waits and hands on, so that a stream that nobody reads, or
 * a slow kernel, never keeps it from ending the run.  They are killed when it dies.
 */
#include <dtx-run.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/fleet/agent.h"
#include "cmd/signals.h"

/* In the child. */
struct run {
	struct dtx *d;
	int stream, said, state, output, go;
	const struct bytes *options, *commands;
	bool keeps;              /* messages wait in `kept`: they may be in the stream */
	struct bytes kept;
};

static void whole_write(int fd, const char *p, size_t len)
{
	while (len) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && errno != EINTR)
			return;
		if (n > 0) {
			p += n;
			len -= n;
		}
	}
}

static void send_kept(struct run *r)
{
	whole_write(r->said, r->kept.data, r->kept.len);
	bytes_free(&r->kept);
}

/* A letter of its severity, the message, its hint, a NUL. */
static void take_message(void *arg, const struct dtx_message *m)
{
	static const char severity[] = "EWNI";
	struct run *r = arg;

	if (!m->text || !*m->text || m->kind == DTX_PROGRESS || m->severity == DTX_INFO)
		return;
	bytes_add(&r->kept, &severity[m->severity], 1);
	bytes_add(&r->kept, m->text, strlen(m->text));
	if (m->hint) {
		bytes_add(&r->kept, ": ", 2);
		bytes_add(&r->kept, m->hint, strlen(m->hint));
	}
	bytes_add(&r->kept, "", 1);
	if (!r->keeps)
		send_kept(r);
}

/* Ends with this process's parent, even one that was killed before. */
static void end_with_agent(pid_t agent, int sig)
{
	prctl(PR_SET_PDEATHSIG, sig);
	if (getppid() != agent)
		_exit(1);
}

void pipes_close(int (*p)[2], int n)
{
	while (n--) {
		close(p[n][0]);
		close(p[n][1]);
	}
}

int pipes_open(int (*p)[2], int n)
{
	for (int i = 0; i < n; i++)
		if (pipe2(p[i], O_CLOEXEC)) {
			int err = -errno;

			pipes_close(p, i);
			return err;
		}
	return 0;
}

enum { P_STREAM, P_SAID, P_STATE, P_OUTPUT, P_GO, P_N };

/* In the child 0, in the agent the child; or -errno. */
static int begin_child(struct child *c, struct run *r)
{
	int p[P_N][2], err = pipes_open(p, P_N);
	pid_t agent = getpid(), pid = err ? -1 : fork();

	if (err)
		return err;
	if (pid < 0) {
		err = -errno;
		pipes_close(p, P_N);
		return err;
	}
	for (int i = 0; i < P_N; i++)    /* the ends of the other process */
		close(p[i][(pid == 0) == (i == P_GO)]);
	if (pid) {
		*c = (struct child){ pid, p[P_STREAM][0], p[P_SAID][0], p[P_STATE][0],
				     p[P_OUTPUT][0], p[P_GO][1] };
		return pid;
	}
	end_with_agent(agent, SIGKILL);
	setpgid(0, 0);
	*r = (struct run){ dtx_open(), p[P_STREAM][1], p[P_SAID][1], p[P_STATE][1],
			   p[P_OUTPUT][1], p[P_GO][0] };
	int null = open("/dev/null", O_RDWR);
	dup2(null, 0);                   /* the frames are the agent's */
	dup2(null, 1);
	dtx_on_message(r->d, take_message, r);
	return 0;
}

int child_describe(struct child *c, const char *programs, size_t len)
{
	struct run r;
	int pid = begin_child(c, &r);

	if (pid)
		return pid < 0 ? pid : 0;
	for (size_t at = 0; at < len; at += strlen(programs + at) + 1)
		dtx_describe_program(r.d, programs + at);
	FILE *out = fdopen(r.stream, "w");
	bool good = out && !dtx_describe(r.d, NULL, out) && !fclose(out);
	_exit(good ? 0 : 1);
}

static bool set_options(struct dtx *d, const struct bytes *options)
{
	for (size_t at = 0; at < options->len; at += strlen(options->data + at) + 1) {
		char *name = options->data + at, *value = strchr(name, '=');

		if (value)
			*value = '\0';
		if (dtx_set_option(d, name, value ? value + 1 : NULL))
			return false;
		if (value)
			*value = '=';
	}
	return true;
}

/* They wait for the probes, and the run ends with them, as on one machine. */
static bool create_targets(struct dtx *d, const struct bytes *commands)
{
	for (size_t at = 0; at < commands->len; at += strlen(commands->data + at) + 1)
		if (dtx_target_run(d, commands->data + at))
			return false;
	return true;
}

static void child_tell(struct run *r, char state)
{
	whole_write(r->state, &state, 1);
}

/* The exit status.  What is said while it runs is in the stream. */
static int run_image(struct run *r, const char *trust, int image)
{
	char path[40], stream[40], go;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", image);
	snprintf(stream, sizeof(stream), "/proc/self/fd/%d", r->stream);
	if ((!trust && !set_options(r->d, r->options)) || dtx_rights(r->d))
		return 1;
	if (trust)
		dtx_image_trust(r->d, trust);
	if (r->commands->len)
		dtx_target_later(r->d);
	int err = dtx_image_open(r->d, path);
	if (err == -ESTALE)
		child_tell(r, CHILD_STALE);
	/* The signer chose the options; when the stream is written is no matter of the program. */
	if (err || (trust && !set_options(r->d, r->options)) ||
	    dtx_set_option(r->d, "record", stream) || !create_targets(r->d, r->commands))
		return 1;
	child_tell(r, CHILD_READY);
	if (read(r->go, &go, 1) != 1)
		return 0;
	signals_stop(r->d);
	if (dtx_enable(r->d))
		return 1;
	r->keeps = true;
	err = dtx_start(r->d, NULL);
	if (err) {
		send_kept(r);
		return 1;
	}
	child_tell(r, CHILD_BEGUN);
	if (!dtx_drop_rights(r->d))
		err = dtx_run(r->d);
	return err ? 1 : dtx_exit_status(r->d) & 0xff;
}

int child_run(struct child *c, const struct bytes *options, const struct bytes *commands,
	      const char *trust, int image)
{
	struct run r;
	int pid = begin_child(c, &r);

	if (pid)
		return pid < 0 ? pid : 0;
	dup2(r.output, 1);               /* as of the command of -c: both of system() */
	dup2(r.output, 2);
	r.options = options;
	r.commands = commands;
	signals_catch();
	int status = run_image(&r, trust, image);
	dtx_close(r.d);
	_exit(status);
}

int child_collect(struct child *c, char **words)
{
	char stream[40];
	struct run r;
	int pid = begin_child(c, &r);

	if (pid)
		return pid < 0 ? pid : 0;
	snprintf(stream, sizeof(stream), "--record=/proc/self/fd/%d", r.stream);
	words[1] = stream;
	above_name(r.state, r.said, r.go);
	dup2(r.output, 2);
	fcntl(r.stream, F_SETFD, 0);
	execv("/proc/self/exe", words);
	_exit(127);
}

void child_close(struct child *c)
{
	fd_close(&c->stream);
	fd_close(&c->said);
	fd_close(&c->state);
	fd_close(&c->output);
	fd_close(&c->go);
}
