/* SPDX-License-Identifier: BSD-2-Clause */
/* test_base.c - arena, buffer, map, glob, files, diagnostics, options, basic types. */
#include <errno.h>
#include <inttypes.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include <dtx/env.h>
#include <dtx/opt.h>
#include <dtx/tag.h>

static int next_number(void)
{
	static int n;

	return ++n;
}

static void test_min_max(void **state)
{
	(void)state;
	assert_int_equal(MIN(next_number(), 9), 1);
	assert_int_equal(MAX(0, next_number()), 2);
	assert_int_equal(MAX(MIN(next_number(), next_number()), MIN(7, next_number())), 5);
	assert_int_equal(next_number(), 6);
}

static void test_arena(void **state)
{
	struct arena *a = arena_new();
	char *big;

	(void)state;
	for (size_t n = 0; n < 3000; n++) {
		char *p = arena_alloc(a, n);

		assert_int_equal((uintptr_t)p % 16, 0);
		for (size_t i = 0; i < n; i++)
			assert_int_equal(p[i], 0);
		memset(p, 0xff, n);
	}
	big = arena_alloc(a, 1 << 20);
	assert_int_equal(big[(1 << 20) - 1], 0);
	assert_string_equal(arena_strndup(a, "abcdef", 3), "abc");
	assert_string_equal(arena_printf(a, "%d-%s", 7, "x"), "7-x");
	assert_true(arena_size(a) > 1 << 20);
	struct arena *within = arena_within(a);
	memset(arena_alloc(within, 100000), 1, 100000);
	arena_within(within);
	arena_clear(within);
	assert_int_equal(arena_size(within), 0);
	big = arena_alloc(within, 100000);
	assert_int_equal(big[0] | big[99999], 0);
	arena_within(a);
	arena_free(a);                   /* and the others, which the sanitizer sees */
	arena_free(NULL);
}

static void test_buf(void **state)
{
	struct buf b = { 0 };

	(void)state;
	buf_puts(&b, "");
	assert_string_equal(b.data, "");
	for (int i = 0; i < 1000; i++)
		buf_printf(&b, "%d,", i);
	assert_int_equal(b.len, strlen(b.data));
	assert_memory_equal(b.data + b.len - 4, "999,", 4);
	buf_reset(&b);
	buf_pad(&b, '-', 3);
	buf_pad(&b, '-', -3);
	buf_putc(&b, '>');
	assert_string_equal(b.data, "--->");
	buf_free(&b);
}

static void check_decimal(u64 n)
{
	char text[32], got[DECIMAL_MOST + 1];

	snprintf(text, sizeof(text), "%" PRIu64, n);
	*decimal(n, got) = '\0';
	assert_string_equal(got, text);
	snprintf(text, sizeof(text), "%08u", (u32)(n % 100000000));
	decimal_eight(n % 100000000, got);
	assert_memory_equal(got, text, 8);
}

/* Each group of four digits, and numbers of each length. */
static void test_decimal(void **state)
{
	struct buf b = { 0 };

	for (u64 n = 0; n < 10000; n++) {
		check_decimal(n);
		check_decimal(n * 10000 + 1);
		check_decimal(n * 1000000000000 + 9999 - n);
	}
	for (u64 n = 1; n < UINT64_MAX / 10; n *= 10) {
		check_decimal(n - 1);
		check_decimal(n);
		check_decimal(n * 9 + n / 3);
	}
	check_decimal(UINT64_MAX);
	buf_num(&b, INT64_MIN);
	buf_num(&b, -1);
	assert_string_equal(b.data, "-9223372036854775808-1");
	buf_free(&b);
}

/* Each byte at each place of a text. */
static void test_json_plain(void **state)
{
	(void)state;
	for (u32 c = 0; c < 256; c++)
		for (u32 at = 0; at < 20; at++) {
			char text[20];
			bool plain = c >= ' ' && c < 0x80 && c != '"' && c != '\\';

			memset(text, '!', sizeof(text));
			text[at] = c;
			assert_int_equal(json_plain(text, sizeof(text)), plain ? sizeof(text) : at);
		}
	assert_int_equal(json_plain("abc\"", 3), 3);
}

/* numbered N: a pointer that is not NULL, another for each N. */
static void *numbered(int n)
{
	return (void *)(uintptr_t)(n + 1);
}

static int count_entry(const char *key, void *value, void *arg)
{
	int *n = arg;

	assert_int_equal(atoi(key), *n);
	assert_ptr_equal(value, numbered(*n));
	return ++*n == 900;
}

