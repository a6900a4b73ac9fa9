/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kernels.c - a description by a host, kept for later runs; the program compiled for it.
 *
 * Each compilation is a process: hosts are answered while it works, several kernels are compiled at
 * once, and a description that is made to harm harms no other host.
 * Why: docs/decisions/54-hosts.md
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmd/fleet/kernels.h"
#include "cmd/say.h"

#define DESCRIPTION_MOST (64u << 20)
#define MESSAGES_MOST    (256u << 10)
#define BOOT_ID          36      /* characters of the number of a boot */
#define KEPT_DAYS        30      /* of descriptions: machines start anew, and nobody asks again */

static bool same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

struct kernel *kernels_find(struct kernel **all, const struct peer *p, bool own_boot)
{
	const char *boot = own_boot ? p->boot : NULL;
	struct kernel *k;

	for (; (k = *all); all = &k->next)
		if (same(k->build, p->build) && same(k->boot, boot))
			return k;
	k = calloc(1, sizeof(*k));
	if (!k)
		abort();
	k->build = strdup(p->build);
	k->boot = boot ? strdup(boot) : NULL;
	k->description = k->image = k->messages = -1;
	*all = k;                        /* the last one: those that are waited for stay in order */
	return k;
}

/* ---- descriptions that are kept ---------------------------------------------------------- */

/* A host chooses these: letters of a number, or nothing is kept. */
static bool is_number(const char *text)
{
	size_t len = text ? strlen(text) : 0;

	return len >= 16 && len <= 128 && strspn(text, "0123456789abcdef-") == len;
}

/*
 * ~/.cache/dtx, which only this user can write; -1: there is none.  Below the folder of another
 * user (sudo keeps HOME) the path may lead elsewhere at any time: it is opened once.
 */
static int cache_folder(void)
{
	const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char path[4096];
	struct stat st;
	int fd;

	if (base && *base == '/')
		snprintf(path, sizeof(path) - 4, "%s", base);
	else if (home && *home == '/')
		snprintf(path, sizeof(path) - 4, "%s/.cache", home);
	else
		return -1;
	mkdir(path, 0700);
	strcat(path, "/dtx");
	mkdir(path, 0700);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0 && (fstat(fd, &st) || st.st_uid != geteuid() || st.st_mode & 022))
		fd_close(&fd);
	return fd;
}

/* Names with other letters are not kept. */
static bool is_plain_name(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789.@_-";

	return *name && name[strspn(name, letters)] == '\0';
}

/* Of one host: what it told of its kernel is not for runs that it has no part in. */
static bool cache_name(const struct kernel *k, const char *boot, const char *host,
		       char name[NAME_MAX])
{
	char version[64];

	if (!is_number(k->build) || !is_number(boot) || !is_plain_name(host))
		return false;
	snprintf(version, sizeof(version), "%s", dtx_version());
	for (char *c = version; *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '.')
			*c = '-';
	return snprintf(name, NAME_MAX, "machine-%s-%s-%s-%s", k->build, boot, version,
			host) < NAME_MAX - 16;
}

