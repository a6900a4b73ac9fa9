/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_image.c - the manifest: what is written is read back the same, and what is
 * damaged is refused with a sentence.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <dtx/image.h>
#include <dtx/kind.h>
#include <dtx/tables/maprole.h>

#include "sample_image.h"

/* In the arena. */
static void *object(struct arena *a, const char *section, const char *text, size_t *len)
{
	void *made = sample_object(section, text, strlen(text), len);
	void *bytes;

	assert_non_null(made);
	bytes = arena_memdup(a, made, *len);
	free(made);
	return bytes;
}

static struct img *read_image(struct arena *a, const void *bytes, size_t len, const char **err)
{
	struct diags d;
	struct img *img;

	diags_init(&d, a);
	img = img_read(a, &d, bytes, len);
	*err = diags_take(&d, NULL);
	return img;
}

static struct img *read_text(struct arena *a, const char *text, const char **err)
{
	size_t len;
	void *bytes = object(a, IMG_SECTION, text, &len);

	return read_image(a, bytes, len, err);
}

/* ---- a small image -------------------------------------------------------------------- */

static struct img *sample(struct arena *a)
{
	static struct img_field keys[] = {
		{ IMG_STR, .off = 0, .size = 16, .is_char = true },
		{ IMG_STACK, .off = 16, .size = 8, .user = true, .depth = 5 },
	};
	static struct img_field fields[] = {
		{ IMG_INT, .off = 16, .size = 4, .is_signed = true, .ctype = "int" },
		{ IMG_STR, .off = 24, .size = 8, .str_max = 257 },
		{ IMG_SYM, .off = 32, .size = 16, .symkind = "func" },
	};
	static struct img_conv convs[] = {
		{ .text = "a\xff\"b\n",
		  .conv = "d",
		  .flags = "-0",
		  .width = 8,
		  .prec = -1,
		  .size = "ll" },
		{ .text = "", .conv = NULL, .width = -1, .prec = -1, .width_arg = true },
	};
	static u32 zero[] = { 0 }, both[] = { 0, 1 };
	static struct img_action actions[] = {
		{ .name = "printf", .fields = fields, .nfields = 3, .convs = convs, .nconvs = 2,
		  .has_format = true },
		{ .name = "printa", .aggs = zero, .naggs = 1, .str = "text", .num = -7,
		  .has_num = true },
	};
	static struct img_site sites[] = {
		{ .clause = 3, .file = "slow.d", .line = 12, .actions = actions, .nactions = 2,
		  .rec_size = 48, .record = true },
		{ .file = "-n", .line = 1, .rec_size = 16, .is_default = true, .record = true },
	};
	static struct img_agg aggs[] = {
		{ .name = "_", .func = "lquantize", .map = "agg_0", .keyed = true, .keys = keys,
		  .nkeys = 2, .key_size = 24, .cpu_off = 24, .cpu_size = 4, .val_size = 96,
		  .val_room = 256, .params = { -10, 90, 10 }, .nparams = 3 },
	};
	static struct img_map maps[] = {
		{ "agg_0", ROLE_agg, 1, 32, 256, 0, 1, "shelf", 3 },
		{ "dtx_ring", ROLE_ring, 27, 0, 0, 4096, 0, NULL, 0 },
		{ "dtx_drops", ROLE_drops, 6, 4, 8 * DTX_DROP_N, 2, 0, NULL, 0 },
		{ "agg_0_r", ROLE_aggreserve, 1, 32, 256, 8, 0, NULL, 0 },
		{ "shelf", ROLE_shelf, 12, 4, 4, 0, 0, NULL, 0 },
	};
	static struct img_prog progs[] = {
		{ "dtx_prog_0", "dtx/0", PK_TESTRUN, IDENT_ONE, zero, 1, 0 },
		{ "dtx_prog_1", "dtx/1", PK_KPROBE_MULTI, IDENT_COOKIE, both, 2, 1 },
	};
	static const char *needs[] = { "ringbuf", "kprobe.multi" };
	static struct img_option options[] = { { "quiet", NULL }, { "bufsize", "1m" } };
	static struct img_desc descs[] = {
		{ .text = "syscall:::entry", .nprobes = 360 }, { .text = "x.d", .is_script = true },
	};
	static struct img_file files[] = { { "/bin/true", 9096, 1700000000000000000 } };
	struct dtx_probe *probes = ARENA_ARRAY(a, struct dtx_probe, 3);

