/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * imgelf.c - checks that the object of an image looks like those that dtx makes.  libbpf reads it
 * afterwards and trusts it as the output of a compiler, but an image in a file may come from
 * anybody.
 *
 * Layouts: elf(5); the kernel's Documentation/bpf/btf.rst for .BTF.ext.
 */
#include <gelf.h>
#include <linux/bpf.h>

#include "runtime/image/image-private.h"
#include "runtime/types/types.h"

#define ELF_INSN        8u                       /* bytes of a BPF instruction */
#define ELF_R_64        1 /* R_BPF_64_64: both halves of a 64-bit immediate */
#define ELF_R_32        10                       /* R_BPF_64_32: a call */
#define BTF_EXT_MAGIC   0xeb9f

struct elf_walk {
	struct image_reader *r;
	Elf *elf;
	size_t names;                    /* section of the names of sections */
	size_t nsyms;
	Elf_Data *syms;
	u32 symtab;                      /* its number, 0: none */
	u32 strs_len;                    /* of .BTF */
};

/* Sections of dtx's objects; a name that ends in '*' is a prefix. */
static bool elf_known(const char *name)
{
	static const char *const known[] = {
		"",      "dtx/*",   ".text",     ".maps",     ".rodata*",      ".data*",
		".bss*", "license", IMG_SECTION, IMG_SCRIPT, ".BTF",     ".BTF.ext",   ".debug_*",
		".rel*", ".symtab", ".strtab",   ".shstrtab", ".llvm_addrsig", ".eh_frame",
	};

	for (u32 i = 0; i < ARRAY_SIZE(known); i++) {
		size_t n = strcspn(known[i], "*");

		if (!strncmp(known[i], name, n) && (known[i][n] || !name[n]))
			return true;
	}
	return false;
}

static bool elf_is_code(const GElf_Shdr *sh)
{
	return sh->sh_type == SHT_PROGBITS && sh->sh_flags & SHF_EXECINSTR;
}

static bool elf_calls(const Elf_Data *code, const u32 *helpers, u32 n)
{
	for (size_t at = 0; at + ELF_INSN <= code->d_size; at += ELF_INSN) {
		struct bpf_insn in;

		memcpy(&in, (const u8 *)code->d_buf + at, sizeof(in));
		if (in.code != (BPF_JMP | BPF_CALL))
			continue;
		if (in.src_reg == BPF_PSEUDO_KFUNC_CALL)
			return true;
		for (u32 i = 0; i < n && !in.src_reg; i++)
			if ((u32)in.imm == helpers[i])
				return true;
	}
	return false;
}

bool img_calls(const struct img *img, const u32 *helpers, u32 n)
{
	Elf *elf = elf_memory((char *)img->elf, img->elf_len);
	Elf_Scn *scn = NULL;
	bool found = false;
	GElf_Shdr sh;

	while (elf && !found && (scn = elf_nextscn(elf, scn))) {
		Elf_Data *code = gelf_getshdr(scn, &sh) && elf_is_code(&sh) ?
				 elf_rawdata(scn, NULL) : NULL;

		found = code && code->d_buf && elf_calls(code, helpers, n);
	}
	elf_end(elf);
	return found || !elf;
}

static const char *elf_name(const struct elf_walk *w, const GElf_Shdr *sh)
{
	const char *name = elf_strptr(w->elf, w->names, sh->sh_name);

	return name ? name : "?";
}

static Elf_Scn *elf_at(const struct elf_walk *w, size_t index, GElf_Shdr *sh)
{
	Elf_Scn *scn = index ? elf_getscn(w->elf, index) : NULL;

	return scn && gelf_getshdr(scn, sh) ? scn : NULL;
}

/* The bytes of the section; NULL: not all are in the file. */
static Elf_Data *elf_bytes(Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf_Data *d = elf_rawdata(scn, NULL);

	return d && d->d_size == sh->sh_size && (d->d_buf || !d->d_size) ? d : NULL;
}

