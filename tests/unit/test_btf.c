/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_btf.c - types from BTF: a small one made here, whole and damaged; the kernel's where there
 * is one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>
#include <linux/btf.h>

#include <dtx/opt.h>

#include "symenv.h"

#include "runtime/types/types-private.h"

/* ---- a BTF made by hand ------------------------------------------------------------ */

struct btf_made {
	struct buf types, strs;
};

static u32 made_str(struct btf_made *b, const char *s)
{
	u32 off = (u32)b->strs.len;

	if (!*s)
		return 0;
	buf_add(&b->strs, s, strlen(s) + 1);
	return off;
}

static void made_type(struct btf_made *b, const char *name, u32 kind, u32 vlen_flag, u32 size_type)
{
	struct btf_type t = {
		.name_off = made_str(b, name),
		.info = kind << 24 | (vlen_flag & 0xffff) | (vlen_flag & 0x80000000),
		.size = size_type,
	};

	buf_add(&b->types, &t, sizeof(t));
}

static void made_words(struct btf_made *b, u32 n, ...)
{
	va_list ap;

	va_start(ap, n);
	while (n--) {
		u32 w = va_arg(ap, u32);

		buf_add(&b->types, &w, sizeof(w));
	}
	va_end(ap);
}

/*
 * 1 int   2 char   3 struct node { struct node *next; int a:3, b:29; enum wide e; char *u; }
 * 4 ptr to 3   5 enum64 wide   6 tag user on 2   7 ptr to 6   8 proto (const char *, ...)
 * 9 func f   10 const 2   11 ptr to 10   12 typedef node_t 3   13 int[4]
 * 14 fwd union gone   15 ptr to 14   16 proto (void *__data, node *)   17 ptr to 16
 * 18 typedef btf_trace_ev 17   19 enum large   20 enum below, signed if signs
 */
static void made_enums(struct btf_made *b, bool signs)
{
	made_type(b, "large", BTF_KIND_ENUM, 2, 4);
	made_words(b, 4, made_str(b, "SMALL"), 7, made_str(b, "LARGE"), 0xfffffffeu);
	made_type(b, "below", BTF_KIND_ENUM, signs ? 0x80000001u : 1, 4);
	made_words(b, 2, made_str(b, "BELOW"), 0xfffffffeu);
}

static void made_all(struct btf_made *b)
{
	buf_putc(&b->strs, '\0');
	made_type(b, "int", BTF_KIND_INT, 0, 4);
	made_words(b, 1, BTF_INT_SIGNED << 24 | 32);
	made_type(b, "char", BTF_KIND_INT, 0, 1);
	made_words(b, 1, BTF_INT_SIGNED << 24 | 8);
	made_type(b, "node", BTF_KIND_STRUCT, 0x80000000u | 5, 32);
	made_words(b, 15, made_str(b, "next"), 4, 0, made_str(b, "a"), 1, 3u << 24 | 64,
		   made_str(b, "b"), 1, 29u << 24 | 67, made_str(b, "e"), 5, 128,
		   made_str(b, "u"), 7, 192);
	made_type(b, "", BTF_KIND_PTR, 0, 3);
	made_type(b, "wide", BTF_KIND_ENUM64, 2, 8);
	made_words(b, 6, made_str(b, "LOW"), 1, 0, made_str(b, "HIGH"), 5, 0x80000000u);
	made_type(b, "user", BTF_KIND_TYPE_TAG, 0, 2);
	made_type(b, "", BTF_KIND_PTR, 0, 6);
	made_type(b, "", BTF_KIND_FUNC_PROTO, 2, 1);
	made_words(b, 4, made_str(b, "text"), 11, 0, 0);
	made_type(b, "f", BTF_KIND_FUNC, 0, 8);
	made_type(b, "", BTF_KIND_CONST, 0, 2);
	made_type(b, "", BTF_KIND_PTR, 0, 10);
	made_type(b, "node_t", BTF_KIND_TYPEDEF, 0, 3);
	made_type(b, "", BTF_KIND_ARRAY, 0, 0);
	made_words(b, 3, 1, 1, 4);
	made_type(b, "gone", BTF_KIND_FWD, 0x80000000u, 0);
	made_type(b, "", BTF_KIND_PTR, 0, 14);
	made_type(b, "", BTF_KIND_FUNC_PROTO, 2, 0);
	made_words(b, 4, 0, 15, 0, 4);
	made_type(b, "", BTF_KIND_PTR, 0, 16);
	made_type(b, "btf_trace_ev", BTF_KIND_TYPEDEF, 0, 17);
	made_enums(b, true);
}