static void test_map(void **state)
{
	struct map *m = map_new();
	char key[16];
	int n = 0;

	(void)state;
	assert_null(map_get(m, "0"));
	for (int i = 0; i < 1000; i++) {
		snprintf(key, sizeof(key), "%d", i);
		map_set(m, key, NULL);
		map_set(m, key, numbered(i));
	}
	assert_int_equal(map_count(m), 1000);
	assert_ptr_equal(map_get(m, "77"), numbered(77));
	assert_null(map_get(m, "1000"));
	assert_int_equal(map_each(m, count_entry, &n), 1);
	assert_int_equal(n, 900);
	map_free(m);
}

static void test_glob(void **state)
{
	static const struct { const char *pattern, *text; bool match; } rows[] = {
		{ "", "anything", true },     { "", "", true },
		{ "read", "read", true },     { "read", "reads", false },
		{ "*", "", true },            { "r*d", "read", true },
		{ "r*d", "rd", true },        { "r*d", "reads", false },
		{ "*a*b*", "xxaxxbxx", true }, { "*a*b*", "xxbxxaxx", false },
		{ "r?ad", "read", true },     { "r?ad", "rad", false },
		{ "[a-c]x", "bx", true },     { "[a-c]x", "dx", false },
		{ "[!a-c]x", "dx", true },    { "[!a-c]x", "ax", false },
		{ "[]x]", "]", true },        { "[ab", "a", false },
		{ "[a-]", "-", true },        { "\\*", "*", true },
		{ "\\*", "x", false },        { "vfs_[rw]*", "vfs_write", true },
		{ "a\\[b", "a[b", true },     { "**", "x", true },
		{ "*a*a*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false },
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		if (glob_matches(rows[i].pattern, rows[i].text) != rows[i].match)
			fail_msg("'%s' against '%s'", rows[i].pattern, rows[i].text);
	}
	assert_true(glob_is_pattern("") && glob_is_pattern("a*") && glob_is_pattern("\\a"));
	assert_false(glob_is_pattern("read"));
}

static void test_edit_distance(void **state)
{
	(void)state;
	assert_int_equal(edit_distance("read", "read", 3), 0);
	assert_int_equal(edit_distance("execnmae", "execname", 3), 1);
	assert_int_equal(edit_distance("f_pathh", "f_path", 3), 1);
	assert_int_equal(edit_distance("Begin", "BEGIN", 1), 1);
	assert_int_equal(edit_distance("", "abc", 3), 3);
	assert_int_equal(edit_distance("kitten", "sitting", 5), 3);
	assert_int_equal(edit_distance("kitten", "sitting", 2), 3);
	assert_int_equal(edit_distance("a", "abcdefgh", 2), 3);
}

static void test_file(void **state)
{
	char *data;
	size_t len;
	int fd[2];

	(void)state;
	assert_int_equal(file_read("/proc/self/maps", &data, &len), 0);
	assert_int_equal(strlen(data), len);
	assert_non_null(strstr(data, "[stack]"));
	free(data);
	assert_int_equal(file_read("/nonexistent", &data, &len), -ENOENT);
	assert_int_equal(pipe(fd), 0);
	assert_int_equal(write(fd[1], "a\0b", 3), 3);
	close(fd[1]);
	assert_int_equal(file_read_fd(fd[0], &data, &len), 0);
	close(fd[0]);
	assert_int_equal(len, 3);
	assert_memory_equal(data, "a\0b", 4);
	free(data);
}

/* ---- diagnostics ------------------------------------------------------------------- */

static struct range find(const struct source *s, const char *text)
{
	const char *p = memmem(s->text, s->len, text, strlen(text));
	struct range r = { s, (u32)(p - s->text), (u32)(p - s->text + strlen(text)) };

	return r;
}

static void append(void *arg, const struct dtx_message *m)
{
	char *text = dtx_message_text(m, false);

	buf_puts(arg, text);
	free(text);
}

/* For a terminal of 40 columns. */
static void append_narrow(void *arg, const struct dtx_message *m)
{
	char *text = dtx_message_within(m, false, 40);

	buf_puts(arg, text);
	free(text);
}

static void append_colours(void *arg, const struct dtx_message *m)
{
	message_text(m, arg, true, 160);
}

static void render(struct diags *d, struct buf *out, bool colour)
{
	d->fn = colour ? append_colours : append;
	d->arg = out;
	diags_tell(d);
}

static const char script[] = "fbt::vfs_read:entry\n{\n\ttrace(args[0]->f_pathh);\n}\n";

static void test_diag_text(void **state)
{
	struct arena *a = arena_new();
	struct source *s = source_open(a, "slow.d", script, sizeof(script) - 1, true);
	struct diags d;
	struct diag *e;
	struct buf out = { 0 };

	(void)state;
	diags_init(&d, a);
	e = diag_error(&d, D_TYPE_MEMBER, find(s, "f_pathh"), "'struct file' has no member '%s'",
		       "f_pathh");
	diag_fixit(&d, e, "f_path");
	diag_note(&d, e, find(s, "fbt"), "args[0] is 'struct file *'");
	diag_hint(&d, e, "list them with dtx -lv");
	diag_warn(&d, DIAG_NONE, (struct range){ 0 }, "no place");
	render(&d, &out, false);
	assert_string_equal(out.data,
		"slow.d:3:17: error: 'struct file' has no member 'f_pathh' [D_TYPE_MEMBER]\n"
		"    3 | \ttrace(args[0]->f_pathh);\n"
		"      | \t               ^~~~~~~\n"
		"      | \t               f_path\n"
		"slow.d:1:1: note: args[0] is 'struct file *'\n"
		"      = help: list them with dtx -lv\n"
		"dtx: warning: no place\n");
	assert_int_equal(d.nerrors, 1);
	assert_int_equal(d.nwarnings, 1);
	buf_free(&out);
	arena_free(a);
}

static const char *render_for(dtx_message_fn *fn, struct arena *a, const char *text, u32 len,
			      u32 from, u32 to)
{
	struct source *s = source_open(a, "-n", text, len, false);
	struct diags d;
	struct buf out = { 0 };
	const char *copy;

	diags_init(&d, a);
	diag_error(&d, D_SYNTAX, (struct range){ s, from, to }, "x");
	d.fn = fn;
	d.arg = &out;
	diags_tell(&d);
	copy = arena_strdup(a, out.data);
	buf_free(&out);
	return copy;
}

static const char *render_at(struct arena *a, const char *text, u32 len, u32 from, u32 to)
{
	return render_for(append, a, text, len, from, to);
}

/* Ends of texts, ranges over lines, bytes no terminal shows, long lines. */
static void test_diag_edges(void **state)
{
	struct arena *a = arena_new();
	char line[1001];

	(void)state;
	assert_string_equal(render_at(a, "", 0, 0, 0), "-n:1:1: error: x [D_SYNTAX]\n"
			    "    1 | \n      | ^\n");
	assert_string_equal(render_at(a, "ab\ncd", 5, 1, 5), "-n:1:2: error: x [D_SYNTAX]\n"
			    "    1 | ab\n      |  ^\n");
	assert_string_equal(render_at(a, "a\1\xff\xc3\xa9z", 6, 2, 6),
			    "-n:1:3: error: x [D_SYNTAX]\n"
			    "    1 | a\\x01\\xff\xc3\xa9z\n      |      ^~~~~~\n");
	memset(line, 'x', sizeof(line));
	memcpy(line + 500, "HERE", 4);
	assert_non_null(strstr(render_at(a, line, 1000, 500, 504), "xHEREx"));
	assert_true(strlen(render_at(a, line, 1000, 500, 504)) < 320);
	assert_true(strlen(render_at(a, line, 1000, 1000, 1000)) < 420);
	assert_true(strlen(render_at(a, line, 1000, 0, 1000)) < 420);
	assert_string_equal(render_for(append_narrow, a, line, 1000, 500, 504),
			    "-n:1:501: error: x [D_SYNTAX]\n"
			    "    1 | ...xxxxxxxxxHERExxxxxxxxxxxx...\n"
			    "      |             ^~~~\n");
	memset(line, '\t', 498);
	assert_string_equal(render_for(append_narrow, a, line, 1000, 500, 504),
			    "-n:1:501: error: x [D_SYNTAX]\n"
			    "    1 | ...xxHERExxxxxxxxxxxxxxxxxxx...\n"
			    "      |      ^~~~\n");
	for (int i = 0; i < 1000; i++)
		line[i] = (char)(i * 7);
	for (u32 i = 0; i <= 1000; i += 3)
		render_at(a, line, 1000, i, MIN(i + 40, 1000));
	arena_free(a);
}

static void test_diag_limit(void **state)
{
	struct arena *a = arena_new();
	struct buf out = { 0 };
	struct diags d;

	(void)state;
	diags_init(&d, a);
	for (int i = 0; i < 30; i++)
		diag_note(&d, diag_error(&d, DIAG_NONE, (struct range){ 0 }, "e%d", i),
			  (struct range){ 0 }, "n");
	render(&d, &out, true);
	assert_int_equal(d.nerrors, 30);
	assert_non_null(strstr(out.data, "e19"));
	assert_null(strstr(out.data, "e20"));
	assert_non_null(strstr(out.data, "10 more errors"));
	buf_free(&out);
	arena_free(a);
}

/* ---- options -------------------------------------------------------------------------- */

static void test_options(void **state)
{
	static const struct { const char *name, *value; int err; s64 n; } rows[] = {
		{ "quiet", NULL, 0, 1 },          { "quiet", "off", 0, 0 },
		{ "quiet", "YES", 0, 1 },         { "quiet", "", 0, 0 },
		{ "quiet", "0", 0, 1 },           { "quiet", "maybe", -EINVAL, 0 },
		{ "bufsize", "16k", 0, 16384 },   { "bufsize", "2M", 0, 2 << 20 },
		{ "bufsize", "0x10", 0, 16 },     { "bufsize", "1kk", -EINVAL, 0 },
		{ "bufsize", NULL, -EINVAL, 0 },  { "bufsize", "-1", -EINVAL, 0 },
		{ "bufsize", "9999999t", -EINVAL, 0 },
		{ "switchrate", "10hz", 0, 100000000 }, { "switchrate", "5", 0, 5 },
		{ "switchrate", "250MS", 0, 250000000 }, { "switchrate", "2min", 0, 120000000000 },
		{ "switchrate", "2parsecs", -EINVAL, 0 },
		{ "stackframes", "5", 0, 5 },     { "stackframes", "5x", -EINVAL, 0 },
		{ "cpu", "all", 0, -1 },          { "cpu", "1", 0, 1 },
		{ "lockmem", "unlimited", 0, INT64_MAX }, { "pcapsize", "1514", 0, 1520 },
		{ "lockmem", "UNLIMITED", 0, INT64_MAX }, { "cpu", "every", -EINVAL, 0 },
		{ "maxoverhead", "2.5%", 0, 250 }, { "maxoverhead", "5", 0, 500 },
		{ "maxoverhead", "0", -EINVAL, 0 }, { "maxoverhead", "100.1%", -EINVAL, 0 },
		{ "bufpolicy", "ring", 0, 1 },    { "bufpolicy", "rin", -EINVAL, 0 },
		{ "strsize", "0", -EINVAL, 0 },   { "nosuch", "1", -ENOENT, 0 },
	};
	struct arena *a = arena_new();
	const char *near = NULL;
	struct options *o;

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		o = options_new(a);
		if (options_set(o, a, rows[i].name, rows[i].value, &near) != rows[i].err)
			fail_msg("%s=%s: result", rows[i].name, rows[i].value);
		for (u32 k = 0; !rows[i].err && k < OPT_N; k++) {
			if (!strcmp(opt_rows[k].name, rows[i].name))
				assert_int_equal(o->v[k].n, rows[i].n);
		}
	}
	assert_int_equal(options_set(o, a, "bufsiz", "1", &near), -ENOENT);
	assert_string_equal(near, "bufsize");
	arena_free(a);
}