static bool elf_check_section(struct elf_walk *w, Elf_Scn *scn, const GElf_Shdr *sh)
{
	const char *name = elf_name(w, sh);

	if (!elf_known(name))
		return image_bad(w->r, "the image has a section %s, which dtx does not know", name);
	if (sh->sh_flags & SHF_COMPRESSED || sh->sh_type == SHT_RELA ||
	    (sh->sh_type == SHT_NOBITS && strncmp(name, ".bss", 4)))
		return image_bad(w->r, "the image's section %s is not as dtx writes it", name);
	if (sh->sh_type != SHT_NOBITS && !elf_bytes(scn, sh))
		return image_bad(w->r, "the image's section %s is cut short", name);
	if (elf_is_code(sh) && sh->sh_size % ELF_INSN)
		return image_bad(w->r, "the image's section %s holds no whole instructions", name);
	if (sh->sh_type != SHT_SYMTAB)
		return true;
	w->syms = elf_bytes(scn, sh);
	w->nsyms = sh->sh_size / sizeof(Elf64_Sym);
	if (w->symtab || sh->sh_entsize != sizeof(Elf64_Sym) || sh->sh_size % sizeof(Elf64_Sym))
		return image_bad(w->r, "the image's table of symbols is not as dtx writes it");
	w->symtab = elf_ndxscn(scn);
	return true;
}

/* Functions and data must lie inside the section they name. */
static bool elf_check_symbol(struct elf_walk *w, size_t index, u32 strings)
{
	Elf64_Sym sym;
	GElf_Shdr sh;

	memcpy(&sym, (const u8 *)w->syms->d_buf + index * sizeof(sym), sizeof(sym));
	if (!elf_strptr(w->elf, strings, sym.st_name))
		return image_bad(w->r, "the image's symbol %zu has no name", index);
	if (!index || ELF64_ST_TYPE(sym.st_info) == STT_FILE)
		return true;
	if (!elf_at(w, sym.st_shndx, &sh) || sym.st_shndx >= SHN_LORESERVE ||
	    sym.st_value > sh.sh_size || sym.st_size > sh.sh_size - sym.st_value)
		return image_bad(w->r, "the image's symbol %zu lies outside of its section", index);
	if (ELF64_ST_TYPE(sym.st_info) == STT_FUNC &&
	    (!elf_is_code(&sh) || !sym.st_size || (sym.st_value | sym.st_size) % ELF_INSN))
		return image_bad(w->r, "the image's symbol %zu is not a function", index);
	return true;
}

static bool elf_check_relocation(struct elf_walk *w, const Elf64_Rel *rel, const GElf_Shdr *code)
{
	u32 type = ELF64_R_TYPE(rel->r_info), size = type == ELF_R_64 ? 2 * ELF_INSN : ELF_INSN;

	return (type == ELF_R_64 || type == ELF_R_32) && rel->r_offset % ELF_INSN == 0 &&
	       code->sh_size >= size && rel->r_offset <= code->sh_size - size &&
	       ELF64_R_SYM(rel->r_info) && ELF64_R_SYM(rel->r_info) < w->nsyms;
}

static bool elf_check_relocations(struct elf_walk *w, Elf_Scn *scn, const GElf_Shdr *sh)
{
	GElf_Shdr target;
	Elf_Data *d = elf_bytes(scn, sh);

	if (!elf_at(w, sh->sh_info, &target) || sh->sh_link != w->symtab ||
	    sh->sh_entsize != sizeof(Elf64_Rel) || sh->sh_size % sizeof(Elf64_Rel))
		return image_bad(w->r, "the image's relocations %s refer to no section",
				 elf_name(w, sh));
	if (!elf_is_code(&target)) {
		const char *name = elf_name(w, &target);

		return !strncmp(name, ".debug_", 7) || !strncmp(name, ".BTF", 4) ||
		       !strcmp(name, ".eh_frame") ||
		       image_bad(w->r, "the image has relocations of its section %s", name);
	}
	for (size_t i = 0; i < sh->sh_size / sizeof(Elf64_Rel); i++) {
		Elf64_Rel rel;

		memcpy(&rel, (const u8 *)d->d_buf + i * sizeof(rel), sizeof(rel));
		if (!elf_check_relocation(w, &rel, &target))
			return image_bad(w->r, "the image's relocation %zu of %s does not refer "
					       "to an instruction", i, elf_name(w, &target));
	}
	return true;
}

/* ---- .BTF.ext: which line an instruction is of -------------------------------------------- */

