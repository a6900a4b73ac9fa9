/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_sym.c - symbols of this process and of others, kernel symbols, event formats.
 */
#include <errno.h>
#include <fcntl.h>
#include <gnu/libc-version.h>
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

#include <dtx/arch.h>

#include "symenv.h"

#include "runtime/code/code.h"
#include "runtime/proc/proc.h"
#include "runtime/sink/sink.h"
#include "runtime/stack/stack-private.h"
#include "runtime/types/types-private.h"
#include "runtime/kernel/kernel.h"

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
		*base = (u64)(uintptr_t)mmap(NULL, (size_t)lseek(fd, 0, SEEK_END),
					     PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
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

	assert_true(usyms_lookup(u, (u32)getpid(), 0, (u64)(uintptr_t)test_function, &s));
	return s.file_off;
}

static void expect_function(struct usyms *u, pid_t pid, u64 addr)
{
	struct usym s;

	assert_true(usyms_lookup(u, (u32)pid, 0, addr, &s));
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
	assert_true(usyms_lookup(u, (u32)a, 0, first + off, &s));
	assert_null(s.sym);
	expect_function(u, b, second + off);
	end_process(b);
	env_drop(env);
}

/* What was seen of a program stays when its process runs another one, which begins with nothing. */
static void test_symbols_of_another_program(void **state)
{
	struct dtx_env *env = env_make();
	struct usyms *u = usyms_get(env);
	u32 self = (u32)getpid(), exec = proc_exec(self);
	u64 addr = (uintptr_t)test_function;
	struct usym s;

	(void)state;
	assert_int_not_equal(exec, 0);
	assert_true(usyms_lookup(u, self, exec, addr, &s));
	assert_string_equal(s.sym, "test_function");
	assert_false(usyms_lookup(u, self, exec + 1, addr, &s));
	assert_true(usyms_lookup(u, self, 0, addr, &s));
	assert_int_equal(proc_exec(INT32_MAX), 0);
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
	assert_true(usyms_lookup(u, (u32)pid, 0, base, &s));
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

#define COPIES 6

static void expect_own(struct codefile *f, bool known)
{
	struct elfsyms *s = codefile_symbols(f);

	if (known)
		assert_non_null(elfsyms_by_name(s, "test_function"));
	else
		assert_null(s);
}

/* One file is one, by each of its names; the oldest are thrown out, but not while they are held;
 * what is read again is the same file, or nothing. */
static void test_code_files(void **state)
{
	char folder[] = "/tmp/test_sym.XXXXXX", path[COPIES][64], link[64];
	struct dtx_env *env = env_make();
	struct codefile *f[COPIES];
	const u8 *id;
	u64 one;

	(void)state;
	assert_non_null(mkdtemp(folder));
	for (u32 i = 0; i < COPIES; i++) {
		snprintf(path[i], sizeof(path[i]), "%s/%u", folder, i);
		copy_file("/proc/self/exe", path[i]);
		f[i] = codefile_at(env, path[i]);
		codefiles_trim(env);
		expect_own(f[i], true);
		if (i)
			continue;
		one = codefiles_bytes(env);
		codefiles_limit(env, one * 5 / 2);
		codefile_hold(f[i]);
	}
	snprintf(link, sizeof(link), "%s/link", folder);
	assert_int_equal(symlink(path[1], link), 0);
	assert_ptr_equal(codefile_at(env, link), f[1]);
	assert_ptr_not_equal(codefile_at(env, path[2]), f[1]);
	codefiles_trim(env);
	assert_true(codefiles_bytes(env) <= one * 5 / 2);
	assert_true(codefile_build_id(f[0], &id) > 0);
	copy_file("/proc/self/exe", path[2]);            /* written anew: another time of change */
	unlink(path[3]);
	codefile_pin(f[1]);
	expect_own(f[1], true);
	for (u32 i = 4; i < COPIES; i++) {
		expect_own(f[i], true);
		codefiles_trim(env);
	}
	assert_true(codefile_fd(f[1]) >= 0);             /* two of 2.5 are pinned and held */
	assert_true(codefiles_bytes(env) <= one * 7 / 2);
	codefiles_unpin(env, true);
	codefiles_trim(env);
	assert_true(codefiles_bytes(env) <= one * 5 / 2);
	for (u32 i = 0; i < COPIES; i++) {
		expect_own(f[i], i != 2 && i != 3);
		codefiles_trim(env);
	}
	assert_non_null(codefiles_trouble(env, env->arena));
	expect_own(codefile_at(env, path[2]), true);
	expect_own(codefile_at(env, path[3]), false);
	for (u32 i = 0; i < COPIES; i++)
		unlink(path[i]);
	unlink(link);
	rmdir(folder);
	env_drop(env);
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
	/* Rust's mangling of version 0. */
	buf_reset(&b);
	sym_demangle("_RNvNtCs1234_7mycrate3foo3bar", &b);
	buf_putc(&b, ' ');
	sym_demangle("_RINvNtC3std3mem8align_ofdE", &b);
	assert_string_equal(b.data, "mycrate::foo::bar std::mem::align_of::<f64>");
	/* A stub and a clone are not the function itself. */
	buf_reset(&b);
	sym_demangle("_ZN3foo3barEi@plt", &b);
	buf_putc(&b, ' ');
	sym_demangle("_ZN3foo3barEi.part.0.cold", &b);
	buf_putc(&b, ' ');
	sym_function("_ZN3foo3barEi.part.0.cold", &b);
	assert_string_equal(b.data, "foo::bar@plt foo::bar.part.0.cold foo::bar");
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

static bool is_function_at(struct ksyms *k, const char *name, u64 addr)
{
	u64 all[64];
	u32 n = ksyms_functions(k, "vmlinux", name, all, ARRAY_SIZE(all));

	for (u32 i = 0; i < MIN(n, (u32)ARRAY_SIZE(all)); i++)
		if (all[i] == addr)
			return true;
	return false;
}

/* Each 500th function of the kernel as the file has it: its name and its address find each other,
 * by the search of a few names and by the table of all.  The kernel frees code of its start. */
static void test_kernel_symbols_as_read(void **state)
{
	struct dtx_env *env = env_make();
	struct ksyms *k = ksyms_get(env);
	u64 freed = ksyms_addr(k, "vmlinux", "_sinittext"), addr, off;
	FILE *f = fopen("/proc/kallsyms", "r");
	char line[1024], at[17], type, symbol[512];
	const char *found, *module;
	u32 n = 0, seen = 0;

	(void)state;
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%16s %c %511s", at, &type, symbol) != 3 || type != 'T' ||
		    strchr(line, '[') || ++n % 500)
			continue;
		addr = strtoull(at, NULL, 16);
		if (!addr || (freed && addr >= freed))
			continue;
		assert_true(ksyms_find(k, addr, &found, &module, &off));
		assert_int_equal(off, 0);
		assert_string_equal(module, "vmlinux");
		assert_true(is_function_at(k, symbol, addr));
		assert_false(is_function_at(k, symbol, addr + 1));
		seen++;
	}
	if (f)
		fclose(f);
	env_drop(env);
	if (!seen)
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
	/* The same as data, which a replay gives back. */
	v.frames = sym_frames(env, env->arena, &v, &v.nframes);
	assert_int_equal(v.nframes, 2);
	assert_string_equal(v.frames[1].text, "0x20");
	assert_null(v.frames[1].symbol);
	v.npcs = 0;
	buf_reset(&b);
	sym_stack(env, &v, 1, &b);
	assert_string_equal(b.data, "\n 0x10\n 0x20\n");
	buf_free(&b);
	env_drop(env);
}