	probes[0] = (struct dtx_probe){
		.provider = provider_by_name("dtrace"), .id = 1, .prov = "dtrace", .mod = "",
		.func = "", .name = "BEGIN", .prog.kind = PK_TESTRUN, .prog.ident = IDENT_ONE,
	};
	probes[1] = (struct dtx_probe){
		.provider = provider_by_name("fbt"), .id = 70001, .prov = "fbt", .mod = "vmlinux",
		.func = "vfs_read", .name = "entry",
		.prog = { .kind = PK_KPROBE_MULTI, .ident = IDENT_COOKIE, .btf_id = 7 },
		.place = { .target = "vfs_read", .off = 0xffffffff81234567, .num = -1, .pid = -1,
			   .user_ctx = true },
	};
	probes[2] = probes[1];           /* said by its difference */
	probes[2].id = 70003;
	probes[2].place.target = NULL;
	probes[2].func = "vfs_write";
	probes[2].place.off = probes[2].place.user_ctx = 0;
	struct img img = {
		.version = IMG_VERSION, .abi = DTX_ABI_VERSION, .strsize = 256,
		.needs = needs, .nneeds = 2, .options = options, .noptions = 2,
		.descs = descs, .ndescs = 2, .probes = probes, .nprobes = 3,
		.progs = progs, .nprogs = 2, .sites = sites, .nsites = 2,
		.aggs = aggs, .naggs = 1, .maps = maps, .nmaps = 5,
		.kernel = "6.1 #1 0", .files = files, .nfiles = 1,
		.begin_prog = 0, .end_prog = -1,
	};
	return arena_memdup(a, &img, sizeof(img));
}

/* ---- tests ---------------------------------------------------------------------------------- */

static void test_round_trip(void **state)
{
	struct arena *a = arena_new();
	const char *err = NULL;
	size_t len, again;

	char *text = img_write(sample(a), a, &len);
	assert_non_null(text);
	assert_int_equal(strlen(text), len);
	struct img *img = read_text(a, text, &err);
	assert_null(err);
	assert_non_null(img);
	assert_string_equal(img_write(img, a, &again), text);

	assert_int_equal(img->nsites, 2);
	const struct img_action *act = &img->sites[0].actions[0];
	assert_string_equal(act->convs[0].text, "a\xff\"b\n");
	assert_int_equal(act->convs[0].prec, -1);
	assert_null(act->convs[1].conv);
	assert_true(act->convs[1].width_arg);
	assert_int_equal(img->sites[0].actions[1].num, -7);
	assert_int_equal(img->aggs[0].params[0], -10);
	assert_int_equal(img->aggs[0].keys[1].depth, 5);
	assert_true(img->probes[1].place.off == 0xffffffff81234567);
	assert_ptr_equal(img->probes[1].provider, provider_by_name("fbt"));
	assert_string_equal(img->probes[2].mod, "vmlinux");
	assert_null(img->probes[2].place.target);
	assert_true(!img->probes[2].place.off && !img->probes[2].place.user_ctx);
	assert_true(img->probes[2].place.num == -1);
	assert_non_null(strstr(
		text,
		"{\"id\":70003,\"func\":\"vfs_write\",\"target\":null,\"off\":0,\"user_ctx\":0}"));
	assert_string_equal(img->probes[0].mod, "");
	assert_null(img->probes[0].prog.hook);
	assert_int_equal(img->end_prog, -1);
	arena_free(a);
}

/* Rows and names of all lengths, in each direction from the one before. */
static struct img *sample_of_many(struct arena *a, u32 n)
{
	struct img *img = sample(a);
	struct dtx_probe *probes = ARENA_ARRAY(a, struct dtx_probe, n);

	for (u32 i = 0; i < n; i++) {
		struct dtx_probe *p = &probes[i];

		*p = img->probes[1 + i % 2];
		p->id += i;
		p->func = i % 7 ? arena_printf(a, "%.*s", (int)(i % 200),
					       arena_printf(a, "%0200u", i * 7919)) : "";
		p->place.off = i % 3 ? i * 0x9e3779b97f4a7c15ull : -1ull;
		p->place.num = i % 5 ? -1 : INT64_MIN;
		p->place.site = i % 11 ? 0 : ~0u;
	}
	img->probes = probes;
	img->nprobes = n;
	return img;
}

static bool same_row(const struct dtx_probe *p, const struct dtx_probe *q)
{
	struct dtx_probe r = *p;

	r.func = q->func;
	return !memcmp(&r, q, sizeof(r)) && !strcmp(p->func, q->func);
}

