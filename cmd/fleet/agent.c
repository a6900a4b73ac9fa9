/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * agent.c - dtx-run --agent: one process that waits for the collector and for its children
 * (child.c), and hands on what they write.  It reads no more of them than the collector takes: what
 * comes faster waits in the kernel's buffers, and is a loss that is counted there.
 * Why: docs/decisions/54-hosts.md
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/command.h"
#include "cmd/fleet/agent.h"
#include "cmd/say.h"

#define WAITS_MS   300000        /* without a word of the collector, while nothing is traced */
#define GRACE_MS   2000          /* for a run that was told to end; then it is killed */
#define OUT_MOST   (256u << 10)  /* bytes that wait for the collector … */
#define KEPT_MOST  (512u << 10)  /* … or that it may not have got: of a run with a token */
#define IMAGE_MOST (256u << 20)
#define WORDS_MOST (1u << 20)
#define OPTIONS_MOST (64u << 10)

enum state { IDLE, DESCRIBING, LOADING, READY, RUNNING, ENDING };

struct agent {
	enum state state;
	const char *trust;       /* signers of images, or NULL */
	char **collects;         /* the command line of a collector, or NULL */
	struct bytes in, out, options, said;
	struct bytes words;      /* of a program, each with a NUL */
	int image;               /* memory, or -1 */
	size_t image_size;
	struct child child;
	struct bytes commands;   /* of -c, each with a NUL */
	int64_t heard, lease, beat, kill_at;     /* ms; kill_at 0: nothing is to be killed */
	struct resume resume;
	bool stale, gone;        /* gone: the collector; what is written is for nobody */
};

static volatile sig_atomic_t told_to_end;

static void on_end(int sig)
{
	told_to_end = sig;
}

static void send_end(struct agent *a, int status, const char *why)
{
	char text[300];
	int n = snprintf(text, sizeof(text), "%d %s", status, why);

	frame_put(&a->out, FRAME_END, text, n < (int)sizeof(text) ? n : (int)sizeof(text) - 1);
}

/* What of it was not written yet. */
static size_t unsent(const struct agent *a)
{
	return bytes_left(&a->out) - a->resume.sent;
}

/* The collector has got so many bytes more. */
static void forget(struct agent *a, size_t n)
{
	bytes_skip(&a->out, n);
	a->resume.given += n;
	a->resume.sent -= n < a->resume.sent ? n : a->resume.sent;
}

static int write_out(struct agent *a)
{
	int err = bytes_send(&a->out, &a->resume.sent, 1);

	if (!*a->resume.token)
		forget(a, a->resume.sent);
	return err;
}

/* ---- what the collector says ------------------------------------------------------ */

static int take_image(struct agent *a, const struct frame *f)
{
	if (a->image < 0)
		a->image = memfd_create("dtx-image", MFD_CLOEXEC);
	if (a->image < 0)
		return -errno;
	a->image_size += f->len;
	if (a->image_size > IMAGE_MOST)
		return -EINVAL;
	ssize_t n = write(a->image, f->body, f->len);

	return n == (ssize_t)f->len ? 0 : n < 0 ? -errno : -ENOSPC;
}

static void end_run(struct agent *a, bool at_once)
{
	if (!a->child.pid)
		return;
	if (a->state == READY)
		fd_close(&a->child.go);          /* it ends before it begins */
	else
		kill(a->child.pid, at_once ? SIGKILL : SIGINT);
	if (a->state == DESCRIBING)
		kill(a->child.pid, SIGKILL);
	a->state = ENDING;
	if (!a->kill_at && a->gone)
		a->kill_at = fleet_now() + GRACE_MS;
}

static int begin_run(struct agent *a, const struct frame *f)
{
	if (f->len && resume_listen(&a->resume, f->body, f->len))
		return -EINVAL;
	if (*a->resume.token)
		signal(SIGHUP, SIG_IGN); /* of a session that ends with its connection */
	if (write(a->child.go, "g", 1) != 1)
		return -EPIPE;
	a->state = RUNNING;
	return 0;
}

/* Words with NULs become those of a command, after it with `before` each, if that is not NULL. */
static void add_words(char **to, int *n, const char *before, const struct bytes *words)
{
	for (size_t at = 0; at < words->len; at += strlen(words->data + at) + 1) {
		if (before)
			to[(*n)++] = (char *)before;
		to[(*n)++] = words->data + at;
	}
}

