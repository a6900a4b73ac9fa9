/* SPDX-License-Identifier: BSD-2-Clause */
/* test_text.c - records made by hand to DTrace's layout: columns, values, dumps, flow, faults. */
#include <errno.h>
#include <unistd.h>

#include <dtx/opt.h>

#include "tests/unit/synth.h"
#include "runtime/read/read-private.h"

static struct dtx_probe probes[] = {
	{ .id = 1, .prov = "dtrace", .mod = "", .func = "", .name = "BEGIN" },
	{ .id = 4711, .prov = "syscall", .mod = "vmlinux", .func = "read", .name = "entry" },
	{ .id = 4712, .prov = "syscall", .mod = "vmlinux", .func = "read", .name = "return" },
	{ .id = 5000, .prov = "fbt", .mod = "vmlinux", .func = "vfs_read", .name = "entry" },
	{ .id = 5001, .prov = "fbt", .mod = "vmlinux", .func = "vfs_read", .name = "return" },
	{ .id = 6000, .prov = "sdt", .mod = "", .func = "f", .name = "carpentry" },
};

/* A record: header, then what the test puts behind it. */
struct record {
	struct dtx_rec rec;
	u8 data[256];
	u32 len;
};

static void put(struct record *r, const void *p, u32 n)
{
	memcpy(r->data + r->len, p, n);
	r->len += n;
}

static void put_string(struct record *r, u32 at, const char *s)
{
	struct dtx_strref ref = { .off = sizeof(r->rec) + r->len, .len = strlen(s) + 1 };

	memcpy(r->data + at, &ref, sizeof(ref));
	put(r, s, ref.len);
}

static int send(struct synth *w, const struct record *r)
{
	return consumer_record(w->con, r, sizeof(r->rec) + r->len);
}

static void open_sites(struct synth *w, struct img_site *sites, u32 n)
{
	synth_open(w);
	w->img.sites = sites;
	w->img.nsites = n;
	w->img.probes = probes;
	w->img.nprobes = ARRAY_SIZE(probes);
	synth_start(w);
}

#define HEAD   "CPU     ID                    FUNCTION:NAME\n"
#define BEGIN  "  0      1                           :BEGIN "

#define SITE(...)  { .actions = (struct img_action[]){ __VA_ARGS__ }, \
	.nactions = sizeof((struct img_action[]){ __VA_ARGS__ }) / sizeof(struct img_action), \
	.rec_size = 16, .record = true }
#define FIELDS(...)  .fields = (struct img_field[]){ __VA_ARGS__ }, \
	.nfields = sizeof((struct img_field[]){ __VA_ARGS__ }) / sizeof(struct img_field)

static void test_trace_ints(void **state)
{
	struct img_site site = SITE({ .name = "trace", FIELDS(
		{ .type = IMG_INT, .off = 16, .size = 8, .is_signed = true },
		{ .type = IMG_INT, .off = 16, .size = 8 },
		{ .type = IMG_INT, .off = 16, .size = 4, .is_signed = true },
		{ .type = IMG_INT, .off = 16, .size = 4 },
		{ .type = IMG_INT, .off = 16, .size = 2, .is_signed = true },
		{ .type = IMG_INT, .off = 16, .size = 2 },
		{ .type = IMG_INT, .off = 16, .size = 1, .is_signed = true },
		{ .type = IMG_INT, .off = 16, .size = 1 },
		{ .type = IMG_INT, .off = 16, .size = 8, .is_signed = true, .is_ptr = true }) });
	struct record r = { .len = 8, .data = { 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff } };
	struct synth w;

	open_sites(&w, &site, 1);
	send(&w, &r);
	synth_expect(&w, HEAD BEGIN
		     "                  -2 18446744073709551614         -2 4294967294    -2 65534"
		     "  -2 254 18446744073709551614\n");
	w.env.opts->v[OPT_quiet].n = 1;
	send(&w, &r);
	synth_expect(&w, "-218446744073709551614-24294967294-265534-225418446744073709551614");
	synth_close(&w);
}

static void test_trace_strings(void **state)
{
	struct img_site site = SITE({ .name = "trace", FIELDS(
		{ .type = IMG_STR, .off = 16, .size = 8 },
		{ .type = IMG_STR, .off = 24, .size = 8 }) });
	struct record r = { .rec = { .probe = 1, .cpu = 2 }, .len = 16 };
	struct synth w;

	put_string(&r, 0, "bash");
	open_sites(&w, &site, 1);
	send(&w, &r);
	synth_expect(&w, HEAD "  2   4711                       read:entry "
		     "  bash                                                                \n");
	w.env.opts->v[OPT_quiet].n = 1;
	send(&w, &r);
	synth_expect(&w, "bash");
	synth_close(&w);
}

