/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hangfuse.c - hangfuse DIR FILE HOLD: a FUSE file system at DIR that has one file, "file", with
 * the content of FILE.  While the file HOLD exists no question is answered; if HOLD is not empty,
 * none to read.  Prints "ready", and ends with the mount.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROOM (1 << 18)

static int device;

static void answer(const struct fuse_in_header *to, int error, const void *data, size_t n)
{
	static char bytes[ROOM];
	struct fuse_out_header h = { (unsigned int)(sizeof(h) + n), error, to->unique };

	memcpy(bytes, &h, sizeof(h));
	if (n)
		memcpy(bytes + sizeof(h), data, n);
	if (write(device, bytes, sizeof(h) + n) < 0 && errno != ENOENT)
		perror("hangfuse: answer");
}

static struct fuse_attr attr_of(unsigned long long node, const struct stat *st)
{
	if (node == 1)
		return (struct fuse_attr){ .ino = 1, .mode = S_IFDIR | 0755, .nlink = 2 };
	return (struct fuse_attr){ .ino = node, .mode = S_IFREG | 0755, .nlink = 1,
				   .size = (unsigned long long)st->st_size };
}

static void serve(const struct fuse_in_header *h, int fd, const struct stat *st)
{
	static char data[ROOM / 2];
	const void *in = h + 1;
	const struct fuse_read_in *r = in;
	struct fuse_init_out init = { .major = 7, .minor = 31, .max_write = 65536 };
	struct fuse_entry_out entry = { .nodeid = 2, .attr = attr_of(2, st) };
	struct fuse_attr_out attr = { .attr = attr_of(h->nodeid, st) };
	struct fuse_open_out open = { .fh = 1 };
	ssize_t n;

	switch (h->opcode) {
	case FUSE_INIT:
		answer(h, 0, &init, sizeof(init));
		break;
	case FUSE_LOOKUP:
		if (strcmp(in, "file") != 0)
			answer(h, -ENOENT, NULL, 0);
		else
			answer(h, 0, &entry, sizeof(entry));
		break;
	case FUSE_GETATTR:
		answer(h, 0, &attr, sizeof(attr));
		break;
	case FUSE_OPEN:
		answer(h, 0, &open, sizeof(open));
		break;
	case FUSE_READ:
		n = pread(fd, data, r->size < sizeof(data) ? r->size : sizeof(data),
			  (off_t)r->offset);
		answer(h, 0, data, n < 0 ? 0 : (size_t)n);
		break;
	case FUSE_FLUSH:
	case FUSE_RELEASE:
		answer(h, 0, NULL, 0);
		break;
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT:
		break;
	default:
		answer(h, -ENOSYS, NULL, 0);
	}
}

static int answered(const struct fuse_in_header *h, const char *hold)
{
	struct stat st;

	if (h->opcode == FUSE_INIT || stat(hold, &st))
		return 1;
	return st.st_size && h->opcode != FUSE_READ;
}

int main(int argc, char **argv)
{
	static char in[ROOM] __attribute__((aligned(8)));
	char options[100];
	struct stat st;
	int fd = argc == 4 ? open(argv[2], O_RDONLY) : -1;

	device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) || device < 0)
		return 2;
	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0", device);
	if (mount("hangfuse", argv[1], "fuse", 0, options))
		return 2;
	puts("ready");
	fflush(stdout);
	while (read(device, in, sizeof(in)) > 0 || errno == EINTR || errno == ENOENT) {
		const struct fuse_in_header *h = (const void *)in;

		if (answered(h, argv[3]))
			serve(h, fd, &st);
	}
	return 0;
}
