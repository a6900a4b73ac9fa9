/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image.c - libFuzzer harness of the image reader.
 *
 * An input that begins with '{' is a manifest and is put into an ELF object of its own, any other
 * one is the whole object.  With a changed byte the hash refuses it.  What is accepted is looked
 * at as the loader and the consumer do, libbpf's reading of it included.
 */
#include <bpf/libbpf.h>
#include <stdlib.h>

#include "../unit/sample_image.h"
#include "runtime/run/run.h"
#include "runtime/value/value.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	libbpf_set_print(NULL);
	return 0;
}

/* The hash at the end of a file finds a byte that was changed, wherever it is. */
static void check_seal(const u8 *data, size_t size)
{
	struct img_seal seal = img_seal(data, size);
	size_t all = size + sizeof(seal), len = all, at = SELFMAG + seal.hash % (all - SELFMAG);
	u8 *file = xmalloc(all);

	memcpy(file, data, size);
	memcpy(file + size, &seal, sizeof(seal));
	if (img_unseal(file, &len) || len != size)
		__builtin_trap();
	file[at] ^= 1 + seal.hash / all % 255;
	len = all;
	if (!img_unseal(file, &len))
		__builtin_trap();
	free(file);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct arena *a = arena_new();

	if (size >= SELFMAG && !memcmp(data, ELFMAG, SELFMAG))
		check_seal(data, size);
	size_t len = size;
	void *made = NULL;

	elf_version(EV_CURRENT);
	if (size && *data == '{')
		made = sample_object(IMG_SECTION, data, size, &len);
	struct diags diags;

	diags_init(&diags, a);
	struct img *img = img_read(a, &diags, made ? made : data, len);

	if (!img && !diags_take(&diags, NULL))
		__builtin_trap();                /* refused without a reason */
	for (u32 i = 0; img && i < img->naggs; i++)
		if (!agg_ops(img->aggs[i].func))
			__builtin_trap();
	struct bpf_object *obj = img ? bpf_object__open_mem(img->elf, img->elf_len, NULL) : NULL;
	bpf_object__close(obj);
	free(made);
	arena_free(a);
	return 0;
}