/* Each row comes back at its address, whichever was asked for before. */
static void test_packed(void **state)
{
	const u32 n = 5003;
	struct arena *a = arena_new();
	const char *err = NULL;
	size_t len;
	struct img *img = read_text(a, img_write(sample_of_many(a, n), a, &len), &err);

	assert_null(err);
	struct dtx_probe *whole = arena_memdup(a, img->probes, n * sizeof(*whole));

	for (u32 i = 0; i < n; i++)
		whole[i].func = arena_strdup(a, whole[i].func);
	img_pack(img);
	assert_non_null(img->packed);
	for (u32 i = 0, at = 0; i < n; i++, at = (at + 2003) % n) {
		assert_true(same_row(img_probe(img, at), &whole[at]));
		assert_int_equal(img_probe_at(img, img_probe(img, at)), at);
	}
	for (u32 i = 0; i < n; i++)
		assert_true(same_row(&img->probes[i], &whole[i]));
	arena_free(a);
}

/* Replace `from` by `to` in the sample's text; the reader must object with `words`. */
static void refuse(const char *from, const char *to, const char *words)
{
	struct arena *a = arena_new();
	const char *err = NULL;
	size_t len;
	char *text = img_write(sample(a), a, &len);
	char *at = strstr(text, from);

	if (!at)
		fail_msg("the sample has no %s", from);
	char *bad = arena_printf(a, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
	assert_null(read_text(a, bad, &err));
	assert_non_null(err);
	if (!strstr(err, words))
		fail_msg("%s -> %s: \"%s\" does not say \"%s\"", from, to, err, words);
	arena_free(a);
}

static void test_damage(void **state)
{
	refuse("{", "", "not JSON");
	refuse("\"version\":3", "\"version\":9", "version 9");
	refuse("\"abi\":5", "\"abi\":9", "compile the program again");
	refuse("\"strsize\":256", "\"strsize\":0", "strsize is out of range");
	refuse("\"probes\":[0,1]", "\"probes\":[0,3]", "progs[1] names probe 3");
	refuse("\"probes\":[0,1]", "\"probes\":[0,-1]", "out of range");
	refuse("\"probes\":[0,1]", "\"probes\":7", "not a list");
	refuse("\"section\":\"dtx/1\"", "\"section\":\"text\"", "section text");
	refuse("\"kind\":\"kprobe.multi\"", "\"kind\":\"warp\"", "\"warp\"");
	refuse("\"provider\":\"fbt\"", "\"provider\":\"xyz\"", "no such provider");
	refuse("\"rec_size\":48", "\"rec_size\":47", "fields[2] lies outside");
	refuse("\"rec_size\":48", "\"rec_size\":99999999", "records of");
	refuse("\"off\":32", "\"off\":4294967290", "outside");
	refuse("\"off\":24", "\"off\":8", "outside");
	refuse("\"size\":4", "\"size\":3", "number of 3 bytes");
	refuse("\"key_size\":24", "\"key_size\":16", "keys[1] lies outside");
	refuse("\"cpu_off\":24", "\"cpu_off\":32", "the CPU at byte 32");
	refuse("\"cpu_size\":4", "\"cpu_size\":2", "2 bytes");
	refuse("\"cpu_off\":24", "\"cpu_off\":0", "the CPU where keys[0] is");
	refuse("\"val_size\":96", "\"val_size\":80", "values of 80 bytes, not of 96");
	refuse("\"key_size\":32", "\"key_size\":24", "does not fit its map agg_0");
	refuse("[-10,90,10]", "[-10,90,0]", "valid constants");
	refuse("[-10,90,10]", "[1,2,3,4,5]", "more than there is room");
	refuse("\"func\":\"lquantize\"", "\"func\":\"median\"", "median()");
	refuse("\"map\":\"agg_0\"", "\"map\":\"agg_9\"", "agg_9");
	refuse("\"aggs\":[0]", "\"aggs\":[1]", "aggregation 1");
	refuse("\"end_prog\":-1", "\"end_prog\":1", "no such program");
	refuse("\"record\":1", "\"record\":2", "out of range");
	refuse("\"name\":\"BEGIN\"", "\"nam\":\"BEGIN\"", "name is missing");
	refuse("\"width\":8", "\"width\":\"8\"", "not a number");
	refuse("\"width\":8", "\"width\":8.0", "not a number");
	refuse("\"width\":8", "\"width\":99999999999999999999", "out of range");
	refuse("\"width\":8", "\"width\":8 8", "not JSON");
	refuse("\"probes\":[0,1]", "\"probes\":[0 1]", "not JSON");
	refuse("\"probes\":[0,1]", "\"probes\":[0,1", "probes[2] is not a number");
	refuse("\"abi\":5", "\"abi\":5,\"x\":[[[{\"y\":tru}]]]", "not JSON");
	refuse("\"name\":\"BEGIN\"", "\"name\":\"BEG\\u0000IN\"", "is not text");
	refuse("\"name\":\"BEGIN\"", "\"name\":{\"bytes\":\"\\u1234\"}", "not a sequence of bytes");
	refuse("\"role\":\"agg\",\"type\":1", "\"role\":\"agg\",\"type\":5", "no agg map is");
	refuse("\"role\":\"drops\",\"type\":6", "\"role\":\"drops\",\"type\":2",
	       "not a map of that kind");
	refuse("\"role\":\"drops\"", "\"role\":\"ring\"", "not a map of that kind");
	refuse("\"role\":\"drops\",\"type\":6,\"key_size\":4",
	       "\"role\":\"drops\",\"type\":6,\"key_size\":8", "no drops map is");
	refuse("\"name\":\"dtx_drops\"", "\"name\":\"dtx_lost\"", "no drops map is");
	refuse("\"role\":\"aggreserve\",\"type\":1,\"key_size\":32",
	       "\"role\":\"aggreserve\",\"type\":1,\"key_size\":8", "does not fit its reserve");
	refuse("\"val_room\":256", "\"val_room\":95", "does not fit its map agg_0");
	refuse("\"role\":\"shelf\",\"type\":12", "\"role\":\"shelf\",\"type\":2",
	       "no shelf map is");
	refuse("{\"path\":\"/bin/true\",", "{", "path is missing");
	refuse("\"kind\":\"testrun\",", "", "kind is missing");
	refuse("\"target\":null", "\"target\":nil", "is not text");
}

/* Other JSON than what is written: order, blanks, unknown members, escapes. */
static void test_other_text(void **state)
{
	static const char text[] =
		" { \"abi\" : 5 , \"new\" : [ 1.5e3 , null , { \"a\" : \"]\\\"\" } ] , \"strsize\" "
		": 7 ,\n\"end_prog\":-1,\"begin_prog\":-1,"
		"\"ksyms\":[{\"name\":\"a\\/\\t\\u00e9\\ud83d\\ude00\","
		"\"module\":{\"bytes\":\"\\u00e9x\"}}],\"version\":3} \n";
	struct arena *a = arena_new();
	const char *err = NULL;
	struct img *img = read_text(a, text, &err);

	if (!img)
		fail_msg("%s", err);
	assert_int_equal(img->strsize, 7);
	assert_string_equal(img->ksyms[0].name, "a/\t\xc3\xa9\xf0\x9f\x98\x80");
	assert_string_equal(img->ksyms[0].module, "\xe9x");
	assert_null(read_text(a, arena_printf(a, "%s]", text), &err));
	assert_non_null(strstr(err, "not JSON, 1 bytes before its end"));
	arena_free(a);
}

static void test_not_an_image(void **state)
{
	struct arena *a = arena_new();
	const char *err = NULL;
	char rubbish[256];
	size_t len;

	for (size_t i = 0; i < sizeof(rubbish); i++)
		rubbish[i] = i * 37;
	assert_null(read_image(a, rubbish, 0, &err));
	assert_non_null(err);
	assert_null(read_image(a, rubbish, sizeof(rubbish), &err));
	assert_non_null(strstr(err, "not an ELF object"));
	void *bytes = object(a, ".other", "{}", &len);
	assert_null(read_image(a, bytes, len, &err));
	assert_non_null(strstr(err, "no section"));
	arena_free(a);
}

/* Cut or flip anything: never a crash (run under the sanitizers). */
static void test_mangled(void **state)
{
	struct arena *a = arena_new();
	const char *err;
	size_t len, tlen;
	char *text = img_write(sample(a), a, &tlen);
	u8 *bytes = object(a, IMG_SECTION, text, &len);

	for (size_t i = 0; i < len; i++) {
		struct arena *b = arena_new();
		u8 *bad = malloc(len);
		memcpy(bad, bytes, len);
		bad[i] ^= 1 << i % 8;
		read_image(b, bad, len, &err);
		free(bad);
		bad = malloc(i + 1);
		memcpy(bad, bytes, i);
		read_image(b, bad, i, &err);
		free(bad);
		arena_free(b);
	}
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_packed),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_other_text),
		cmocka_unit_test(test_not_an_image),
		cmocka_unit_test(test_mangled),
	};
	return cmocka_run_group_tests_name("image", tests, NULL, NULL);
}
