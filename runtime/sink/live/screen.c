/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * screen.c - the terminal while a view is shown on it.
 *
 * Curses draws into a pipe; a thread copies it to the terminal.  So a terminal that takes nothing
 * (a connection that hangs) stops the thread, but not the tracing: screen_begin() skips the
 * drawing until the pipe is empty.
 *
 * The terminal is given back when the run ends, and also before the process dies of a fault:
 * escape sequences and settings are kept ready for a signal handler.
 * Why: docs/decisions/38-live-screen.md
 */
#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <dtx-run.h>

#include "runtime/sink/live/live.h"

#define SCREEN_PIPE  (1 << 20)   /* bytes: more than one drawing takes */

/* More are not drawn: curses counts in shorts, and takes 80 bytes for a place. */
#define SCREEN_ROWS    500
#define SCREEN_COLUMNS 1000

struct screen {
	int in, out;             /* the terminal, to read without waiting and to write */
	int pipe[2], news, epoll;
	FILE *to, *from;         /* curses's files */
	SCREEN *curses;
	pthread_t copier;
	bool copying;
	locale_t locale, before;
	u32 colours;
	bool utf8;
	char typed[64];          /* read and not yet taken */
	u32 ntyped;
	struct { const char *text; enum key key; } named[24];
	u32 nnamed;
};

/* ---- giving the terminal back in a signal handler ------------------------------------------ */

static const int screen_faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT, SIGSYS,
				     SIGTRAP, SIGXCPU };
static const int screen_events[] = { SIGWINCH, SIGCONT, SIGTSTP };

static struct {
	volatile sig_atomic_t taken, gone, stop;
	int fd, news;
	struct termios settings;
	char leave[256];         /* the sequences that leave the screen */
	size_t len;
	struct sigaction faults[ARRAY_SIZE(screen_faults)], events[ARRAY_SIZE(screen_events)];
} saved = { .fd = -1, .news = -1 };

/* Async-signal-safe. */
static void screen_restore(void)
{
	if (!saved.taken)
		return;
	saved.taken = 0;
	ssize_t n = write(saved.fd, saved.leave, saved.len);
	(void)n;
	sigset_t ttou;

	sigemptyset(&ttou);
	sigaddset(&ttou, SIGTTOU);       /* in the background it would stop the process */
	pthread_sigmask(SIG_BLOCK, &ttou, NULL);
	tcsetattr(saved.fd, TCSANOW, &saved.settings);
}

void dtx_leave_screen(void)
{
	screen_restore();
	divert_undo();
}

static void screen_on_fault(int sig, siginfo_t *info, void *context)
{
	dtx_leave_screen();
	for (u32 i = 0; i < ARRAY_SIZE(screen_faults); i++)
		if (screen_faults[i] == sig)
			sigaction(sig, &saved.faults[i], NULL);
	/* An instruction that failed is repeated, and fails as it would have without this. */
	if (info->si_code <= 0 || info->si_code == SI_KERNEL)
		raise(sig);
}

static void screen_on_event(int sig)
{
	u64 one = 1;
	int err = errno;

	if (sig == SIGTSTP)
		saved.stop = 1;
	ssize_t n = write(saved.news, &one, sizeof(one));
	(void)n;
	errno = err;
}

static void screen_catch(void)
{
	struct sigaction fault = { .sa_sigaction = screen_on_fault,
				   .sa_flags = SA_NODEFER | SA_SIGINFO };
	struct sigaction event = { .sa_handler = screen_on_event, .sa_flags = SA_RESTART };

	for (u32 i = 0; i < ARRAY_SIZE(screen_faults); i++)
		sigaction(screen_faults[i], &fault, &saved.faults[i]);
	for (u32 i = 0; i < ARRAY_SIZE(screen_events); i++)
		sigaction(screen_events[i], &event, &saved.events[i]);
}

static void screen_uncatch(void)
{
	for (u32 i = 0; i < ARRAY_SIZE(screen_faults); i++)
		sigaction(screen_faults[i], &saved.faults[i], NULL);
	for (u32 i = 0; i < ARRAY_SIZE(screen_events); i++)
		sigaction(screen_events[i], &saved.events[i], NULL);
}