static void test_option_defaults(void **state)
{
	struct arena *a = arena_new();
	struct options *o;

	(void)state;
	o = options_new(a);
	assert_int_equal(o->v[OPT_aggsize].n, 4 << 20);
	assert_int_equal(o->v[OPT_strsize].n, 256);
	assert_int_equal(o->v[OPT_statusrate].n, 1000000000);
	assert_int_equal(o->v[OPT_cpu].n, -1);
	assert_string_equal(o->v[OPT_bufpolicy].s, "switch");
	assert_string_equal(o->v[OPT_libdir].s, "");
	for (u32 i = 0; i < OPT_N; i++)
		assert_false(o->v[i].set);
	options_set(o, a, "define", "A=1", NULL);
	options_set(o, a, "define", "B", NULL);
	assert_string_equal(o->v[OPT_define].s, "A=1\nB");
	options_set(o, a, "unodefs", NULL, NULL);
	assert_int_equal(o->v[OPT_udefs].n, 0);
	arena_free(a);
}

/* ---- types ------------------------------------------------------------------------------ */

static void test_type_text(void **state)
{
	struct arena *a = arena_new();
	struct type_member params[] = { { .type = &ty_int }, { .type = type_ptr(a, &ty_char) } };
	struct type file = { .kind = T_STRUCT, .name = "file", .size = 8 };
	struct type fn = { .kind = T_FUNC, .to = &ty_void, .params = params, .count = 2 };

	(void)state;
	fn.variadic = true;
	assert_string_equal(type_name(a, &ty_ulong), "unsigned long");
	assert_string_equal(type_name(a, type_ptr(a, &file)), "struct file *");
	assert_string_equal(type_name(a, type_array(a, &ty_char, 16)), "char [16]");
	assert_string_equal(type_name(a, type_ptr(a, type_ptr(a, &ty_void))), "void **");
	assert_string_equal(type_name(a, type_ptr(a, &fn)), "void (*)(int, char *, ...)");
	assert_string_equal(type_name(a, type_ptr(a, type_array(a, &ty_int, 4))), "int (*)[4]");
	assert_string_equal(type_name(a, type_array(a, type_array(a, &ty_int, 4), 2)),
			    "int [2][4]");
	assert_string_equal(type_name(a, type_builtin("size_t")), "size_t");
	assert_ptr_equal(type_base(type_builtin("uint64_t")), &ty_ulong);
	assert_int_equal(type_builtin("pid_t")->size, 4);
	assert_null(type_builtin("nosuch_t"));
	arena_free(a);
}

