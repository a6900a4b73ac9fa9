/* SPDX-License-Identifier: BSD-2-Clause */
/* file.c - read a whole file, whatever its stated size (/proc, pipes). */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <dtx/base.h>

int file_read_fd(int fd, char **data, size_t *len)
{
	struct stat st;
	size_t cap = 16384, n = 0;
	char *p;

	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0)
		cap = (size_t)st.st_size + 2;
	p = xmalloc(cap);
	for (;;) {
		ssize_t got;

		if (n + 1 >= cap)
			p = xrealloc(p, cap *= 2);
		got = read(fd, p + n, cap - n - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			int err = -errno;

			free(p);
			return err;
		}
		if (!got)
			break;
		n += (size_t)got;
	}
	p[n] = '\0';
	*data = p;
	if (len)
		*len = n;
	return 0;
}

int file_access(const char *path, int mode)
{
	return faccessat(AT_FDCWD, path, mode, AT_EACCESS);
}

int file_read(const char *path, char **data, size_t *len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int err;

	if (fd < 0)
		return -errno;
	err = file_read_fd(fd, data, len);
	close(fd);
	return err;
}
