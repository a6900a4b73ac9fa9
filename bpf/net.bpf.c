/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * net.bpf.c - byte order of the network, numbers of device files.
 */
#include "dtx.bpf.h"

DTX_FN u16 dtx_htons(struct dtx_mst *m, u16 v)
{
	return __builtin_bswap16(v);
}

DTX_FN u32 dtx_htonl(struct dtx_mst *m, u32 v)
{
	return __builtin_bswap32(v);
}

DTX_FN u64 dtx_htonll(struct dtx_mst *m, u64 v)
{
	return __builtin_bswap64(v);
}

DTX_FN u16 dtx_ntohs(struct dtx_mst *m, u16 v)
{
	return __builtin_bswap16(v);
}

DTX_FN u32 dtx_ntohl(struct dtx_mst *m, u32 v)
{
	return __builtin_bswap32(v);
}

DTX_FN u64 dtx_ntohll(struct dtx_mst *m, u64 v)
{
	return __builtin_bswap64(v);
}

DTX_FN u32 dtx_getmajor(struct dtx_mst *m, u32 dev)
{
	return dev >> 20;
}

DTX_FN u32 dtx_getminor(struct dtx_mst *m, u32 dev)
{
	return dev & 0xfffff;
}

DTX_FN s32 dtx_rand(struct dtx_mst *m)
{
	return bpf_get_prandom_u32();
}
