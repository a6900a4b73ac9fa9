/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fleet.c - libFuzzer harness of merging: streams of three hosts, cut anywhere.
 *
 * An input is a sequence of messages: a byte (bits 0, 1: the host, 3: none, a turn; bit 2: it
 * goes; bit 3: the bytes are sent as they are, else as the text of a block), two bytes of
 * length, the bytes.
 */
#include <stdio.h>

#include "runtime/fleet/fleet.h"
#include "runtime/sink/record.h"
#include "tests/fuzz/block.h"

#define HOSTS 3

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* In two pieces. */
static void send(struct fleet *f, u32 host, const struct buf *b)
{
	size_t cut = b->len / 3;

	if (!fleet_bytes(f, host, b->data, cut))
		fleet_bytes(f, host, b->data + cut, b->len - cut);
}

static void message(struct fleet *f, u8 what, const u8 *p, size_t n)
{
	struct buf b = { 0 };
	u32 host = what & 3;

	if (host == HOSTS) {
		fleet_turn(f);
		return;
	}
	buf_add(&b, "", 0);
	if (what & 8)
		buf_add(&b, p, n);
	else
		block_pack(p, n, &b);
	send(f, host, &b);
	if (what & 4)
		fleet_gone(f, host, "it went");
	buf_free(&b);
}

static void run(const u8 *p, size_t size, const char *format)
{
	static const char *const names[HOSTS] = { "a", "b", "c" };
	struct dtx_env env = { 0 };
	struct buf magic = { REC_MAGIC, sizeof(REC_MAGIC) - 1, 0 };
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	struct fleet *f;

	block_env(&env, format);
	f = fleet_new(&env, out);
	for (u32 i = 0; i < HOSTS; i++)
		fleet_host(f, names[i]);
	for (u32 i = 0; i < HOSTS; i++)
		send(f, i, &magic);
	while (size >= 3) {
		size_t n = MIN((size_t)(p[1] | p[2] << 8), size - 3);

		message(f, p[0], p + 3, n);
		p += 3 + n;
		size -= 3 + n;
	}
	fleet_end(f);
	fleet_free(f);
	fclose(out);
	free(text);
	block_env_free(&env);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static const char *const formats[] = { "text", "json" };

	if (size)
		run(data + 1, size - 1, formats[data[0] & 1]);
	return 0;
}