static void made_file(struct btf_made *made, struct buf *out)
{
	struct btf_made b = *made;
	struct btf_header h = { .magic = BTF_MAGIC, .version = 1, .hdr_len = sizeof(h) };

	h.type_len = h.str_off = (u32)b.types.len;
	h.str_len = (u32)b.strs.len;
	buf_add(out, &h, sizeof(h));
	buf_add(out, b.types.data, b.types.len);
	buf_add(out, b.strs.data, b.strs.len);
	buf_free(&b.types);
	buf_free(&b.strs);
}

static void made_bytes(struct buf *out)
{
	struct btf_made b = { 0 };

	made_all(&b);
	made_file(&b, out);
}

static struct dtx_env *env_with(const void *btf, size_t len)
{
	static char path[] = "/tmp/dtx-test-btf-XXXXXX";
	char name[sizeof(path)];
	struct dtx_env *env = env_make();
	int fd;

	memcpy(name, path, sizeof(path));
	fd = mkstemp(name);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, btf, len), len);
	close(fd);
	options_set(env->opts, env->arena, "ctfpath", name, NULL);
	env->sources[0] = btf_src_types(btf_src_open(env));
	env->sources[0]->by_name(env->sources[0], env->arena, T_STRUCT, "node");
	unlink(name);
	return env;
}

static void test_btf_types(void **state)
{
	struct buf bytes = { 0 };
	struct type_source *ts;
	struct type *node, *f, *u;
	struct dtx_env *env;
	u32 off = 0;

	(void)state;
	made_bytes(&bytes);
	env = env_with(bytes.data, bytes.len);
	ts = env->sources[0];
	node = ts->by_name(ts, env->arena, T_STRUCT, "node");
	assert_non_null(node);
	assert_int_equal(node->size, 32);
	assert_int_equal(node->btf_id, 3);
	assert_ptr_equal(type_find_member(node, "next", &off)->type->to, node);
	off = 0;
	assert_int_equal(type_find_member(node, "b", &off)->bit_size, 29);
	assert_int_equal(off, 67);
	u = type_find_member(node, "u", &off)->type;
	assert_true(u->is_user);
	assert_ptr_equal(u->to, &ty_char);
	f = ts->function(ts, env->arena, "", "f");
	assert_string_equal(type_name(env->arena, f), "int (const char *, ...)");
	assert_string_equal(f->params[0].name, "text");
	assert_ptr_equal(ts->by_name(ts, env->arena, T_TYPEDEF, "node_t")->to, node);
	assert_ptr_equal(ts->by_name(ts, env->arena, T_TYPEDEF, "int"), &ty_int);
	assert_null(ts->by_name(ts, env->arena, T_UNION, "node"));
	assert_null(ts->function(ts, env->arena, NULL, "node"));
	buf_free(&bytes);
	env_drop(env);
}

static void test_btf_enum_rawtp(void **state)
{
	struct buf bytes = { 0 };
	struct type *wide, *proto;
	struct type_source *ts;
	struct dtx_env *env;

	(void)state;
	made_bytes(&bytes);
	env = env_with(bytes.data, bytes.len);
	ts = env->sources[0];
	wide = ts->by_name(ts, env->arena, T_ENUM, "wide");
	assert_int_equal(wide->size, 8);
	assert_true(wide->enums[1].value == (s64)0x8000000000000005ull);
	assert_int_equal(btf_rawtp_id(btf_src_open(env), "ev", &proto, env->arena), 18);
	assert_int_equal(proto->count, 1);
	assert_string_equal(type_name(env->arena, proto->params[0].type), "struct node *");
	assert_int_equal(btf_rawtp_id(btf_src_open(env), "none", &proto, env->arena), 0);
	buf_free(&bytes);
	env_drop(env);
}

