/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * file.c - files: reading a whole file of unknown size (/proc, pipes); files that the user names,
 * which are read with the user's own rights; files of traced processes, whose symbolic links must
 * not leave their root; output files, where symbolic links of other users are refused. FIFOs of
 * other users, devices and sockets are refused everywhere.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <dtx/base.h>

bool libraries_load = true;

#define HOLES_FROM ((off_t)16 << 20)     /* bytes: of smaller files holes do no harm */
#define HOLES_MOST 4096                  /* parts of a file that are looked at */
#define FILE_MOST ((size_t)256 << 20)    /* bytes: a pipe of another process may never end */

int file_read_fd(int fd, char **data, size_t *len)
{
	struct stat st;
	size_t cap = 16384, n = 0;
	ssize_t got = 1;
	char *p;

	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0)
		cap = MIN((size_t)st.st_size, FILE_MOST) + 2;
	p = xmalloc(cap);
	while (got && n <= FILE_MOST) {
		if (n + 1 >= cap)
			p = xrealloc(p, cap *= 2);
		got = read(fd, p + n, cap - n - 1);
		if (got < 0 && errno != EINTR)
			break;
		n += MAX(got, 0);
	}
	if (got) {
		int err = got < 0 ? -errno : -EFBIG;

		free(p);
		return err;
	}
	p[n] = '\0';
	*data = p;
	if (len)
		*len = n;
	return 0;
}

int file_access(const char *path, int mode)
{
	file_note(path);
	return faccessat(AT_FDCWD, path, mode, AT_EACCESS);
}

/* ---- what a path names, before it is opened -------------------------------------------------- */

/*
 * Opening has effects: of a FIFO it waits for the other side, of a device it may rewind a tape or
 * start a watchdog.  So a path is looked at first (O_PATH), and what was looked at is opened, not
 * what has the path by then.
 */

/* Terminals, and the devices of /dev that hold nothing: admin-guide/devices.txt of Linux. */
static bool harmless_device(dev_t dev)
{
	u32 major = major(dev), minor = minor(dev);

	return (major == 1 && (minor == 3 || minor == 5 || minor == 7)) || /* null, zero, full */
	       (major == 4 && minor < 64) || (major == 5 && minor < 2) ||
	       (major >= 136 && major <= 143);
}

static bool trusted_owner(const struct stat *st)
{
	return !st->st_uid || st->st_uid == geteuid();
}

/* A pipe without a name: somebody gave it to dtx. */
static bool is_anonymous(int fd)
{
	struct statfs fs;

	return !fstatfs(fd, &fs) && fs.f_type == PIPEFS_MAGIC;
}

/* 0, or a number for file_why(). */
static int file_refused(int fd, const struct stat *st)
{
	switch (st->st_mode & S_IFMT) {
	case S_IFDIR:
		return EISDIR;
	case S_IFSOCK:
		return ENOTSOCK;
	case S_IFBLK:
		return ENOTBLK;
	case S_IFCHR:
		return harmless_device(st->st_rdev) ? 0 : ENOTBLK;
	case S_IFIFO:
		return trusted_owner(st) || is_anonymous(fd) ? 0 : EPIPE;
	default:
		return 0;
	}
}

const char *file_why(int err)
{
	switch (err) {
	case ELOOP:
		return "it is a symbolic link of another user";
	case EEXIST:
		return "it is of another user, in a folder that everyone may write to";
	case EMLINK:
		return "it has another name (a hard link), in a folder where others can make such "
		       "names";
	case ETIMEDOUT:
		return "nobody reads it";
	case EPIPE:
		return "it is a FIFO of another user, who could make dtx wait for ever";
	case ENOTBLK:
		return "it is a device";
	case ENOTSOCK:
		return "it is a socket";
	default:
		return strerror(err);
	}
}

