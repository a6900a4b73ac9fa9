/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * btf.c - libFuzzer harness of BTF: one object, and behind it, if the input goes on, a module's
 * that continues it.
 */
#include <linux/btf.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <dtx/opt.h>

#include "walk.h"

#include "runtime/types/types-private.h"
#include "runtime/kernel/kernel.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static struct btf_obj *object(struct btf_src *src, const char *name, const u8 *data, size_t size,
			      struct btf_obj *base)
{
	struct btf_obj *o = NULL;
	char path[64];
	int fd = memfd_create("btf", MFD_CLOEXEC);

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (write(fd, data, size) == (ssize_t)size)
		o = btf_obj_open(src, name, path, base);
	close(fd);
	return o;
}

static void look(struct arena *a, struct btf_obj *o)
{
	for (u32 id = o->first_id; id < o->end_id && id - o->first_id < 256; id++) {
		const struct btf_type *t = btf_at(o, id);

		walk_type(a, btf_type_of(o, id), 0);
		btf_find(o, btf_str(o, t->name_off), 1u << BTF_INFO_KIND(t->info));
	}
}

/* Bytes of the object at the start of the input, as its header says. */
static size_t first_size(const u8 *data, size_t size)
{
	struct btf_header h;

	if (size < sizeof(h))
		return size;
	memcpy(&h, data, sizeof(h));
	return MIN((u64)size,
		   (u64)h.hdr_len + MAX((u64)h.type_off + h.type_len, (u64)h.str_off + h.str_len));
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	size_t first = first_size(data, size);
	struct dtx_env env;

	walked = 0;
	env_open(&env);
	env.opts->v[OPT_ctfpath].set = true;      /* a source, whatever this machine has */
	struct btf_src *src = btf_src_open(&env);
	struct btf_obj *base = object(src, "vmlinux", data, first, NULL), *module = NULL;

	if (base && first < size)
		module = object(src, "module", data + first, size - first, base);
	if (base)
		look(env.arena, base);
	if (module)
		look(env.arena, module);
	btf_obj_free(module);
	btf_obj_free(base);
	env_close(&env);
	return 0;
}
