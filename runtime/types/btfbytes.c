/* SPDX-License-Identifier: BSD-2-Clause */
/* btfbytes.c - bytes of BTF: how many a type has; those of the kernel, or of a file (-x btf). */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/btf.h>

#include "runtime/types/types-private.h"

#define HEAD sizeof(struct btf_type)

const struct btf_size btf_sizes[BTF_INFO_KIND(~0u) + 1] = {
	[BTF_KIND_PTR] = { HEAD }, [BTF_KIND_FWD] = { HEAD }, [BTF_KIND_TYPEDEF] = { HEAD },
	[BTF_KIND_VOLATILE] = { HEAD }, [BTF_KIND_CONST] = { HEAD },
	[BTF_KIND_RESTRICT] = { HEAD }, [BTF_KIND_FUNC] = { HEAD }, [BTF_KIND_FLOAT] = { HEAD },
	[BTF_KIND_TYPE_TAG] = { HEAD },
	[BTF_KIND_INT] = { HEAD + sizeof(u32) },
	[BTF_KIND_VAR] = { HEAD + sizeof(struct btf_var) },
	[BTF_KIND_DECL_TAG] = { HEAD + sizeof(struct btf_decl_tag) },
	[BTF_KIND_ARRAY] = { HEAD + sizeof(struct btf_array) },
	[BTF_KIND_STRUCT] = { HEAD, sizeof(struct btf_member) },
	[BTF_KIND_UNION] = { HEAD, sizeof(struct btf_member) },
	[BTF_KIND_ENUM] = { HEAD, sizeof(struct btf_enum) },
	[BTF_KIND_ENUM64] = { HEAD, sizeof(struct btf_enum64) },
	[BTF_KIND_FUNC_PROTO] = { HEAD, sizeof(struct btf_param) },
	[BTF_KIND_DATASEC] = { HEAD, sizeof(struct btf_var_secinfo) },
};

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

/* An object with a section of it: a vmlinux.  The file that is open, not what its path names by
 * now: it was opened with the rights of the user alone. */
static bool bytes_of_object(struct btf_obj *o, int fd)
{
	char path[32];
	struct btf *b;
	u32 len = 0;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	b = btf__parse(path, NULL);
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
	read_it = elf ? bytes_of_object(o, fd) : !file_read_fd(fd, &o->data, &o->len);
	close(fd);
	if (!read_it)
		o->data = NULL;
	return read_it;
}

bool btf_bytes(struct dtx_env *env, struct btf_obj *o, const char *path, bool named)
{
	u32 taken;
	bool read_it;

	if (!named)
		return bytes_of_kernel(env, o, path);
	taken = file_as_user();
	read_it = bytes_of_file(o, path);
	file_as_before(taken);
	return read_it;
}