/* A stack through two files of which one is thrown out whenever the other one is asked for. */
static void test_stack_of_thrown_out(void **state)
{
	struct dtx_env *env = env_make();
	uintptr_t libc = (uintptr_t)gnu_get_libc_version;        /* no sanitizer has its own */
	u64 pcs[] = { libc, (uintptr_t)test_function + 1, libc + 1 };
	struct val v = { .kind = VAL_STACK, .pcs = pcs, .npcs = 3, .user = true,
			 .pid = (u32)getpid() };
	const struct frame *f[3];
	int err = 0;
	u32 n;

	(void)state;
	assert_null(env_try_option(env, "stacklines", NULL, &err));
	codefiles_limit(env, 1);
	for (u32 i = 0; i < ARRAY_SIZE(f); i++) {
		f[i] = sym_frames(env, env->arena, &v, &n);
		assert_int_equal(n, 3);
	}
	for (u32 i = 0; i < ARRAY_SIZE(f); i++) {
		assert_string_equal(f[i][1].symbol, "test_function");
		assert_non_null(strstr(f[i][1].file, "test_sym.c"));
		assert_non_null(strstr(f[i][2].object, "libc.so"));
	}
	assert_non_null(codefiles_trouble(env, env->arena));
	env_drop(env);
}

static void test_event_fields(void **state)
{
	struct arena *a = arena_new();
	struct tp_field f;

	(void)state;
	assert_true(tracefs_field(a,
				  "\tfield:__rel_loc char[] text;\toffset:12;\tsize:4;\tsigned:0;",
				  &f));
	assert_true(f.is_dataloc && f.is_relloc && f.off == 12 && f.size == 4);
	assert_string_equal(f.name, "text");
	assert_string_equal(f.ctype, "char []");
	assert_true(tracefs_field(a,
				  "\tfield:__data_loc u8[] bytes;\toffset:16;\tsize:4;\tsigned:0;",
				  &f));
	assert_true(f.is_dataloc && !f.is_relloc);
	/* Kernels print the brackets of this kind behind the name. */
	assert_true(tracefs_field(
		a, "\tfield:__rel_loc unsigned int words[];\toffset:20;\tsize:4;\tsigned:0;", &f));
	assert_true(f.is_dataloc && f.is_relloc && f.off == 20);
	assert_string_equal(f.name, "words");
	assert_string_equal(f.ctype, "unsigned int []");
	assert_true(tracefs_field(a, "\tfield:int n;\toffset:8;\tsize:4;\tsigned:1;", &f));
	assert_true(!f.is_dataloc && !f.is_relloc && f.is_signed);
	assert_false(tracefs_field(a, "print fmt: \"%d\", REC->n", &f));
	arena_free(a);
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
	static const char fmt[] =
		"print fmt: \"vec=%s flags=%s prio=%s\", __print_symbolic(REC->vec, "
		"{ 0, \"HI\" }, { (1 + 2) * 3, \"NINE\" }, { NO_NUMBER, \"odd\" }, { 0x10UL, "
		"\"SIXTEEN\" }), "
		"(REC->flags & 0xff) ? __print_flags(REC->flags & (0xffUL), \"|\", { ( unsigned "
		"long)(((( gfp_t)((1UL) << 2)) | 1)), \"BOTH\" }, "
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

/* A description of another machine may hold anything. */
static void test_field_names_deep(void **state)
{
	static const char begin[] = "print fmt: \"\", __print_symbolic(REC->vec, {";
	enum { DEEP = 8 << 20 };
	struct arena *a = arena_new();
	char *fmt = malloc(sizeof(begin) + DEEP);

	for (const char *sign = "~-("; *sign; sign++) {
		memcpy(fmt, begin, sizeof(begin));
		memset(fmt + sizeof(begin) - 1, *sign, DEEP);
		fmt[sizeof(begin) - 1 + DEEP] = '\0';
		assert_string_equal(named(a, fmt, 0, 1), "");
	}
	free(fmt);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_user_symbols),
		cmocka_unit_test(test_symbols_after_an_end),
		cmocka_unit_test(test_symbols_of_another_program),
		cmocka_unit_test(test_symbols_of_a_rebuilt_file),
		cmocka_unit_test(test_jit_symbols),
		cmocka_unit_test(test_elf_symbols),
		cmocka_unit_test(test_code_files),
		cmocka_unit_test(test_demangle),
		cmocka_unit_test(test_kernel_symbols),
		cmocka_unit_test(test_kernel_symbols_as_read),
		cmocka_unit_test(test_stack_text),
		cmocka_unit_test(test_stack_of_thrown_out),
		cmocka_unit_test(test_event_fields),
		cmocka_unit_test(test_tracefs),
		cmocka_unit_test(test_field_names),
		cmocka_unit_test(test_field_names_deep),
		cmocka_unit_test(test_arch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