/* Opens what `seen`, of O_PATH, stands for; without /proc what now has the path, if it is that. */
static int open_seen(int seen, const struct stat *st, const char *path, int flags)
{
	struct stat now;
	char self[32];
	int fd;

	snprintf(self, sizeof(self), "/proc/self/fd/%d", seen);
	fd = open(self, flags & ~O_NOFOLLOW);
	if (fd >= 0 || errno != ENOENT)
		return fd;
	fd = open(path, flags | O_NONBLOCK);
	if (fd < 0 || (!fstat(fd, &now) && now.st_dev == st->st_dev && now.st_ino == st->st_ino))
		return fd;
	close(fd);
	errno = ENOENT;
	return -1;
}

/* As open(), for what file_refused() lets pass. */
static int open_looked_at(const char *path, int flags)
{
	int seen = open(path, O_PATH | O_CLOEXEC), fd = -1, err;
	struct stat st;

	if (seen < 0)
		return -1;
	err = fstat(seen, &st) ? errno : file_refused(seen, &st);
	if (!err) {
		fd = open_seen(seen, &st, path, flags);
		err = errno;
	}
	close(seen);
	errno = err;
	return fd;
}

/* ---- files that the user names ------------------------------------------------------------- */

/* CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH of linux/capability.h. */
#define READ_CAPS (1u << 1 | 1u << 2)

/* Of the thread: its capabilities in `data`, with `head`; false: they are not those of the file. */
static bool caps_of_file(struct __user_cap_header_struct *head,
			 struct __user_cap_data_struct data[2])
{
	*head = (struct __user_cap_header_struct){ _LINUX_CAPABILITY_VERSION_3, 0 };
	return getauxval(AT_SECURE) && !syscall(SYS_capget, head, data);
}

u32 file_as_user(void)
{
	struct __user_cap_header_struct head;
	struct __user_cap_data_struct data[2];
	u32 taken;

	if (!caps_of_file(&head, data))
		return 0;
	taken = data[0].effective & READ_CAPS;
	data[0].effective &= ~READ_CAPS;
	return taken && !syscall(SYS_capset, &head, data) ? taken : 0;
}

void file_as_before(u32 taken)
{
	struct __user_cap_header_struct head;
	struct __user_cap_data_struct data[2];
	int err = errno;

	if (taken && caps_of_file(&head, data)) {
		data[0].effective |= taken;
		syscall(SYS_capset, &head, data);
	}
	errno = err;
}

int file_open_named(const char *path, int flags)
{
	u32 taken = file_as_user();
	int fd;

	file_note(path);
	fd = open_looked_at(path, flags | O_CLOEXEC | O_NOCTTY);
	file_as_before(taken);
	return fd;
}

int file_read_named(const char *path, char **data, size_t *len)
{
	int fd = file_open_named(path, O_RDONLY), err;

	if (fd < 0)
		return -errno;
	err = file_read_fd(fd, data, len);
	close(fd);
	return err;
}

int file_read(const char *path, char **data, size_t *len)
{
	int fd, err;

	file_note(path);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = file_read_fd(fd, data, len);
	close(fd);
	return err;
}

s64 file_number(const char *path, s64 otherwise)
{
	char *text;
	s64 n;

	if (file_read(path, &text, NULL))
		return otherwise;
	n = strtoll(text, NULL, 10);
	free(text);
	return n;
}

/* ---- files of traced processes ------------------------------------------------------------ */

const char *file_below_root(const char *path)
{
	size_t digits;

	if (strncmp(path, "/proc/", 6))
		return NULL;
	path += 6;
	digits = strspn(path, "0123456789");
	return digits && !strncmp(path + digits, "/root/", 6) ? path + digits + 5 : NULL;
}

/* Absolute links and ".." in the path are resolved in the process's root (Linux 5.6). */
static int open_below_root(const char *path, const char *below, int flags)
{
	struct open_how how = { .flags = flags, .resolve = RESOLVE_IN_ROOT };
	char root[32];
	int dir, fd, err;

	snprintf(root, sizeof(root), "%.*s", (int)(below - path), path);
	dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return -1;
	fd = syscall(SYS_openat2, dir, below, &how, sizeof(how));
	err = errno;
	close(dir);
	errno = err;
	return fd;
}