/* This command, without --agent: word 1 is for the recording. */
static int load_words(struct agent *a)
{
	size_t most = a->options.len * 2 + a->words.len + 4;
	int n = 3, err;
	char **words;

	for (char **w = a->collects; *w; w++)
		most++;
	words = calloc(most, sizeof(*words));
	if (!words)
		return -ENOMEM;
	words[0] = a->collects[0];
	words[2] = "-q";
	for (char **w = a->collects + 1; *w; w++)
		if (strcmp(*w, "--agent"))
			words[n++] = *w;
	add_words(words, &n, "-x", &a->options);
	add_words(words, &n, NULL, &a->words);
	err = child_collect(&a->child, words);
	free(words);
	return err;
}

static int load(struct agent *a)
{
	int err;

	a->stale = false;
	if (a->collects)
		err = a->words.len ? load_words(a) : -EINVAL;
	else if (a->image < 0)
		err = -EINVAL;
	else
		err = child_run(&a->child, &a->options, &a->commands, a->trust, a->image);
	if (err)
		return err;
	a->state = LOADING;
	return 0;
}

static int take_lease(struct agent *a, const struct frame *f)
{
	char text[8] = "";
	int ms;

	if (f->len >= sizeof(text))
		return -EINVAL;
	memcpy(text, f->body, f->len);
	ms = f->len ? atoi(text) : AGENT_LEASE_MS;
	if (ms < 1 || ms > AGENT_LEASE_MS)
		return -EINVAL;
	a->lease = ms;
	return 0;
}

static int take_got(struct agent *a, const struct frame *f)
{
	char text[24] = "";
	uint64_t at;

	if (f->len >= sizeof(text))
		return -EINVAL;
	memcpy(text, f->body, f->len);
	at = strtoull(text, NULL, 10);
	if (at <= a->resume.given)       /* of before there was a token */
		return 0;
	if (at > a->resume.given + a->resume.sent)
		return -EINVAL;
	forget(a, at - a->resume.given);
	return 0;
}

/* A run that lost its connection gets this one, or it is not here. */
static int hand_over(struct agent *a, const struct frame *f)
{
	while (bytes_left(&a->out))
		if (poll(&(struct pollfd){ 1, POLLOUT, 0 }, 1, 1000) < 1 || write_out(a))
			return -EPIPE;
	int link = resume_hand_over(f, a->in.frames, a->out.frames);

	if (link == -EINVAL)
		return link;
	if (link < 0) {
		send_end(a, 1, "its run there has ended");
		return 0;
	}
	resume_wait(link);
	a->gone = true;
	return 0;
}

/* Who may only run what others have signed may neither choose commands nor options for it.  A NUL
 * would end the option, and begin another one. */
static bool needs_trust(const struct frame *f)
{
	static const char harmless[] = "refresh=";

	return f->kind == FRAME_DESCRIBE || f->kind == FRAME_COMMAND ||
	       (f->kind == FRAME_OPTION &&
		(f->len < sizeof(harmless) || memcmp(f->body, harmless, sizeof(harmless) - 1) ||
		 memchr(f->body, '\0', f->len)));
}

/* 0, or -errno: the collector does not keep to the protocol. */
static int obey(struct agent *a, const struct frame *f)
{
	bool idle = a->state == IDLE && !a->child.pid;

	if (a->trust && needs_trust(f))
		return -EPERM;
	switch ((int)f->kind) {
	case FRAME_WORD:
		bytes_add(&a->words, f->body, f->len);
		bytes_add(&a->words, "", 1);
		return idle && a->collects && a->words.len < WORDS_MOST ? 0 : -EINVAL;
	case FRAME_DESCRIBE:
		if (a->collects)
			return -EINVAL;
		a->state = DESCRIBING;
		return idle && (!f->len || !f->body[f->len - 1])
			       ? child_describe(&a->child, f->body, f->len) : -EINVAL;
	case FRAME_OPTION:
		bytes_add(&a->options, f->body, f->len);
		bytes_add(&a->options, "", 1);
		return idle && a->options.len < OPTIONS_MOST ? 0 : -EINVAL;
	case FRAME_IMAGE:
		return idle ? take_image(a, f) : -EINVAL;
	case FRAME_LOAD:
		return idle ? load(a) : -EINVAL;
	case FRAME_COMMAND:
		bytes_add(&a->commands, f->body, f->len);
		bytes_add(&a->commands, "", 1);
		return idle && a->commands.len < WORDS_MOST ? 0 : -EINVAL;
	case FRAME_GO:
		return a->state == READY ? begin_run(a, f) : -EINVAL;
	case FRAME_STOP:
		end_run(a, false);
		return 0;
	case FRAME_LEASE:
		return take_lease(a, f);
	case FRAME_GOT:
		return take_got(a, f);
	case FRAME_BYE:
		return -EPIPE;
	case FRAME_RESUME:
		return idle ? hand_over(a, f) : -EINVAL;
	default:
		return -EINVAL;
	}
}

