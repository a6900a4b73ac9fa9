/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image.c - libFuzzer harness of the image reader.
 *
 * An input that begins with '{' is a manifest and is put into an ELF object of its own, any other one is the
 * whole object.  What is accepted is looked at as the loader and the consumer do.
 */
#include <fcntl.h>
#include <gelf.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static const char names[] = "\0" IMG_SECTION "\0.shstrtab";

static void section(Elf *e, u32 name, const void *data, size_t len, u32 type)
{
	Elf_Scn *scn = elf_newscn(e);
	Elf_Data *d = elf_newdata(scn);
	GElf_Shdr sh;

	d->d_buf = (void *)data;
	d->d_size = len;
	d->d_align = 1;
	d->d_type = ELF_T_BYTE;
	gelf_getshdr(scn, &sh);
	sh.sh_name = name;
	sh.sh_type = type;
	gelf_update_shdr(scn, &sh);
}

/* An object around the manifest: its bytes, mapped. */
static void *wrap(const u8 *text, size_t size, size_t *len)
{
	int fd = memfd_create("image", MFD_CLOEXEC);
	Elf *e = elf_begin(fd, ELF_C_WRITE, NULL);
	GElf_Ehdr eh;

	gelf_newehdr(e, ELFCLASS64);
	gelf_getehdr(e, &eh);
	eh.e_type = ET_REL;
	eh.e_machine = EM_BPF;
	eh.e_ident[EI_DATA] = ELFDATA2LSB;
	eh.e_version = EV_CURRENT;
	eh.e_shstrndx = 2;
	gelf_update_ehdr(e, &eh);
	section(e, 1, text, size, SHT_PROGBITS);
	section(e, sizeof(IMG_SECTION) + 1, names, sizeof(names), SHT_STRTAB);
	elf_update(e, ELF_C_WRITE);
	elf_end(e);
	*len = lseek(fd, 0, SEEK_END);
	void *at = mmap(NULL, *len, PROT_READ, MAP_PRIVATE, fd, 0);

	close(fd);
	return at == MAP_FAILED ? NULL : at;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct arena *a = arena_new();
	const char *err = NULL;
	size_t len = size;
	void *made = NULL;

	elf_version(EV_CURRENT);
	if (size && *data == '{')
		made = wrap(data, size, &len);
	struct img *img = img_read(a, made ? made : data, len, &err);

	if (!img && !err)
		__builtin_trap();                /* refused without a reason */
	for (u32 i = 0; img && i < img->naggs; i++)
		if (!agg_ops(img->aggs[i].func))
			__builtin_trap();
	if (made)
		munmap(made, len);
	arena_free(a);
	return 0;
}