static void test_dump(void **state)
{
	struct img_site site = SITE({ .name = "tracemem", FIELDS(
		{ .type = IMG_BYTES, .off = 16, .size = 26 },
		{ .type = IMG_INT, .off = 44, .size = 4, .is_signed = true }) });
	struct record r = { .len = 32 };
	struct synth w;
	s32 n = 100;

	memcpy(r.data, "hello, world\n\0\1\2second line", 26);
	memcpy(r.data + 28, &n, 4);
	open_sites(&w, &site, 1);
	w.env.opts->v[OPT_quiet].n = 1;
	send(&w, &r);
	synth_expect(&w,
"\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n"
"         0: 68 65 6c 6c 6f 2c 20 77 6f 72 6c 64 0a 00 01 02  hello, world....\n"
"        10: 73 65 63 6f 6e 64 20 6c 69 6e                    second lin\n");
	n = 2;
	memcpy(r.data + 28, &n, 4);
	send(&w, &r);
	synth_expect(&w,
"\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n"
"         0: 68 65                                            he\n");
	synth_close(&w);
}

static void test_lines(void **state)
{
	struct img_conv text[] = { { .text = "hi\n" } };
	struct img_site sites[] = {
		SITE({ .name = "printf", .convs = text, .nconvs = 1 }),
		SITE({ .name = "exit", FIELDS({ .type = IMG_INT, .off = 16, .size = 4,
			.is_signed = true }) }),
		{ .is_default = true, .rec_size = 16 },
		SITE({ .name = "commit", .has_num = true, .num = 3 }),
	};
	struct record r = { .len = 4, .data = { 7 } };
	struct synth w;

	sites[3].record = false;
	open_sites(&w, sites, 4);
	for (r.rec.site = 0; r.rec.site < 4; r.rec.site++)
		send(&w, &r);
	synth_expect(&w, HEAD BEGIN "hi\n\n" BEGIN "\n" BEGIN "\n");
	synth_close(&w);
}

static void test_addresses(void **state)
{
	struct img_site site = SITE({ .name = "sym", FIELDS(
		{ .type = IMG_SYM, .off = 16, .size = 16, .symkind = "uaddr", .user = true }) },
		{ .name = "stack", FIELDS(
			{ .type = IMG_STACK, .off = 32, .size = 8, .depth = 20 }) });
	struct record r = { .len = 24, .data = { 0x10 } };
	struct synth w;

	open_sites(&w, &site, 1);
	send(&w, &r);
	synth_expect(&w, HEAD BEGIN "  0x10                                              \n\n");
	synth_close(&w);
}

static void test_flow(void **state)
{
	struct img_site sites[] = { { .is_default = true, .rec_size = 16 },
				    { .is_default = true, .rec_size = 16 } };
	static const struct { u32 probe, site; const char *want; } steps[] = {
		{ 3, 0, "CPU FUNCTION                                 \n"
			"  0  -> vfs_read                              \n" },
		{ 3, 1, "  0   | vfs_read:entry                        \n" },
		{ 1, 0, "  0    => read                                \n" },
		{ 5, 0, "  0     | f:carpentry                         \n" },
		{ 2, 0, "  0    <= read                                \n" },
		{ 4, 0, "  0  <- vfs_read                              \n" },
		{ 4, 0, "  0  <- vfs_read                              \n" },
	};
	struct synth w;

	open_sites(&w, sites, 2);
	w.env.opts->v[OPT_flowindent].n = 1;
	for (u32 i = 0; i < ARRAY_SIZE(steps); i++) {
		struct record r = { .rec = { .probe = steps[i].probe, .site = steps[i].site } };

		send(&w, &r);
		synth_expect(&w, steps[i].want);
	}
	synth_close(&w);
}

/* A record held back prints at commit, with its own probe; a discarded one never. */
static void test_speculation(void **state)
{
	struct img_conv text[] = { { .text = "spec" } };
	struct img_site sites[] = {
		SITE({ .name = "printf", .convs = text, .nconvs = 1 }),
		SITE({ .name = "commit", FIELDS({ .type = IMG_INT, .off = 16, .size = 4 }) }),
		SITE({ .name = "discard", FIELDS({ .type = IMG_INT, .off = 16, .size = 4 }) }),
	};
	struct record held = { .rec = { .probe = 1, .flags = 1 } };
	struct record end = { .rec = { .site = 1 }, .len = 4, .data = { 1 } };
	struct synth w;

	sites[1].record = sites[2].record = false;
	open_sites(&w, sites, 3);
	send(&w, &held);
	send(&w, &held);
	synth_expect(&w, "");
	send(&w, &end);
	synth_expect(&w, HEAD "  0   4711                       read:entry spec\n"
		     "  0   4711                       read:entry spec\n");
	/* The number's next turn. */
	u32 tag = DTX_SPEC_TAG(1, 1);

	held.rec.flags = tag;
	memcpy(end.data, &tag, sizeof(tag));
	send(&w, &held);
	end.rec.site = 2;
	send(&w, &end);
	end.rec.site = 1;
	send(&w, &end);
	synth_expect(&w, "");
	synth_close(&w);
}