static void screen_keep(const char *name)
{
	const char *s = tigetstr(name);
	size_t n = s && s != (char *)-1 ? strlen(s) : 0;

	/* Padding ("$<5>") is not for the terminal; no terminal of today needs it here. */
	if (n && !strstr(s, "$<") && saved.len + n < sizeof(saved.leave)) {
		memcpy(saved.leave + saved.len, s, n);
		saved.len += n;
	}
}

/* ---- from the pipe to the terminal ---------------------------------------------------------- */

static void *screen_copy(void *arg)
{
	struct screen *s = arg;
	char text[4096];
	ssize_t n;

	while ((n = read(s->pipe[0], text, sizeof(text))) > 0 || (n < 0 && errno == EINTR))
		if (n > 0 && !saved.gone && file_write(s->out, text, n, NULL))
			saved.gone = 1;
	return NULL;
}

/* ---- taking the terminal ------------------------------------------------------------------ */

static int screen_open_terminal(struct screen *s, struct dtx_env *env)
{
	s->out = open("/dev/tty", O_RDWR | O_CLOEXEC);
	if (s->out < 0)
		return dtx_env_fail(env, -ENOTTY, "--live needs a terminal, and this process has "
				    "none (%s): run it in one, or without --live",
				    strerror(errno));
	s->in = open("/dev/tty", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (s->in < 0 || tcgetattr(s->out, &saved.settings))
		return dtx_env_fail(env, -ENOTTY, "--live cannot use the terminal: %s",
				    strerror(errno));
	if (tcgetpgrp(s->out) != getpgrp())
		return dtx_env_fail(env, -ENOTTY, "--live cannot run in the background: start it "
						  "in the foreground");
	return 0;
}

static int screen_open_files(struct screen *s, struct dtx_env *env)
{
	struct epoll_event ev = { .events = EPOLLIN };

	s->epoll = epoll_create1(EPOLL_CLOEXEC);
	s->news = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (s->epoll < 0 || s->news < 0 || pipe2(s->pipe, O_CLOEXEC) ||
	    epoll_ctl(s->epoll, EPOLL_CTL_ADD, s->in, &ev) ||
	    epoll_ctl(s->epoll, EPOLL_CTL_ADD, s->news, &ev))
		return dtx_env_fail(env, -errno, "--live cannot wait for keys: %s",
				    strerror(errno));
	fcntl(s->pipe[1], F_SETPIPE_SZ, SCREEN_PIPE);
	s->to = fdopen(s->pipe[1], "w");
	s->from = fdopen(fcntl(s->in, F_DUPFD_CLOEXEC, 3), "r");
	return s->to && s->from ? 0 : -ENOMEM;
}

/* The locale of the user decides what characters the terminal shows; it is set only while curses
 * works, because the library leaves the process's locale alone. */
static void screen_enter_locale(struct screen *s)
{
	s->before = s->locale ? uselocale(s->locale) : (locale_t)0;
}

static void screen_leave_locale(struct screen *s)
{
	if (s->before)
		uselocale(s->before);
}

static void screen_name_key(struct screen *s, const char *text, enum key key)
{
	if (text && text != (char *)-1 && *text && s->nnamed < ARRAY_SIZE(s->named)) {
		s->named[s->nnamed].text = text;
		s->named[s->nnamed++].key = key;
	}
}

/* What the keys send: as the terminal's description says, and as most terminals do. */
static void screen_name_keys(struct screen *s)
{
	static const struct { const char *cap, *usual; enum key key; } keys[] = {
		{ "kcuu1", "\033[A", KEY_IS_UP }, { "kcud1", "\033[B", KEY_IS_DOWN },
		{ "kcub1", "\033[D", KEY_IS_LEFT }, { "kcuf1", "\033[C", KEY_IS_RIGHT },
		{ "kpp", "\033[5~", KEY_IS_PAGE_UP }, { "knp", "\033[6~", KEY_IS_PAGE_DOWN },
		{ "khome", "\033[H", KEY_IS_HOME }, { "kend", "\033[F", KEY_IS_END },
		{ "kcbt", "\033[Z", KEY_IS_BACKTAB }, { "kbs", "\b", KEY_IS_ERASE },
		{ NULL, "\177", KEY_IS_ERASE }, { NULL, "\r", KEY_IS_ENTER },
		{ NULL, "\n", KEY_IS_ENTER }, { NULL, "\t", KEY_IS_TAB },
	};

	for (u32 i = 0; i < ARRAY_SIZE(keys); i++) {
		if (keys[i].cap)
			screen_name_key(s, tigetstr(keys[i].cap), keys[i].key);
		screen_name_key(s, keys[i].usual, keys[i].key);
	}
}

static void screen_resize(struct screen *s)
{
	struct winsize size;

	if (!ioctl(s->out, TIOCGWINSZ, &size) && size.ws_row && size.ws_col)
		resizeterm(MIN(size.ws_row, SCREEN_ROWS), MIN(size.ws_col, SCREEN_COLUMNS));
	clearok(curscr, TRUE);
}

static void screen_set_up_colours(struct screen *s)
{
	static const short ramp256[HEAT_LEVELS] = { 24, 31, 37, 71, 148, 220, 208, 196 };
	static const short ramp8[HEAT_LEVELS] = { 4, 4, 6, 6, 2, 3, 3, 1 };
	const short *ramp = ramp8;

	if (getenv("NO_COLOR") || !has_colors() || start_color() == ERR)
		return;
	s->colours = COLORS >= 256 ? 256 : 8;
	if (s->colours == 256)
		ramp = ramp256;
	short back = use_default_colors() == OK ? -1 : COLOR_BLACK;

	init_pair(PAIR_TITLE, COLOR_CYAN, back);
	init_pair(PAIR_BAD, COLOR_RED, back);
	init_pair(PAIR_DIM, COLOR_BLUE, back);
	for (short i = 0; i < HEAT_LEVELS; i++)
		init_pair(PAIR_HEAT + i, ramp[i], back);
}

static void screen_settings(struct screen *s)
{
	struct termios raw = saved.settings;

	raw.c_lflag &= ~(ICANON | ECHO);
	raw.c_oflag &= ~OPOST;           /* curses finds none of it on its pipe */
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	raw.c_cc[VSUSP] = _POSIX_VDISABLE;       /* a stopped dtx would lose records */
	tcsetattr(s->out, TCSADRAIN, &raw);
}

/* LINES and COLUMNS, where the terminal does not tell its size. */
static bool screen_sane(const char *name, unsigned long most)
{
	const char *value = getenv(name);

	return !value || strtoul(value, NULL, 10) <= most;
}

static int screen_start_curses(struct screen *s, struct dtx_env *env)
{
	const char *term = getenv("TERM");
	u32 taken;

	s->locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	s->utf8 = s->locale && !strcmp(nl_langinfo_l(CODESET, s->locale), "UTF-8");
	screen_enter_locale(s);
	use_env(screen_sane("LINES", SCREEN_ROWS) && screen_sane("COLUMNS", SCREEN_COLUMNS));
	taken = file_as_user();          /* TERMINFO may name any folder */
	s->curses = term && *term ? newterm(NULL, s->to, s->from) : NULL;
	file_as_before(taken);
	const char *cup = s->curses ? tigetstr("cup") : NULL;

	if (!cup || cup == (char *)-1) {
		screen_leave_locale(s);
		return dtx_env_fail(env, -ENOTTY,
				    "--live cannot draw on a terminal of type '%s' (TERM): its "
				    "description is missing, or it has no cursor movement",
				    term ? term : "");
	}
	screen_set_up_colours(s);
	screen_name_keys(s);
	curs_set(0);
	typeahead(-1);
	saved.len = 0;
	for (const char *const *name = (const char *const[]){ "sgr0", "cnorm", "rmkx", "rmcup",
							      NULL }; *name; name++)
		screen_keep(*name);
	screen_leave_locale(s);
	return 0;
}

static void screen_begin_taking(struct screen *s)
{
	saved.fd = s->out;
	saved.news = s->news;
	saved.gone = 0;
	screen_catch();
	s->copying = !thread_start(&s->copier, screen_copy, s);
	saved.taken = 1;
	screen_settings(s);
	screen_enter_locale(s);
	screen_resize(s);
	screen_leave_locale(s);
}

struct screen *screen_new(struct dtx_env *env)
{
	struct screen *s = xcalloc(1, sizeof(*s));

	s->in = s->out = s->news = s->epoll = s->pipe[0] = s->pipe[1] = -1;
	int err = screen_open_terminal(s, env);

	if (!err)
		err = screen_open_files(s, env);
	if (!err)
		err = screen_start_curses(s, env);
	if (err) {
		screen_free(s);
		return NULL;
	}
	screen_begin_taking(s);
	return s;
}

void screen_free(struct screen *s)
{
	int fds[4];

	if (!s)
		return;
	if (s->curses) {
		screen_enter_locale(s);
		if (s->copying)
			endwin();
		delscreen(s->curses);
		screen_leave_locale(s);
	}
	if (s->to)
		fclose(s->to);           /* ends the copier */
	if (s->copying) {
		pthread_join(s->copier, NULL);
		screen_restore();
		screen_uncatch();
	}
	if (s->from)
		fclose(s->from);
	if (s->locale)
		freelocale(s->locale);
	memcpy(fds, (int[]){ s->in, s->out, s->news, s->epoll }, sizeof(fds));
	for (u32 i = 0; i < ARRAY_SIZE(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	if (s->pipe[0] >= 0)
		close(s->pipe[0]);
	free(s);
}

/* ---- drawing ----------------------------------------------------------------------------- */

bool screen_begin(struct screen *s)
{
	int waiting = 0;

	if (saved.gone || !saved.taken || ioctl(s->pipe[0], FIONREAD, &waiting) || waiting)
		return false;
	screen_enter_locale(s);
	return true;
}

void screen_end(struct screen *s)
{
	refresh();
	screen_leave_locale(s);
}

bool screen_is_utf8(const struct screen *s)
{
	return s->utf8;
}

u32 screen_colours(const struct screen *s)
{
	return s->colours;
}

bool screen_gone(const struct screen *s)
{
	return saved.gone;
}

int screen_fd(const struct screen *s)
{
	return s->epoll;
}

/* ---- keys ----------------------------------------------------------------------------------- */

/* Stops as asked by SIGTSTP, with the terminal as it was; and takes it again. */
static void screen_stop(struct screen *s)
{
	saved.stop = 0;
	screen_restore();
	raise(SIGSTOP);
}

static bool screen_has_news(struct screen *s)
{
	u64 n;

	if (read(s->news, &n, sizeof(n)) != sizeof(n))
		return false;
	if (saved.stop)
		screen_stop(s);
	saved.taken = 1;
	screen_settings(s);
	screen_enter_locale(s);
	screen_resize(s);
	screen_leave_locale(s);
	return true;
}

static void screen_take(struct screen *s, u32 n)
{
	s->ntyped -= n;
	memmove(s->typed, s->typed + n, s->ntyped);
}

enum key screen_key(struct screen *s, char *c)
{
	if (screen_has_news(s))
		return KEY_IS_RESIZE;
	if (!s->ntyped) {
		ssize_t n = read(s->in, s->typed, sizeof(s->typed));

		if (!n || (n < 0 && errno != EAGAIN && errno != EINTR))
			saved.gone = 1;
		s->ntyped = MAX(n, 0);
	}
	if (!s->ntyped)
		return KEY_IS_NONE;
	for (u32 i = 0; i < s->nnamed; i++) {
		u32 len = strlen(s->named[i].text);

		if (len > s->ntyped || memcmp(s->typed, s->named[i].text, len))
			continue;
		screen_take(s, len);
		return s->named[i].key;
	}
	*c = s->typed[0];
	if (*c != '\033') {
		screen_take(s, 1);
		return KEY_IS_CHAR;
	}
	/* An unknown sequence is no key; a lone escape is one. */
	bool lone = s->ntyped == 1;

	s->ntyped = 0;
	return lone ? KEY_IS_ESCAPE : KEY_IS_NONE;
}