/* The part of `len` bytes: the size of its records, then sections: name, count, records. */
static bool elf_check_infos(struct elf_walk *w, const u8 *at, u32 len, u32 least)
{
	u32 size, head[2];

	if (len < sizeof(size))
		return !len;
	memcpy(&size, at, sizeof(size));
	if (size < least || size % 4 || size > 64)
		return false;
	for (at += sizeof(size), len -= sizeof(size); len; ) {
		if (len < sizeof(head))
			return false;
		memcpy(head, at, sizeof(head));
		len -= sizeof(head);
		if (head[0] >= w->strs_len || !head[1] || head[1] > len / size)
			return false;
		at += sizeof(head) + head[1] * size;
		len -= head[1] * size;
	}
	return true;
}

static bool elf_check_ext(struct elf_walk *w, const Elf_Data *d)
{
	struct {
		u16 magic;
		u8 version, flags;
		u32 hdr_len, func_off, func_len, line_off, line_len, core_off, core_len;
	} h = { 0 };
	const u8 *at = d->d_buf;

	if (d->d_size < 24 || d->d_size > UINT32_MAX)
		return image_bad(w->r, "the image's .BTF.ext is cut short");
	memcpy(&h, at, MIN(sizeof(h), d->d_size));
	if (h.magic != BTF_EXT_MAGIC || h.version != 1 || h.hdr_len < 24 || h.hdr_len > d->d_size ||
	    h.hdr_len % 4)
		return image_bad(w->r, "the image's .BTF.ext has no header");
	if (h.hdr_len >= sizeof(h) && h.core_len)
		return image_bad(w->r,
				 "the image's .BTF.ext moves members, which no image of dtx does");
	u64 left = d->d_size - h.hdr_len;
	if ((u64)h.func_off + h.func_len > left || (u64)h.line_off + h.line_len > left ||
	    (h.func_off | h.line_off) % 4)
		return image_bad(w->r, "the image's .BTF.ext is cut short");
	at += h.hdr_len;
	return (elf_check_infos(w, at + h.func_off, h.func_len, 8) &&
		elf_check_infos(w, at + h.line_off, h.line_len, 16)) ||
	       image_bad(w->r, "the image's .BTF.ext is damaged");
}

static bool elf_check_types(struct elf_walk *w, Elf_Scn *types, Elf_Scn *ext)
{
	Elf_Data *d = types ? elf_rawdata(types, NULL) : NULL;
	const char *why = d ? btf_check(d->d_buf, d->d_size) : NULL;

	if (why)
		return image_bad(w->r, "the image's .BTF is damaged: %s", why);
	if (d)
		memcpy(&w->strs_len, (const u8 *)d->d_buf + 20,
		       sizeof(w->strs_len)); /* btf_header.str_len */
	return !ext || elf_check_ext(w, elf_rawdata(ext, NULL));
}

bool image_check_object(struct image_reader *r, Elf *elf)
{
	struct elf_walk w = { .r = r, .elf = elf };
	Elf_Scn *scn = NULL, *types = NULL, *ext = NULL;
	GElf_Shdr sh;
	GElf_Ehdr eh;

	if (gelf_getehdr(elf, &eh) && eh.e_ident[EI_DATA] == ELFDATA2MSB)
		return image_bad(r, "the image is of a machine with the other order of bytes "
				 "(big-endian)");
	if (!gelf_getehdr(elf, &eh) || eh.e_ident[EI_CLASS] != ELFCLASS64 ||
	    eh.e_ident[EI_DATA] != ELFDATA2LSB || eh.e_type != ET_REL || eh.e_machine != EM_BPF ||
	    elf_getshdrstrndx(elf, &w.names))
		return image_bad(r, "this is not an image: it is not an object with BPF code");
	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &sh) || !elf_check_section(&w, scn, &sh))
			return image_bad(r, "the image has a section without a header");
		if (!strcmp(elf_name(&w, &sh), ".BTF"))
			types = scn;
		if (!strcmp(elf_name(&w, &sh), ".BTF.ext"))
			ext = scn;
	}
	if (w.symtab && !elf_at(&w, w.symtab, &sh))
		return false;
	for (size_t i = 0; i < w.nsyms; i++)
		if (!elf_check_symbol(&w, i, sh.sh_link))
			return false;
	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_REL &&
		    !elf_check_relocations(&w, scn, &sh))
			return false;
	return elf_check_types(&w, types, ext);
}
