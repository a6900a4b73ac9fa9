/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * filewrite.c - writing: all of it, or the file stays as it was.
 *
 * A new file that takes the old one's place (rename) needs the rights of its folder, which are
 * given up by the time a run ends (decision 27), and loses links, owner and access lists. So the
 * room is taken first, and only then are bytes of the old file lost.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <dtx/base.h>

volatile sig_atomic_t file_write_hurries;

/* Signals that interrupt a write of which nothing is taken, until it is given up. */
#define HURRIED_MOST 2

int file_write(int fd, const void *data, size_t len, size_t *done)
{
	size_t n = 0;
	u32 idle = 0;
	int err = 0;

	while (n < len && !err) {
		ssize_t got = write(fd, (const char *)data + n, len - n);

		n += got > 0 ? got : 0;
		err = got < 0 && errno != EINTR ? -errno : 0;
		idle = got < 0 && file_write_hurries ? idle + 1 : 0;
		if (!err && idle == HURRIED_MOST)
			err = -ETIMEDOUT;
	}
	if (done)
		*done = n;
	return err;
}

/* By writing behind the end of the file: where file systems cannot take room otherwise. */
static int reserve_behind(int fd, const void *data, size_t len, off_t size)
{
	int err = lseek(fd, size, SEEK_SET) < 0 ? -errno : file_write(fd, data, len, NULL);

	if (ftruncate(fd, size) && !err)
		err = -errno;
	return err;
}

/* Room for a file of `len` bytes, whose bytes stay what they are.  fallocate() with this flag asks
 * for no limit of the size (RLIMIT_FSIZE). */
static int reserve(int fd, const void *data, size_t len, off_t size)
{
	struct rlimit most;
	int err = 0;

	if (!getrlimit(RLIMIT_FSIZE, &most) && most.rlim_cur < len)
		return -EFBIG;
	if (!len || !fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, (off_t)len))
		return 0;
	err = -errno;
	if (err == -EOPNOTSUPP || err == -ENOSYS)
		return reserve_behind(fd, data, len, size);
	if (ftruncate(fd, size))         /* gives back what was taken behind its end */
		errno = 0;
	return err;
}

int file_put(int fd, const void *data, size_t len)
{
	struct stat st;
	int err;

	if (fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return file_write(fd, data, len, NULL);
	err = reserve(fd, data, len, st.st_size);
	if (!err && lseek(fd, 0, SEEK_SET) < 0)
		err = -errno;
	if (!err)
		err = file_write(fd, data, len, NULL);
	if (!err && ftruncate(fd, (off_t)len))
		err = -errno;
	return err;
}

bool file_cut(int fd, u64 n)
{
	struct stat st;
	off_t at;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || (u64)st.st_size < n)
		return false;
	at = lseek(fd, 0, SEEK_CUR);
	return at == st.st_size && !ftruncate(fd, at - (off_t)n) &&
	       lseek(fd, at - (off_t)n, SEEK_SET) >= 0;
}
