/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shown.c - recorded numbers that the consumer shows as text: users, errors, signals,
 * system calls, cgroups, times.
 *
 * To add one: a row of shown_rows, and its name in foreign.def as an action that returns
 * a _symaddr.  The kind is the name; a format may follow after a blank.
 */
#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <dtx/arch.h>

#include "runtime/stack/text.h"

#define NSEC  1000000000ll

static void shown_user(u64 v, const char *format, struct buf *out)
{
	struct passwd *p = getpwuid((uid_t)v);

	if (p)
		buf_puts(out, p->pw_name);
	else
		buf_printf(out, "%u", (u32)v);
}

/* System calls return errors as negative numbers.  The C library knows none of those that only the
 * kernel sees (include/linux/errno.h): the call is run again, or ends with EINTR. */
static void shown_error(u64 v, const char *format, struct buf *out)
{
	static const char *const restarts[] = {
		"ERESTARTSYS", "ERESTARTNOINTR", "ERESTARTNOHAND", "ENOIOCTLCMD",
		"ERESTART_RESTARTBLOCK",
	};
	s64 e = (s64)v < 0 ? -(s64)v : (s64)v;

	if (e >= 512 && e < 512 + (s64)ARRAY_SIZE(restarts))
		buf_puts(out, restarts[e - 512]);
	else
		buf_puts(out, strerror((int)e));
}

static void shown_signal(u64 v, const char *format, struct buf *out)
{
	const char *name = v < NSIG ? sigabbrev_np((int)v) : NULL;

	if (name)
		buf_printf(out, "SIG%s", name);
	else
		buf_printf(out, "%lld", (long long)v);
}

static void shown_syscall(u64 v, const char *format, struct buf *out)
{
	const char *name = v <= UINT32_MAX ? arch_syscall_name((u32)v) : NULL;

	if (name)
		buf_puts(out, name);
	else
		buf_printf(out, "%lld", (long long)v);
}

/* ---- control groups ---------------------------------------------------------------- */

const char *cgroup_root(struct arena *a)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	const char *root = NULL;

	for (const struct mntent *m; mounts && !root && (m = getmntent(mounts));)
		if (!strcmp(m->mnt_type, "cgroup2"))
			root = arena_strdup(a, m->mnt_dir);
	if (mounts)
		endmntent(mounts);
	return root;
}

#define KERNFS_HANDLE  0xfe      /* FILEID_KERNFS of the kernel: the id is the handle */

/* A path below the mount point of the control groups, or NULL. */
static const char *cgroup_find(struct arena *a, u64 id)
{
	const char *root = cgroup_root(a);
	struct file_handle *h = arena_alloc(a, sizeof(*h) + sizeof(id));
	char path[512], *link;
	int mount = root ? open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1, fd;
	ssize_t n;

	h->handle_bytes = sizeof(id);
	h->handle_type = KERNFS_HANDLE;
	memcpy(h->f_handle, &id, sizeof(id));
	fd = mount >= 0 ? open_by_handle_at(mount, h, O_PATH | O_CLOEXEC) : -1;
	link = arena_printf(a, "/proc/self/fd/%d", fd);
	n = fd >= 0 ? readlink(link, path, sizeof(path) - 1) : -1;
	if (fd >= 0)
		close(fd);
	if (mount >= 0)
		close(mount);
	if (n < 0)
		return NULL;
	path[n] = 0;
	link = arena_strdup(a, strncmp(path, root, strlen(root)) ? path : path + strlen(root));
	return *link ? link : "/";
}

static void shown_cgroup(u64 v, const char *format, struct buf *out)
{
	struct arena *a = arena_new();
	const char *path = cgroup_find(a, v);

	if (path)
		buf_puts(out, path);
	else
		buf_printf(out, "%llu", (unsigned long long)v);
	arena_free(a);
}

/* ---- time ---------------------------------------------------------------------------- */

#define SINCE_START  (1ll << 59) /* 18 years: smaller times are from a clock that began at boot */

/* The format, with %f replaced by the microseconds, which strftime(3) does not have. */
static void time_format(struct buf *b, const char *format, u32 micros)
{
	for (; *format; format++) {
		if (format[0] == '%' && format[1] == 'f') {
			buf_printf(b, "%06u", micros);
			format++;
			continue;
		}
		buf_putc(b, *format);
		if (format[0] == '%' && format[1])
			buf_putc(b, *++format);
	}
	buf_add(b, "", 0);
}

static void shown_time(u64 v, const char *format, struct buf *out)
{
	s64 ns = (s64)v;
	struct buf f = { 0 };
	char text[256];
	time_t sec;
	struct tm tm;

	if (ns >= 0 && ns < SINCE_START)
		ns += clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC);
	sec = ns / NSEC - (ns % NSEC < 0);
	localtime_r(&sec, &tm);
	time_format(&f, format, (u32)((ns - sec * NSEC) / 1000));
	buf_add(out, text, strftime(text, sizeof(text), f.data ? f.data : "", &tm));
	buf_free(&f);
}

/* ---- which ----------------------------------------------------------------------------- */

static const struct shown_row {
	const char *kind;
	void (*text)(u64 v, const char *format, struct buf *out);
} shown_rows[] = {
	{ "username", shown_user }, { "strerror", shown_error }, { "signal_name", shown_signal },
	{ "syscall_name", shown_syscall }, { "cgroup_path", shown_cgroup },
	{ "__strftime", shown_time },
};

static const struct shown_row *shown_find(const char *kind)
{
	size_t n = strcspn(kind, " ");

	for (u32 i = 0; i < ARRAY_SIZE(shown_rows); i++)
		if (strlen(shown_rows[i].kind) == n && !memcmp(shown_rows[i].kind, kind, n))
			return &shown_rows[i];
	return NULL;
}

bool shown_is(const char *kind)
{
	return shown_find(kind);
}

bool shown_text(const char *kind, u64 v, struct buf *out)
{
	const struct shown_row *row = shown_find(kind);
	const char *format = strchr(kind, ' ');

	if (row)
		row->text(v, format ? format + 1 : "", out);
	return row;
}