static void test_sort(void **state)
{
	struct sort_key v[3000];
	u64 x = 1;

	(void)state;
	sort_keys(v, 0);
	for (u32 most = 0; most < 64; most += 7) {   /* many equal keys, then keys of all digits */
		for (u32 i = 0; i < ARRAY_SIZE(v); i++) {
			x = x * 6364136223846793005ull + 1442695040888963407ull;
			v[i] = (struct sort_key){ x >> (63 - most), i };
		}
		sort_keys(v, ARRAY_SIZE(v));
		for (u32 i = 1; i < ARRAY_SIZE(v); i++)
			assert_true(v[i - 1].key < v[i].key ||
				    (v[i - 1].key == v[i].key && v[i - 1].i < v[i].i));
	}
}

static void test_type_members(void **state)
{
	struct type_member inner_m[] = { { .name = "b", .type = &ty_int, .bit_off = 32 } };
	struct type inner = { .kind = T_UNION, .members = inner_m, .count = 1, .size = 8 };
	struct type_member outer_m[] = {
		{ .name = "a", .type = &ty_int },
		{ .name = NULL, .type = &inner, .bit_off = 64 },
	};
	struct type outer = { .kind = T_STRUCT, .members = outer_m, .count = 2, .size = 16 };
	u32 off = 0;

	(void)state;
	assert_ptr_equal(type_find_member(&outer, "b", &off), inner_m);
	assert_int_equal(off, 96);
	assert_null(type_find_member(&outer, "c", &off));
	assert_null(type_find_member(&ty_int, "c", &off));
}

