/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * minidebug.c - the section .gnu_debugdata: symbols of functions that .dynsym does not have, as an
 * ELF object compressed by xz (GDB manual, "Debugging information in a special section").
 */
#include <lzma.h>
#include <stdlib.h>

#include "runtime/code/tables.h"

#define MINI_MOST   (64u << 20)  /* bytes of the object, and of the decoder's memory */

void *minidebug_read(Elf *elf, size_t *len)
{
	Elf_Data *data = elf_section(elf, ".gnu_debugdata", NULL);
	u64 limit = MINI_MOST;
	size_t room = data ? data->d_size * 4 : 0;
	u8 *out = NULL;
	lzma_ret ret = LZMA_BUF_ERROR;

	if (!data || !data->d_buf || !data->d_size)
		return NULL;
	for (; ret == LZMA_BUF_ERROR && room <= MINI_MOST; room *= 2) {
		size_t in = 0;

		out = xrealloc(out, room);
		*len = 0;
		ret = lzma_stream_buffer_decode(&limit, 0, NULL, data->d_buf, &in, data->d_size,
						out, len, room);
	}
	if (ret == LZMA_OK)
		return out;
	free(out);
	return NULL;
}