/*
 * What was never written costs its owner nothing, and the reader memory and time.  What cannot tell
 * (SEEK_DATA) has no holes.
 */
bool file_mostly_holes(int fd, off_t from, off_t size)
{
	off_t data = 0, at = 0, end = from, stop = from + size;
	bool knows = true;

	for (u32 i = 0; i < HOLES_MOST && end < stop; i++) {
		at = lseek(fd, end, SEEK_DATA);
		knows = at >= 0 || errno == ENXIO;
		if (at < 0 || at >= stop)
			break;
		end = lseek(fd, at, SEEK_HOLE);
		knows = end >= 0;
		if (!knows)
			break;
		data += MIN(end, stop) - at;
	}
	lseek(fd, 0, SEEK_SET);
	return knows && data < size / 2;
}

int file_open_object(const char *path, int flags)
{
	const char *below = file_below_root(path);
	int seen, fd = -1, err;
	struct stat st;

	if (file_view_has(path))
		return file_view_open(path);
	file_note(path);
	flags |= O_CLOEXEC;
	seen = below ? open_below_root(path, below, flags | O_PATH) : open(path, flags | O_PATH);
	if (seen < 0)
		return -errno;
	err = fstat(seen, &st) ? -errno : S_ISREG(st.st_mode) ? 0 : -EINVAL;
	if (!err)
		fd = open_seen(seen, &st, path, flags | O_RDONLY | O_NONBLOCK | O_NOCTTY);
	if (!err && fd < 0)
		err = -errno;
	close(seen);
	if (err && fd >= 0)
		close(fd);
	return err ? err : fd;
}

int file_stat_object(const char *path, struct stat *st)
{
	const char *below = file_below_root(path);
	int seen, err;

	file_note(path);
	if (file_view_has(path))
		seen = file_view_open(path);
	else if (!below)
		return stat(path, st) ? -errno : 0;
	else
		seen = open_below_root(path, below, O_PATH | O_CLOEXEC);
	if (seen < 0)
		return file_view_has(path) ? seen : -errno;
	err = fstat(seen, st) ? -errno : 0;
	close(seen);
	return err;
}

int file_access_object(const char *path, int mode)
{
	int fd;

	if (!file_view_has(path))
		return file_access(path, mode);
	fd = file_view_open(path);
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

char *file_real_object(const char *path)
{
	char real[PATH_MAX];

	file_note(path);
	if (!file_view_has(path))
		return realpath(path, NULL);
	return file_view_real(path, real) ? xstrdup(real) : NULL;
}

bool file_is_hollow(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && st.st_size >= HOLES_FROM && file_mostly_holes(fd, 0, st.st_size);
}

int file_open_dense(const char *path, int flags)
{
	int fd = file_open_object(path, flags);

	if (fd < 0 || !file_is_hollow(fd))
		return fd;
	close(fd);
	return -EFBIG;
}

/* ---- files that are written --------------------------------------------------------------- */

#define LINKS_MAX 16

/*
 * A file or folder of another user where everyone may write: its owner has put it there to read or
 * to change what dtx writes, as far as dtx can know.  The kernel knows this rule for folders that
 * are sticky (fs.protected_regular), if it is set.  And a second name for a file of anybody, where
 * others can make names (fs.protected_hardlinks).
 */
static int planted(int dir, const char *path, const struct stat *st)
{
	const char *slash = strrchr(path, '/');
	char *parent = slash ? xprintf("%.*s", (int)(slash + 1 - path), path) : xstrdup(".");
	bool named_twice = S_ISREG(st->st_mode) && st->st_nlink > 1;
	struct stat up;
	int err = 0;

	if (!fstatat(dir, parent, &up, 0)) {
		if (!trusted_owner(st) && up.st_mode & S_IWOTH && up.st_uid != st->st_uid)
			err = EEXIST;
		else if (named_twice && (up.st_mode & S_IWOTH || !trusted_owner(&up)))
			err = EMLINK;
	}
	free(parent);
	return err;
}

/* Target of the link if the superuser or this user owns it: a path, malloc'd, or NULL and errno. */
static char *link_target(int dir, const char *path)
{
	const char *slash = strrchr(path, '/');
	int fd = openat(dir, path, O_PATH | O_NOFOLLOW | O_CLOEXEC), err = 0;
	char to[4096], *joined = NULL;
	struct stat st;
	ssize_t n = -1;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) || (n = readlinkat(fd, "", to, sizeof(to) - 1)) < 0)
		err = errno;
	else if (!trusted_owner(&st))
		err = ELOOP;
	close(fd);
	if (!err) {
		to[n] = '\0';
		joined = xprintf("%.*s%s", *to == '/' || !slash ? 0 : (int)(slash + 1 - path), path,
				 to);
	}
	errno = err;
	return joined;
}

