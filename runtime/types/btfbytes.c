/* SPDX-License-Identifier: BSD-2-Clause */
/* btfbytes.c - the bytes of BTF: of the kernel, or of a file that the user names (-x btf). */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/btf.h>

#include "runtime/types/btf.h"

/* BTF of this kernel is mapped if that is possible; other files are read, because they may be
 * cut short meanwhile. */
static bool bytes_of_kernel(struct dtx_env *env, struct btf_obj *o, const char *path)
{
	int fd = machine_is_here(env) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	struct stat st;

	if (fd >= 0 && !fstat(fd, &st) && st.st_size > 0) {
		o->len = (size_t)st.st_size;
		o->data = mmap(NULL, o->len, PROT_READ, MAP_PRIVATE, fd, 0);
		o->mapped = o->data != MAP_FAILED;
	}
	if (fd >= 0)
		close(fd);
	if (!o->mapped && machine_read(env, path, &o->data, &o->len))
		o->data = NULL;
	return o->data;
}

/* An object with a section of it: a vmlinux. */
static bool bytes_of_object(struct btf_obj *o, const char *path)
{
	struct btf *b = btf__parse(path, NULL);
	u32 len = 0;
	const void *data = b ? btf__raw_data(b, &len) : NULL;

	o->len = len;
	o->data = data ? xmalloc(len) : NULL;
	if (data)
		memcpy(o->data, data, len);
	btf__free(b);
	return data;
}

/* A file that the user names. */
static bool bytes_of_file(struct btf_obj *o, const char *path)
{
	int fd = file_open_named(path, O_RDONLY);
	char magic[4] = "";
	bool elf, read_it;

	if (fd < 0)
		return false;
	elf = pread(fd, magic, sizeof(magic), 0) == sizeof(magic) && !memcmp(magic, "\177ELF", 4);
	read_it = !elf && !file_read_fd(fd, &o->data, &o->len);
	close(fd);
	if (!read_it)
		o->data = NULL;
	return elf ? bytes_of_object(o, path) : read_it;
}

bool btf_bytes(struct dtx_env *env, struct btf_obj *o, const char *path)
{
	return strncmp(path, BTF_DIR "/", sizeof(BTF_DIR)) ? bytes_of_file(o, path) :
							     bytes_of_kernel(env, o, path);
}