/* The object of these bytes; after `base`, or vmlinux. */
static struct btf_obj *obj_with(struct btf_src *src, struct buf *bytes, struct btf_obj *base)
{
	char path[] = "/tmp/dtx-test-btf-XXXXXX";
	int fd = mkstemp(path);
	struct btf_obj *o;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes->data, bytes->len), bytes->len);
	close(fd);
	o = btf_obj_open(src, "made", path, base);
	assert_non_null(o);
	unlink(path);
	buf_free(bytes);
	return o;
}

/* The strings of a module begin with a name: no NUL is before it. */
static void test_btf_module(void **state)
{
	const u32 kind = 1u << BTF_KIND_TYPEDEF;
	struct btf_made made = { 0 }, module = { 0 };
	struct buf bytes = { 0 }, bytes_module = { 0 };
	struct dtx_env *env = env_make();
	struct btf_obj *base, *o;

	(void)state;
	made_all(&made);
	module.strs.len = made.strs.len;         /* offsets go on behind the base's */
	module.strs.cap = module.strs.len + 64;
	module.strs.data = xcalloc(1, module.strs.cap);
	made_type(&module, "tid_t", BTF_KIND_TYPEDEF, 0, 1);
	made_type(&module, "pgoff_t", BTF_KIND_TYPEDEF, 0, 2);
	memmove(module.strs.data, module.strs.data + made.strs.len,
		module.strs.len - made.strs.len);
	module.strs.len -= made.strs.len;
	made_file(&made, &bytes);
	made_file(&module, &bytes_module);
	base = obj_with(btf_src_open(env), &bytes, NULL);
	o = obj_with(btf_src_open(env), &bytes_module, base);
	for (u32 i = 0; i < 60; i++) {           /* by the list, then by chains */
		assert_int_equal(btf_find(o, "tid_t", kind), base->end_id);
		assert_int_equal(btf_find(o, "pgoff_t", kind), base->end_id + 1);
		assert_int_equal(btf_find(o, "id_t", kind), 0);
		assert_int_equal(btf_find(o, "node_t", kind), 0);
	}
	btf_obj_free(o);
	btf_obj_free(base);
	env_drop(env);
}

/* Names of 1 to 40 bytes, each the beginning of the next: a function, a structure, the function
 * again.  The last string ends where the bytes end. */
static void made_names(struct btf_made *b, u32 most)
{
	char name[64] = "";

	buf_putc(&b->strs, '\0');
	for (u32 i = 0; i < most; i++) {
		name[i] = (char)('a' + i % 3);
		made_type(b, name, BTF_KIND_FUNC, 0, 0);
		made_type(b, name, BTF_KIND_STRUCT, 0, 0);
		made_type(b, name, BTF_KIND_FUNC, 0, 0);
	}
}

static void expect_names(struct btf_obj *o, u32 most)
{
	char name[64] = "";

	for (u32 i = 0; i < most; i++) {
		name[i] = (char)('a' + i % 3);
		assert_int_equal(btf_find(o, name, 1u << BTF_KIND_FUNC), i * 3 + 1);
		assert_int_equal(btf_find(o, name, 1u << BTF_KIND_STRUCT), i * 3 + 2);
		assert_int_equal(btf_find(o, name, 1u << BTF_KIND_UNION), 0);
		assert_int_equal(btf_find(o, name + 1, 1u << BTF_KIND_STRUCT), 0);
	}
	name[most] = 'z';
	assert_int_equal(btf_find(o, name, 1u << BTF_KIND_STRUCT), 0);
}

static void test_btf_names(void **state)
{
	(void)state;
	for (u32 most = 1; most <= 40; most++) {
		struct btf_made made = { 0 };
		struct buf bytes = { 0 };
		struct dtx_env *env = env_make();
		struct btf_obj *o;

		made_names(&made, most);
		made_file(&made, &bytes);
		o = obj_with(btf_src_open(env), &bytes, NULL);
		expect_names(o, most);
		expect_names(o, most);
		btf_obj_free(o);
		env_drop(env);
	}
}