static void write_one(void *arg)
{
	int *fds = arg;

	assert_int_equal(write(fds[1], "x", 1), 1);
}

static void test_periodic(void **state)
{
	struct periodic p = { 0 };
	int fds[2];
	char c;

	periodic_end(&p);                /* it was never started */
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(periodic_start(&p, 1, write_one, fds), 0);
	assert_int_equal(read(fds[0], &c, 1), 1);
	assert_int_equal(read(fds[0], &c, 1), 1);
	periodic_end(&p);
	assert_false(p.runs);
	periodic_end(&p);
	close(fds[0]);
	close(fds[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_min_max),    cmocka_unit_test(test_arena),
		cmocka_unit_test(test_buf),
		cmocka_unit_test(test_json_plain), cmocka_unit_test(test_decimal),
		cmocka_unit_test(test_map),        cmocka_unit_test(test_sort),
		cmocka_unit_test(test_glob),       cmocka_unit_test(test_edit_distance),
		cmocka_unit_test(test_file),       cmocka_unit_test(test_diag_text),
		cmocka_unit_test(test_diag_edges), cmocka_unit_test(test_diag_limit),
		cmocka_unit_test(test_options),    cmocka_unit_test(test_option_defaults),
		cmocka_unit_test(test_type_text),  cmocka_unit_test(test_type_members),
		cmocka_unit_test(test_periodic),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