/* 0, or why it is not written to. */
static int file_unsafe(int dir, const char *path, int fd, struct stat *st)
{
	int err = fstat(fd, st) ? errno : file_refused(fd, st);

	return !err && S_ISREG(st->st_mode) ? planted(dir, path, st) : err;
}

/* What is there is looked at, and looked at again when it is open: it may be another by then. */
static int create_here(int dir, const char *path, int flags, mode_t mode)
{
	int seen = openat(dir, path, O_PATH | O_CLOEXEC | (flags & O_NOFOLLOW)), fd = -1, err = 0;
	struct stat st = { 0 };

	if (seen >= 0)
		err = file_unsafe(dir, path, seen, &st);
	if (!err && S_ISFIFO(st.st_mode)) {
		fd = open_seen(seen, &st, path, flags & ~O_CREAT);       /* waits for the reader */
		err = errno;
	} else if (!err) {
		fd = openat(dir, path, flags | O_NONBLOCK, mode);
		err = errno;
		if (fd >= 0 && file_unsafe(dir, path, fd, &st)) {
			close(fd);
			fd = -1;
			err = EAGAIN;
		} else if (fd >= 0) {
			fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
		}
	}
	if (seen >= 0)
		close(seen);
	errno = err;
	return fd;
}

static int create(int dir, const char *path, int flags, mode_t mode, u32 links)
{
	bool magic = !strncmp(path, "/proc/", 6); /* nobody can create links there */
	int fd = create_here(dir, path, flags | (magic ? 0 : O_NOFOLLOW), mode), err;
	char *to;

	if (fd >= 0 || magic || errno != ELOOP || links == LINKS_MAX)
		return fd;
	to = link_target(dir, path);
	fd = to ? create(dir, to, flags, mode, links + 1) : -1;
	err = errno;
	free(to);
	errno = err;
	return fd;
}

int file_create_at(int dir, const char *path, int flags, mode_t mode)
{
	int fd = create(dir, path, flags | O_CREAT | O_CLOEXEC | O_NOCTTY, mode, 0);

	return fd < 0 ? -errno : fd;
}

int file_create(const char *path, int flags, mode_t mode)
{
	return file_create_at(AT_FDCWD, path, flags, mode);
}

/* As create(), of a folder. */
static int open_folder(const char *path, u32 links)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), err = errno;
	struct stat st;
	char *to;

	if (fd >= 0) {
		err = fstat(fd, &st) ? errno : planted(AT_FDCWD, path, &st);
		if (!err)
			return fd;
		close(fd);
	} else if ((err == ENOTDIR || err == ELOOP) && links < LINKS_MAX &&
		   (to = link_target(AT_FDCWD, path))) {
		fd = open_folder(to, links + 1);
		free(to);
		return fd;
	} else if (err == ENOTDIR && errno == ELOOP) {
		err = ELOOP;
	}
	errno = err;
	return -1;
}

int file_make_folder(const char *path)
{
	char *name = xstrdup(path);
	int fd, err;

	for (size_t n = strlen(name); n > 1 && name[n - 1] == '/'; n--)
		name[n - 1] = '\0';              /* with it a link is followed */
	fd = mkdir(name, 0700) && errno != EEXIST ? -1 : open_folder(name, 0);
	err = errno;
	free(name);
	return fd < 0 ? -err : fd;
}
