/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_sym.c - types from BTF (a small one made here, whole and damaged; the kernel's
 * where there is one), symbols of this process, kernel symbols, event formats.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <linux/btf.h>

#include "runtime.h"
#include "sym/sym.h"

static struct dtx_env *env_make(void)
{
	struct dtx_env *env = xcalloc(1, sizeof(*env));

	env->arena = arena_new();
	diags_init(&env->diags, env->arena);
	options_defaults(&env->opts);
	return env;
}

static void env_drop(struct dtx_env *env)
{
	sym_free(env);
	arena_free(env->arena);
	free(env);
}

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
 * 18 typedef btf_trace_ev 17
 */
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
}

static void made_bytes(struct buf *out)
{
	struct btf_made b = { 0 };
	struct btf_header h = { .magic = BTF_MAGIC, .version = 1, .hdr_len = sizeof(h) };

	made_all(&b);
	h.type_len = h.str_off = (u32)b.types.len;
	h.str_len = (u32)b.strs.len;
	buf_add(out, &h, sizeof(h));
	buf_add(out, b.types.data, b.types.len);
	buf_add(out, b.strs.data, b.strs.len);
	buf_free(&b.types);
	buf_free(&b.strs);
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
	options_set(&env->opts, env->arena, "ctfpath", name, NULL);
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

/* ---- symbols ----------------------------------------------------------------------------- */

int test_global;
void test_function(void);
__attribute__((noinline)) void test_function(void)
{
	test_global++;
}

static void expect_uaddr(struct dtx_env *env, const void *addr, u64 off, const char *end)
{
	struct buf b = { 0 };

	sym_uaddr(env, (u32)getpid(), (u64)(uintptr_t)addr + off, &b);
	if (b.len < strlen(end) || strcmp(b.data + b.len - strlen(end), end))
		fail_msg("'%s' does not end in '%s'", b.data, end);
	buf_free(&b);
}

static void test_user_symbols(void **state)
{
	struct dtx_env *env = env_make();

	(void)state;
	test_function();
	expect_uaddr(env, (void *)(uintptr_t)test_function, 0, "test_sym`test_function");
	expect_uaddr(env, (void *)(uintptr_t)test_function, 1, "test_sym`test_function+0x1");
	expect_uaddr(env, &test_global, 0, "test_sym`test_global");
	expect_uaddr(env, (void *)16, 0, "0x10");
	assert_non_null(strstr(sym_library(env->arena, "libc"), "/libc.so"));
	assert_non_null(strstr(sym_library(env->arena, "c"), "/libc.so"));
	assert_null(sym_library(env->arena, "nosuch"));
	env_drop(env);
}

/* A process that maps `path` whole; *base: where. */
static pid_t mapping_process(const char *path, u64 *base)
{
	int pipes[2], fd;
	pid_t pid;

	assert_int_equal(pipe(pipes), 0);
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		fd = open(path, O_RDONLY);
		*base = (u64)(uintptr_t)mmap(NULL, (size_t)lseek(fd, 0, SEEK_END), PROT_READ | PROT_EXEC,
					     MAP_PRIVATE, fd, 0);
		if (write(pipes[1], base, sizeof(*base)) != sizeof(*base))
			_exit(1);
		pause();
		_exit(0);
	}
	assert_int_equal(read(pipes[0], base, sizeof(*base)), sizeof(*base));
	close(pipes[0]);
	close(pipes[1]);
	return pid;
}