static void open_kept(struct kernel *k, int folder, const char *name)
{
	struct stat st;

	k->description = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (k->description < 0)
		return;
	if (!fstat(k->description, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    !(st.st_mode & 022) && st.st_size) {
		k->state = KERNEL_DESCRIBED;
		return;
	}
	fd_close(&k->description);
}

/* Is it of this kernel, by one of these hosts, in whichever boot? */
static bool is_kept_by(const struct kernel *k, const char *file, const struct peers *hosts)
{
	char boot[BOOT_ID + 1] = "", name[NAME_MAX];
	size_t before = strlen("machine--") + strlen(k->build);

	if (strlen(file) < before + BOOT_ID)
		return false;
	memcpy(boot, file + before, BOOT_ID);
	for (int i = 0; i < hosts->n; i++)
		if (cache_name(k, boot, hosts->v[i].name, name) && !strcmp(name, file))
			return true;
	return false;
}

static void find_kept(struct kernel *k, int folder, const struct peers *hosts)
{
	DIR *d = fdopendir(dup(folder));
	struct dirent *e;

	while (d && k->state == KERNEL_NEW && (e = readdir(d)))
		if (is_kept_by(k, e->d_name, hosts))
			open_kept(k, folder, e->d_name);
	if (d)
		closedir(d);
}

void kernel_from_cache(struct kernel *k, const struct peer *p, const struct peers *hosts)
{
	char name[NAME_MAX];
	int folder;

	if (!cache_name(k, p->boot, p->name, name) || (folder = cache_folder()) < 0)
		return;
	open_kept(k, folder, name);
	if (k->state == KERNEL_NEW && !k->boot)
		find_kept(k, folder, hosts);
	close(folder);
}

void kernel_forget(struct kernel *k)
{
	fd_close(&k->description);
	k->size = 0;
}

int kernel_add(struct kernel *k, const void *data, size_t len)
{
	if (k->description < 0)
		k->description = memfd_create("dtx-machine", MFD_CLOEXEC);
	k->size += len;
	if (k->description < 0 || k->size > DESCRIPTION_MOST)
		return -EFBIG;
	return write(k->description, data, len) == (ssize_t)len ? 0 : -EIO;
}

/* Takes the folder. */
static void forget_old(int folder)
{
	time_t oldest = time(NULL) - KEPT_DAYS * 24 * 3600;
	DIR *d = fdopendir(folder);
	struct dirent *e;
	struct stat st;

	while (d && (e = readdir(d)))
		if (!strncmp(e->d_name, "machine-", 8) &&
		    !fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) && st.st_mtime < oldest)
			unlinkat(dirfd(d), e->d_name, 0);
	if (d)
		closedir(d);
	else
		close(folder);
}