/* The collector may call again, if it has not said that it goes. */
static void connection_ended(struct agent *a)
{
	if (*a->resume.token && bytes_left(&a->out) + a->child.pid) {
		resume_away(&a->resume);
		return;
	}
	a->gone = true;
	end_run(a, false);
}

static void connection_is_back(struct agent *a)
{
	struct bytes back = { 0 };
	struct resumed r;

	if (!resume_accept(&a->resume, &r))
		return;
	forget(a, r.at - a->resume.given);
	a->resume.sent = 0;
	a->resume.away = false;
	bytes_free(&a->in);
	a->in.frames = r.heard;
	a->heard = fleet_now();
	back.frames = r.said;
	frame_put(&back, FRAME_BACK, NULL, 0);
	/* Nothing else is in this pipe: it has room. */
	if (bytes_write(&back, 1) || bytes_left(&back))
		connection_ended(a);
	bytes_free(&back);
}

/* EINVAL is of the collector, and other errors are of this machine, which has no room for more. */
static void tell_why(struct agent *a, int err)
{
	char told[200] = "Ethe collector sent what is no request";

	if (err == -EPERM && a->trust)
		strcpy(told, "Ewith --trust it runs signed images (dtx -r), and takes no -c, -w");
	else if (err != -EINVAL && err != -EILSEQ)
		snprintf(told, sizeof(told), "Eit cannot begin the run: %s", strerror(-err));
	frame_put(&a->out, FRAME_SAID, told, strlen(told));
	write_out(a);
}

static void listen_to(struct agent *a)
{
	struct frame f;
	long n = bytes_read(&a->in, 0, FRAME_PIECE);
	int err = 0;

	if (n > 0)
		a->heard = fleet_now();
	while (n > 0 && !err && !a->gone && (err = frame_take(&a->in, &f)) > 0)
		err = obey(a, &f);
	if (n <= 0 || (err == -EILSEQ && *a->resume.token)) {
		connection_ended(a);
		return;
	}
	if (err && err != -EPIPE)
		tell_why(a, err);
	if (err) {
		a->gone = true;
		end_run(a, false);
	}
}

/* ---- what the children say ------------------------------------------------------------ */

static void hand_on(struct agent *a, int *fd, enum frame_kind kind)
{
	char piece[FRAME_PIECE];
	ssize_t n = read(*fd, piece, sizeof(piece));

	if (n > 0)
		frame_put(&a->out, kind, piece, n);
	else if (!n || errno != EINTR)
		fd_close(fd);
}

/* Whole messages. */
static void hand_messages(struct agent *a)
{
	const char *end;

	if (bytes_read(&a->said, a->child.said, FRAME_PIECE) <= 0) {
		fd_close(&a->child.said);
		return;
	}
	while ((end = memchr(a->said.data + a->said.at, '\0', bytes_left(&a->said)))) {
		size_t len = end - (a->said.data + a->said.at);

		frame_put(&a->out, FRAME_SAID, a->said.data + a->said.at, len);
		bytes_skip(&a->said, len + 1);
	}
}

static void state_changed(struct agent *a)
{
	char state;
	ssize_t n = read(a->child.state, &state, 1);

	if (n < 1) {
		fd_close(&a->child.state);
	} else if (state == CHILD_READY && a->state == LOADING) {
		frame_put(&a->out, FRAME_READY, NULL, 0);
		a->state = READY;
	} else if (state == CHILD_BEGUN) {
		frame_put(&a->out, FRAME_BEGUN, NULL, 0);
	} else if (state == CHILD_STALE) {
		a->stale = true;
	}
}

static bool has_ended(const struct agent *a)
{
	const struct child *c = &a->child;

	return c->pid && c->stream < 0 && c->said < 0 && c->state < 0 &&
	       !(a->collects && c->output >= 0);
}

/* What was written so far; what began it in the background may keep the other end open. */
static void hand_rest(struct agent *a, int *fd)
{
	int left = 0;

	if (*fd >= 0 && !ioctl(*fd, FIONREAD, &left) && left)
		hand_on(a, fd, FRAME_OUTPUT);    /* a pipe has no more than a piece */
	fd_close(fd);
}