/* Statements of a branch that was not taken show nothing. */
static void test_branches(void **state)
{
	struct img_conv a[] = { { .text = "a" } }, b[] = { { .text = "b" } };
	struct img_site site = SITE(
		{ .name = "printf", .convs = a, .nconvs = 1, .ran_off = 16 },
		{ .name = "printf", .convs = b, .nconvs = 1, .ran_off = 17 });
	struct record r = { .len = 8, .data = { 0, 1 } };
	struct synth w;

	open_sites(&w, &site, 1);
	send(&w, &r);
	synth_expect(&w, HEAD BEGIN "b\n");
	synth_close(&w);
}

static struct type_member path_members[] = {
	{ .name = "x", .type = &ty_int }, { .name = "zero", .type = &ty_int, .bit_off = 32 },
	{ .name = "flag", .type = &ty_uint, .bit_off = 64, .bit_size = 3 },
	{ .name = "name", .bit_off = 96 }, { .name = "next", .bit_off = 128 },
	{ .name = "beyond", .type = &ty_long, .bit_off = 192 },
};
static struct type path_type = { .kind = T_STRUCT, .name = "thing", .size = 32,
	.members = path_members, .count = 6 };

static struct type *thing_by_name(struct type_source *s, struct arena *a, enum type_kind what,
				  const char *name)
{
	return what == T_STRUCT && !strcmp(name, "thing") ? &path_type : NULL;
}

static void test_print(void **state)
{
	struct img_site site = SITE({ .name = "print", FIELDS(
		{ .type = IMG_INT, .off = 16, .size = 8, .is_ptr = true },
		{ .type = IMG_BYTES, .off = 24, .size = 24, .ctype = "struct thing" }) });
	struct record r = { .len = 32 };
	struct type_source source = { .name = "test", .by_name = thing_by_name };
	struct synth w;
	s32 x = -5;
	u64 ptr = 0xffff888000001000, addr = 0xabc0;

	memcpy(r.data, &addr, 8);
	memcpy(r.data + 8, &x, 4);
	r.data[8 + 8] = 5;
	memcpy(r.data + 8 + 12, "hi\0x", 4);
	memcpy(r.data + 8 + 16, &ptr, 8);
	open_sites(&w, &site, 1);
	w.env.opts->v[OPT_quiet].n = 1;
	w.env.sources[0] = &source;
	path_members[3].type = type_array(w.env.arena, &ty_char, 4);
	path_members[4].type = type_ptr(w.env.arena, &path_type);
	send(&w, &r);
#define IN  "                                            "
	synth_expect(&w, "0xabc0 = *\n"
		     IN "(struct thing) {\n"
		     IN " .x = (int)-5,\n"
		     IN " .flag = (unsigned int)5,\n"
		     IN " .name = (char [4]) [\n"
		     IN "  (char)'h',\n"
		     IN "  (char)'i',\n"
		     IN " ],\n"
		     IN " .next = (struct thing *)0xffff888000001000,\n"
		     IN " ...\n"
		     IN "}\n");
	synth_close(&w);
}

/* setopt() acts between two outputs of one record. */
static void test_setopt(void **state)
{
	struct img_conv text[] = { { .text = "x" } };
	struct img_site site = SITE({ .name = "printf", .convs = text, .nconvs = 1 },
		{ .name = "setopt", .str = "quiet" },
		{ .name = "printf", .convs = text, .nconvs = 1 });
	struct record r = { .len = 0 };
	struct synth w;

	open_sites(&w, &site, 1);
	send(&w, &r);
	send(&w, &r);
	synth_expect(&w, HEAD BEGIN "xxxx");
	synth_close(&w);
}

static void test_freopen(void **state)
{
	char path[] = "/tmp/dtx-test-XXXXXX", *data;
	struct img_conv name[] = { { .text = path } }, text[] = { { .text = "x" } };
	struct img_site sites[] = {
		SITE({ .name = "printf", .convs = text, .nconvs = 1 },
		     { .name = "freopen", .convs = name, .nconvs = 1 },
		     { .name = "printf", .convs = text, .nconvs = 1 },
		     { .name = "ftruncate" },
		     { .name = "printf", .convs = text, .nconvs = 1 }),
		SITE({ .name = "freopen" }, { .name = "printf", .convs = text, .nconvs = 1 }),
	};
	struct record r = { .len = 0 };
	struct synth w;
	size_t len;
	int fd = mkstemp(path);

	open_sites(&w, sites, 2);
	w.env.opts->v[OPT_quiet].n = 1;
	send(&w, &r);
	r.rec.site = 1;
	send(&w, &r);
	synth_expect(&w, "xx");
	assert_int_equal(file_read(path, &data, &len), 0);
	assert_string_equal(data, "x");
	free(data);
	unlink(path);
	close(fd);
	synth_close(&w);
}