static void keep_in(int folder, const char *name, const char *data, size_t size)
{
	char fresh[NAME_MAX + 16];
	int fd;

	snprintf(fresh, sizeof(fresh), "%s.%d", name, (int)getpid());
	fd = openat(folder, fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	bool good = fd >= 0 && write(fd, data, size) == (ssize_t)size;

	if (fd >= 0 && (close(fd) || !good || renameat(folder, fresh, folder, name)))
		unlinkat(folder, fresh, 0);
}

/* Others see all of it or nothing. */
void kernel_keep(const struct kernel *k, const struct peer *by)
{
	char name[NAME_MAX];
	char *data = mmap(NULL, k->size, PROT_READ, MAP_PRIVATE, k->description, 0);
	int folder;

	if (data == MAP_FAILED)
		return;
	if (cache_name(k, by->boot, by->name, name) && (folder = cache_folder()) >= 0) {
		keep_in(folder, name, data, k->size);
		forget_old(folder);
	}
	munmap(data, k->size);
}

/* ---- compiling ----------------------------------------------------------------------------- */

/* Options of the collector, which hosts do not have: its outputs, and how hosts are reached. */
static const char *const collectors[] = {
	"record", "serve", "report", "trace", "perfetto", "live", "stacks", "diff", "csvdir",
	"linger", "metricstoken", "format", "machine", "become", "hostwait", "quorum", "exit",
	"hostprefix",
};
#define NCOLLECTORS (sizeof(collectors) / sizeof(*collectors))

bool given_is_collectors(const struct given *g)
{
	const char *name = g->row->action == ACT_OPTION ? g->arg : g->row->setting;

	if (g->row->action == ACT_COMMAND || g->row->action == ACT_OUTPUT ||
	    g->row->action == ACT_DESCRIBE_PROGRAM)
		return true;
	for (size_t i = 0; i < NCOLLECTORS && name; i++)
		if (!strncmp(name, collectors[i], strlen(collectors[i])) &&
		    strchr("=", name[strlen(collectors[i])]))
			return true;
	return false;
}

static void forget_variables(void)
{
	char name[64];

	for (size_t i = 0; i < NCOLLECTORS; i++) {
		snprintf(name, sizeof(name), "DTX_OPT_%s", collectors[i]);
		for (char *p = name; *p; p++)
			*p = toupper((unsigned char)*p);
		unsetenv(name);
	}
}

/* The exit status of the compiler's process. */
static int compile(const struct kernel *k, const struct tool *tool, const struct command *c,
		   FILE *text)
{
	struct command one = *c;
	struct dtx *d = dtx_open();
	char machine[40], image[40];
	int status = STATUS_FAILED;

	snprintf(machine, sizeof(machine), "/proc/self/fd/%d", k->description);
	snprintf(image, sizeof(image), "/proc/self/fd/%d", k->image);
	one.given = calloc(c->ngiven + 1, sizeof(*one.given));
	one.ngiven = 0;
	for (int i = 0; i < c->ngiven && one.given; i++)
		if (!given_is_collectors(&c->given[i]))
			one.given[one.ngiven++] = c->given[i];
		else if (c->given[i].row->action == ACT_COMMAND)
			dtx_target_later(d);
	one.hosts = one.via = NULL;
	one.image = image;
	dtx_set_name(d, program_invocation_short_name);
	dtx_on_message(d, keep_message, text);
	/* A recording has the times of records. */
	if (!dtx_set_option(d, "machine", machine) && !dtx_set_option(d, "timestamps", NULL))
		status = command_work(tool, d, &one, stdout);
	return status;
}

int kernel_compile(struct kernel *k, const struct tool *tool, const struct command *c)
{
	int p[2];

	k->image = memfd_create("dtx-image", MFD_CLOEXEC);
	if (k->image < 0 || pipe2(p, O_CLOEXEC))
		return -errno;
	fflush(NULL);
	k->pid = fork();
	if (!k->pid) {
		FILE *text = fdopen(p[1], "w");

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		forget_variables();
		int status = compile(k, tool, c, text);
		fflush(text);
		_exit(status);
	}
	close(p[1]);
	k->messages = p[0];
	k->state = KERNEL_COMPILES;
	return k->pid < 0 ? -EAGAIN : 0;
}

static bool map_image(struct kernel *k)
{
	struct stat st;

	if (fstat(k->image, &st) || !st.st_size)
		return false;
	k->bytes = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, k->image, 0);
	k->len = st.st_size;
	return k->bytes != MAP_FAILED;
}

void kernel_listen(struct kernel *k)
{
	int how = 1;

	if (bytes_read(&k->text, k->messages, FRAME_PIECE) > 0) {
		if (bytes_left(&k->text) > MESSAGES_MOST)        /* the first ones are told */
			k->text.len = k->text.at + MESSAGES_MOST;
		return;
	}
	fd_close(&k->messages);
	waitpid(k->pid, &how, 0);
	k->pid = 0;
	k->state = !how && map_image(k) ? KERNEL_COMPILED : KERNEL_FAILED;
}

int kernel_image(struct kernel *k, const char *path)
{
	FILE *f = dtx_input(path);
	int err = f ? 0 : -errno;

	k->image = f ? dup(fileno(f)) : -1;
	if (f)
		fclose(f);
	if (!err && !map_image(k))
		err = -ENODATA;
	k->state = KERNEL_COMPILED;
	return err;
}

void kernels_free(struct kernel *all)
{
	while (all) {
		struct kernel *k = all;

		all = k->next;
		if (k->pid > 0) {
			kill(k->pid, SIGKILL);
			waitpid(k->pid, NULL, 0);
		}
		fd_close(&k->description);
		fd_close(&k->image);
		fd_close(&k->messages);
		if (k->bytes && k->bytes != MAP_FAILED)
			munmap(k->bytes, k->len);
		bytes_free(&k->text);
		free(k->build);
		free(k->boot);
		free(k);
	}
}