static void end_process(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void copy_file(const char *from, const char *to)
{
	size_t len;
	char *text;
	FILE *f;

	assert_int_equal(file_read(from, &text, &len), 0);
	f = fopen(to, "we");
	assert_int_equal(fwrite(text, 1, len, f), len);
	fclose(f);
	free(text);
}

/* Where in this program's file test_function is. */
static u64 function_off(struct usyms *u)
{
	struct usym s;

	assert_true(usyms_lookup(u, (u32)getpid(), (u64)(uintptr_t)test_function, &s));
	return s.file_off;
}

static void expect_function(struct usyms *u, pid_t pid, u64 addr)
{
	struct usym s;

	assert_true(usyms_lookup(u, (u32)pid, addr, &s));
	assert_non_null(s.sym);
	assert_string_equal(s.sym, "test_function");
}

/* That a process was gone before its file was opened says nothing of others that map the file. */
static void test_symbols_after_an_end(void **state)
{
	char path[] = "/tmp/test_sym.XXXXXX";
	struct dtx_env *env = env_make();
	struct usyms *u = usyms_get(env);
	u64 off = function_off(u), first, second;
	struct usym s;
	pid_t a, b;

	(void)state;
	close(mkstemp(path));
	copy_file("/proc/self/exe", path);
	a = mapping_process(path, &first);
	b = mapping_process(path, &second);
	unlink(path);
	usyms_note(u, (u32)a);
	end_process(a);
	assert_true(usyms_lookup(u, (u32)a, first + off, &s));
	assert_null(s.sym);
	expect_function(u, b, second + off);
	end_process(b);
	env_drop(env);
}

/* A file that was written anew has the new symbols, though its inode is the same. */
static void test_symbols_of_a_rebuilt_file(void **state)
{
	char path[] = "/tmp/test_sym.XXXXXX";
	struct dtx_env *env = env_make();
	struct usyms *u = usyms_get(env);
	u64 off = function_off(u), base;
	struct usym s;
	pid_t pid;

	(void)state;
	close(mkstemp(path));
	copy_file(sym_library(env->arena, "c"), path);
	pid = mapping_process(path, &base);
	assert_true(usyms_lookup(u, (u32)pid, base, &s));
	end_process(pid);
	copy_file("/proc/self/exe", path);
	pid = mapping_process(path, &base);
	expect_function(u, pid, base + off);
	end_process(pid);
	unlink(path);
	env_drop(env);
}

static void test_jit_symbols(void **state)
{
	struct dtx_env *env = env_make();
	char path[64], line[64];
	void *code = malloc(64);
	int fd, n;

	(void)state;
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0644);
	assert_true(fd >= 0);
	n = snprintf(line, sizeof(line), "%lx 20 Js:~f x.js\n", (unsigned long)(uintptr_t)code);
	assert_int_equal(write(fd, line, (size_t)n), n);
	close(fd);
	expect_uaddr(env, code, 4, "[jit]`Js:~f x.js+0x4");
	unlink(path);
	env_drop(env);
	free(code);
}

static void test_elf_symbols(void **state)
{
	const char *err = NULL;
	struct elfsyms *s = elfsyms_open("/proc/self/exe", &err);
	const struct elfsym *f;

	(void)state;
	assert_non_null(s);
	f = elfsyms_by_name(s, "test_function");
	assert_non_null(f);
	assert_ptr_equal(elfsyms_at(s, f->addr + f->size - 1), f);
	assert_int_equal(elfsyms_file_off(s, f->addr), f->file_off);
	assert_int_equal(elfsyms_vaddr(s, f->file_off), f->addr);
	assert_null(elfsyms_by_name(s, "no_such_function"));
	elfsyms_close(s);
	assert_null(elfsyms_open("/etc/passwd", &err));
	assert_string_equal(err, "not an ELF object");
	assert_null(elfsyms_open("/nonexistent", &err));
	assert_string_equal(err, "no such file");
}

static void test_demangle(void **state)
{
	struct buf b = { 0 };

	(void)state;
	sym_demangle("_ZN3foo3barEi", &b);
	buf_putc(&b, ' ');
	sym_demangle("_start", &b);
	buf_putc(&b, ' ');
	sym_demangle("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", &b);
	assert_string_equal(b.data, "foo::bar _start core::fmt::Formatter::pad");
	buf_free(&b);
}

static void test_kernel_symbols(void **state)
{
	struct dtx_env *env = env_make();
	struct ksyms *k = ksyms_get(env);
	u64 addr = ksyms_addr(k, "vmlinux", "vfs_read");
	struct buf b = { 0 };

	(void)state;
	sym_kaddr(env, 0x10, &b);
	assert_string_equal(b.data, "0x10");
	if (addr) {
		buf_reset(&b);
		sym_kaddr(env, addr, &b);
		buf_putc(&b, ' ');
		sym_kaddr(env, addr + 1, &b);
		assert_string_equal(b.data, "vmlinux`vfs_read vmlinux`vfs_read+0x1");
	}
	buf_free(&b);
	env_drop(env);
	if (!addr)
		skip();
}

static void test_stack_text(void **state)
{
	struct dtx_env *env = env_make();
	u64 pcs[] = { 0x10, 0x20, 0, 0x30 };
	struct val v = { .kind = VAL_STACK, .pcs = pcs, .npcs = 4 };
	struct buf b = { 0 };

	(void)state;
	sym_stack(env, &v, 3, &b);
	assert_string_equal(b.data, "\n   0x10\n   0x20\n");
	buf_free(&b);
	env_drop(env);
}