static void expect_enum(struct dtx_env *env, const char *tag, u32 last, s64 value)
{
	struct type *t = env->sources[0]->by_name(env->sources[0], env->arena, T_ENUM, tag);

	assert_true(t->enums[last].value == value);
	assert_int_equal(t->is_signed, value < 0);
}

/* Where some enum says that it is signed the others are not; where none does, a negative value says
 * it. */
static void test_btf_enum_sign(void **state)
{
	struct btf_made old = { 0 };
	struct buf bytes = { 0 };
	struct dtx_env *env;

	(void)state;
	made_bytes(&bytes);
	env = env_with(bytes.data, bytes.len);
	expect_enum(env, "large", 1, 0xfffffffe);
	expect_enum(env, "below", 0, -2);
	env_drop(env);
	buf_reset(&bytes);
	buf_putc(&old.strs, '\0');
	made_enums(&old, false);
	made_file(&old, &bytes);
	env = env_with(bytes.data, bytes.len);
	expect_enum(env, "large", 1, -2);
	expect_enum(env, "below", 0, -2);
	buf_free(&bytes);
	env_drop(env);
}

static void walk(struct type *t, int depth)
{
	if (!type_complete(t) || depth > 4)
		return;
	walk(t->to, depth + 1);
	for (u32 i = 0; i < t->count && t->members; i++)
		walk(t->members[i].type, depth + 1);
	for (u32 i = 0; i < t->count && t->params; i++)
		walk(t->params[i].type, depth + 1);
}

/* Damaged in any one place it is refused or read to some type; it never harms. */
static void test_btf_damaged(void **state)
{
	struct buf good = { 0 };

	(void)state;
	made_bytes(&good);
	for (size_t i = 0; i < good.len; i++) {
		char *bad = xmalloc(good.len);
		struct dtx_env *env;
		struct type_source *ts;

		memcpy(bad, good.data, good.len);
		bad[i] ^= (char)(1 + i * 37);
		env = env_with(bad, i % 5 ? good.len : i);
		ts = env->sources[0];
		walk(ts->by_name(ts, env->arena, T_STRUCT, "node"), 0);
		walk(ts->by_name(ts, env->arena, T_TYPEDEF, "node_t"), 0);
		walk(ts->function(ts, env->arena, NULL, "f"), 0);
		env_drop(env);
		free(bad);
	}
	buf_free(&good);
}

static void test_btf_kernel(void **state)
{
	struct dtx_env *env = env_make();
	struct btf_src *src = btf_src_open(env);
	struct type_source *ts = btf_src_types(src);
	struct type *task;
	u32 off = 0;

	(void)state;
	if (!src) {
		env_drop(env);
		skip();
	}
	assert_ptr_equal(btf_src_open(env), src);
	task = ts->by_name(ts, env->arena, T_STRUCT, "task_struct");
	assert_non_null(task);
	assert_string_equal(type_name(env->arena, type_find_member(task, "comm", &off)->type),
			    "char [16]");
	assert_ptr_equal(type_find_member(task, "group_leader", &off)->type->to, task);
	assert_string_equal(type_name(env->arena, type_base(
		ts->function(ts, env->arena, NULL, "vfs_read")->params[0].type)), "struct file *");
	for (int i = 0; i < 60; i++)
		assert_null(ts->by_name(ts, env->arena, T_STRUCT, "no_such_struct"));
	assert_ptr_equal(ts->by_name(ts, env->arena, T_STRUCT, "task_struct"), task);
	env_drop(env);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_btf_types),     cmocka_unit_test(test_btf_enum_rawtp),
		cmocka_unit_test(test_btf_enum_sign), cmocka_unit_test(test_btf_damaged),
		cmocka_unit_test(test_btf_kernel),    cmocka_unit_test(test_btf_module),
		cmocka_unit_test(test_btf_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