/* The stream that it wrote was handed on. */
static void child_ended(struct agent *a)
{
	bool describes = a->state == DESCRIBING;
	int how, status;

	if (a->commands.len)             /* what those of -c have begun, in their group */
		kill(-a->child.pid, SIGTERM);
	bytes_free(&a->commands);        /* another image comes with its own */
	waitpid(a->child.pid, &how, 0);
	a->child.pid = 0;
	hand_rest(a, &a->child.output);
	child_close(&a->child);
	a->kill_at = 0;
	status = WIFEXITED(how) ? WEXITSTATUS(how) : 1;
	if (describes && !status)
		frame_put(&a->out, FRAME_MACHINE, NULL, 0);
	else if (!WIFEXITED(how))
		send_end(a, 1, "it was killed");
	else
		send_end(a, status, a->stale ? "stale" : "");
	fd_close(&a->image);
	a->image_size = 0;
	a->state = IDLE;
}

/* ---- the loop ------------------------------------------------------------------------- */

enum { AT_IN, AT_OUT, AT_STREAM, AT_SAID, AT_STATE, AT_OUTPUT, AT_CALL, AT_LINK, AT_N };

/* A collector that is gone takes nothing more: the children's last words are read for nobody. */
static void turn(struct agent *a)
{
	bool room = unsent(a) < OUT_MOST && bytes_left(&a->out) < KEPT_MOST;
	bool there = !a->gone && !a->resume.away;
	struct pollfd p[AT_N] = {
		[AT_IN] = { there ? 0 : -1, POLLIN },
		[AT_OUT] = { unsent(a) && there ? 1 : -1, POLLOUT },
		[AT_STREAM] = { room ? a->child.stream : -1, POLLIN },
		[AT_SAID] = { room ? a->child.said : -1, POLLIN },
		[AT_STATE] = { a->child.state, POLLIN },
		[AT_OUTPUT] = { room ? a->child.output : -1, POLLIN },
		[AT_CALL] = { a->gone ? -1 : a->resume.listens, POLLIN },
		[AT_LINK] = { a->resume.link, POLLIN },
	};

	if (poll(p, AT_N, a->kill_at ? 50 : 500) < 0)
		return;
	if (p[AT_OUT].revents && write_out(a))
		connection_ended(a);
	if (p[AT_STREAM].revents)
		hand_on(a, &a->child.stream,
			a->state == DESCRIBING ? FRAME_MACHINE : FRAME_STREAM);
	if (p[AT_SAID].revents)
		hand_messages(a);
	if (p[AT_OUTPUT].revents)
		hand_on(a, &a->child.output, FRAME_OUTPUT);
	if (p[AT_STATE].revents)
		state_changed(a);
	if (p[AT_IN].revents && !a->resume.away)
		listen_to(a);
	if (p[AT_LINK].revents && !a->resume.away)
		connection_ended(a);     /* its session has ended */
	if (p[AT_CALL].revents)
		connection_is_back(a);
	if (a->gone)
		forget(a, bytes_left(&a->out));
}

static void look_at_clock(struct agent *a)
{
	int64_t now = fleet_now();
	bool traces = a->state == RUNNING || a->state == ENDING || a->resume.away;

	if (!a->gone && now - a->heard > (traces ? a->lease : WAITS_MS)) {
		a->gone = true;
		end_run(a, false);
	}
	if (told_to_end && a->state != ENDING)
		end_run(a, false);
	if (a->kill_at && now > a->kill_at)
		end_run(a, true);
	if (now >= a->beat && !unsent(a) && !a->resume.away) {
		frame_put(&a->out, FRAME_ALIVE, NULL, 0);
		a->beat = now + AGENT_BEAT_MS;
	}
}

static bool is_over(const struct agent *a)
{
	return !a->child.pid && (a->gone || (told_to_end && !unsent(a)));
}

int agent_serve(const char *trust, char **collects)
{
	struct agent a = { .trust = trust, .collects = collects, .lease = AGENT_LEASE_MS,
			   .image = -1, .child = { 0, -1, -1, -1, -1, -1 },
			   .resume = { .listens = -1, .link = -1 } };
	struct sigaction act = { .sa_handler = on_end };
	struct bytes hello = { 0 };

	if (isatty(STDIN_FILENO)) {
		command_say("--agent answers dtx --hosts, which starts it: people do not call it");
		return STATUS_USAGE;
	}
	sigaction(SIGTERM, &act, NULL);
	sigaction(SIGINT, &act, NULL);
	sigaction(SIGHUP, &act, NULL);
	whoami(&hello, collects);
	bytes_add(&a.out, AGENT_MAGIC, AGENT_MAGIC_LEN);
	frame_put(&a.out, FRAME_HELLO, hello.data, hello.len);
	bytes_free(&hello);
	a.heard = fleet_now();
	a.beat = a.heard + AGENT_BEAT_MS;
	while (!is_over(&a)) {
		turn(&a);
		look_at_clock(&a);
		if (has_ended(&a))
			child_ended(&a);
	}
	end_run(&a, true);
	return 0;
}