static int find_event(void *arg, const char *group, const char *event)
{
	*(bool *)arg |= !strcmp(group, "sched") && !strcmp(event, "sched_switch");
	return 0;
}

static void test_tracefs(void **state)
{
	struct dtx_env *env = env_make();
	struct tp_event *e;
	bool found = false;

	(void)state;
	if (!tracefs_path(env) || !(e = tracefs_event(env, "sched", "sched_switch"))) {
		env_drop(env);
		skip();
		return;
	}
	assert_true(e->id > 0 && e->nfields > 8);
	assert_string_equal(e->fields[4].name, "prev_comm");
	assert_string_equal(e->fields[4].ctype, "char [16]");
	assert_int_equal(e->fields[4].size, 16);
	tracefs_each(env, "sched", "sched_*", find_event, &found);
	assert_true(found);
	assert_null(tracefs_event(env, "..", "events"));
	assert_null(tracefs_event(env, "sched", "no_such_event"));
	env_drop(env);
}

static void test_arch(void **state)
{
	(void)state;
	assert_string_equal(arch_syscall_name(0), "read");
	assert_string_equal(arch_syscall_name(59), "execve");
	assert_null(arch_syscall_name(arch_syscall_max() + 1));
	assert_null(arch_syscall_name(400));
	assert_int_equal(arch_syscall_regs[3], 56);
}

/* The names that field `i` has for `value`. */
static const char *named(struct arena *a, const char *fmt, u32 i, u64 value)
{
	static const char *const fields[] = { "vec", "flags", "prio" };
	struct tp_event ev = { .nfields = 3, .fields = ARENA_ARRAY(a, struct tp_field, 3) };
	struct buf b = { 0 };

	for (u32 k = 0; k < 3; k++)
		ev.fields[k] = (struct tp_field){ .name = fields[k], .size = 8 };
	tpnames_read(a, &ev, fmt);
	if (!ev.fields[i].names)
		return "";
	print_names(ev.fields[i].names, value, &b);
	const char *out = arena_strdup(a, b.data ? b.data : "");
	buf_free(&b);
	return out;
}

static void test_field_names(void **state)
{
	static const char fmt[] = "print fmt: \"vec=%s flags=%s prio=%s\", __print_symbolic(REC->vec, "
		"{ 0, \"HI\" }, { (1 + 2) * 3, \"NINE\" }, { NO_NUMBER, \"odd\" }, { 0x10UL, \"SIXTEEN\" }), "
		"(REC->flags & 0xff) ? __print_flags(REC->flags & (0xffUL), \"|\", { ( unsigned long)(((( gfp_t)((1UL) << 2)) | 1)), \"BOTH\" }, "
		"{ 0x01, \"A\" }, { 4, \"C\" }, { ~0xfUL & 0x10, \"D\" }) : \"none\", "
		"__print_symbolic((((REC->prio) >> 13) & 7), { 1, \"rt\" })";
	static const struct { u32 field; u64 value; const char *text; } rows[] = {
		{ 0, 0, "HI" }, { 0, 9, "NINE" }, { 0, 16, "SIXTEEN" }, { 0, 7, "7" },
		{ 1, 0, "none" }, { 1, 1, "A" }, { 1, 5, "BOTH" }, { 1, 0x15, "BOTH|D" },
		{ 1, 0x44, "C|0x40" }, { 2, 1, "" },
	};
	struct arena *a = arena_new();

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++)
		assert_string_equal(named(a, fmt, rows[i].field, rows[i].value), rows[i].text);
	/* Cut off anywhere, it is read as far as it goes. */
	for (size_t len = 0; len < sizeof(fmt); len++)
		named(a, arena_strndup(a, fmt, len), 1, 1);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_btf_types), cmocka_unit_test(test_btf_enum_rawtp),
		cmocka_unit_test(test_btf_damaged), cmocka_unit_test(test_btf_kernel),
		cmocka_unit_test(test_user_symbols),
		cmocka_unit_test(test_symbols_after_an_end), cmocka_unit_test(test_symbols_of_a_rebuilt_file),
		cmocka_unit_test(test_jit_symbols),
		cmocka_unit_test(test_elf_symbols), cmocka_unit_test(test_demangle),
		cmocka_unit_test(test_kernel_symbols), cmocka_unit_test(test_stack_text),
		cmocka_unit_test(test_tracefs), cmocka_unit_test(test_field_names), cmocka_unit_test(test_arch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
