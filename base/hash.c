/* SPDX-License-Identifier: BSD-2-Clause */
/* hash.c - a number for the bytes of a key, eight of them at a time: names of C++ are long. */
#include <dtx/base.h>

u32 hash_bytes(const void *bytes, size_t n)
{
	const u8 *p = bytes;
	u64 h = 0x9e3779b97f4a7c15ull, w;

	for (; n >= 8; p += 8, n -= 8) {
		memcpy(&w, p, 8);
		h = (h ^ w) * 0xff51afd7ed558ccdull;
		h ^= h >> 32;
	}
	for (; n; p++, n--)
		h = (h ^ *p) * 0x100000001b3ull;
	return (u32)(h ^ h >> 29);
}