/* What was told, as text; the members of faults are checked as they come. */
static void told(void *arg, const struct dtx_message *m)
{
	if (m->kind == DTX_FAULT) {
		assert_string_equal(m->probe, "fbt:vmlinux:vfs_read:entry");
		assert_int_equal(m->probe_id, 5000);
		assert_int_equal(m->cpu, 1);
		assert_non_null(m->reason);
	}
	message_text(m, arg, false, 160);
}

static char *with_messages(void (*fn)(struct synth *), struct synth *w)
{
	struct buf text = { 0 };

	w->env.diags.fn = told;
	w->env.diags.arg = &text;
	fn(w);
	return text.data;
}

static void send_faults(struct synth *w)
{
	struct dtx_fault_rec f = { .rec = { .site = DTX_SITE_FAULT, .probe = 3, .cpu = 1 },
				   .site = 0,
				   .fault = DTX_FAULT_BADADDR,
				   .value = 0x18,
				   .pc = -1 };

	consumer_record(w->con, &f, sizeof(f));
	f.fault = DTX_FAULT_DIVZERO;
	f.pc = 9;
	consumer_record(w->con, &f, sizeof(f));
	f.fault = DTX_FAULT_BADINDEX;
	f.value = (u64)-1;
	consumer_record(w->con, &f, sizeof(f));
	f.fault = 99;
	f.pc = -1;
	consumer_record(w->con, &f, sizeof(f));
}

static void test_faults(void **state)
{
	struct img_site site = { .clause = 2, .said = "vfs_read:entry", .rec_size = 16 };
	struct synth w;

	open_sites(&w, &site, 1);
	char *text = with_messages(send_faults, &w);

#define WHERE "dtx: error in vfs_read:entry for probe ID 5000 (fbt:vmlinux:vfs_read:entry): "
	assert_string_equal(text,
		WHERE "invalid address (0x18)\n" WHERE "divide-by-zero at BPF pc 9\n"
		WHERE "index out of bounds (-1) at BPF pc 9\n" WHERE "unknown fault\n");
	free(text);
	synth_close(&w);
}

static void send_rubbish(struct synth *w)
{
	struct record r = { .len = 240 };
	u64 seed = 1;

	for (u32 n = 0; n < 20000; n++) {
		for (u32 i = 0; i + 8 <= sizeof(r); i += 8) {
			seed = seed * 6364136223846793005ull + 1442695040888963407ull;
			memcpy((u8 *)&r + i, &seed, 8);
		}
		r.rec.site &= 1;
		r.rec.probe &= 7;
		r.rec.flags &= seed >> 60;
		r.data[2] = r.data[3] = 0;
		consumer_record(w->con, &r, n % 256);
	}
	consumer_drops(w->con, NULL, NULL);
}

/* No record, however wrong, is trusted. */
static void test_rubbish(void **state)
{
	struct img_site sites[] = {
		SITE({ .name = "trace", FIELDS({ .type = IMG_STR, .off = 16, .size = 8 },
					       { .type = IMG_BYTES, .off = 100, .size = 100 }) }),
		SITE({ .name = "commit", FIELDS({ .type = IMG_INT, .off = 16, .size = 1 }) }),
	};
	struct synth w;

	open_sites(&w, sites, 2);
	char *text = with_messages(send_rubbish, &w);

	assert_non_null(strstr(text, "malformed record"));
	free(text);
	synth_close(&w);
}

static void test_write_error(void **state)
{
	struct img_site site = { .is_default = true, .rec_size = 16 };
	struct record r = { .len = 0 };
	struct synth w;
	FILE *full = fopen("/dev/full", "w"), *old;

	if (!full)
		skip();
	open_sites(&w, &site, 1);
	old = w.file;
	w.con->out->file = w.con->first = full;
	assert_int_equal(send(&w, &r), 0);
	consumer_flush(w.con);
	assert_int_equal(consumer_error(w.con), ENOSPC);
	assert_true(send(&w, &r) != 0);
	w.con->out->file = w.con->first = old;
	fclose(full);
	synth_close(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_trace_ints),
		cmocka_unit_test(test_trace_strings),
		cmocka_unit_test(test_dump),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_flow),
		cmocka_unit_test(test_speculation),
		cmocka_unit_test(test_branches),
		cmocka_unit_test(test_print),
		cmocka_unit_test(test_setopt),
		cmocka_unit_test(test_freopen),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_rubbish),
		cmocka_unit_test(test_write_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
