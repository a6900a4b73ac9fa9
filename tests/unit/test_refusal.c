/* SPDX-License-Identifier: BSD-2-Clause */
// needs: root
// where: both
/*
 * test_refusal.c - what is said of a refused program: each row of refusals.def has its words said
 * by the running kernel's verifier, to a small program that is wrong in that way; from logs in its
 * two forms the line of the D program is found.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <cmocka.h>

#include <dtx/opt.h>

#include "runtime/kernel/kernel.h"
#include "runtime/run/run.h"

#define LOG_SIZE (1u << 20)
#define MOST 40000               /* instructions of a program here */

enum { R0, R1, R2, R3, R4, R5, R6, R7, R10 = 10 };

static struct dtx_env env;
static struct loaded loaded;
static char kernel_log[LOG_SIZE];
static struct bpf_insn insns[MOST];
static u32 ninsns;
static int value_map, ring_map;
static int maps[65];             /* more than one program may use (MAX_USED_MAPS) */

/* ---- writing a program --------------------------------------------------------------- */

static void put(u8 code, u8 dst, u8 src, s16 off, s32 imm)
{
	assert_true(ninsns < MOST);
	insns[ninsns++] = (struct bpf_insn){
		.code = code, .dst_reg = dst, .src_reg = src, .off = off, .imm = imm
	};
}

static void mov(u8 dst, s32 imm)        { put(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, imm); }
static void copy(u8 dst, u8 src)        { put(BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0); }
static void alu(u8 op, u8 dst, s32 imm) { put(BPF_ALU64 | op | BPF_K, dst, 0, 0, imm); }
static void load(u8 dst, u8 src, s16 off)  { put(BPF_LDX | BPF_MEM | BPF_DW, dst, src, off, 0); }
static void store(u8 dst, s16 off)      { put(BPF_ST | BPF_MEM | BPF_DW, dst, 0, off, 0); }
static void jump(u8 op, u8 dst, s32 imm, s16 off)  { put(BPF_JMP | op | BPF_K, dst, 0, off, imm); }
static void call(s32 helper)            { put(BPF_JMP | BPF_CALL, 0, 0, 0, helper); }

static void leave(void)
{
	put(BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

static void end(void)
{
	mov(R0, 0);
	leave();
}

static void load_map(u8 dst, int fd, u8 how)
{
	put(BPF_LD | BPF_IMM | BPF_DW, dst, how, 0, fd);
	put(0, 0, 0, 0, 0);
}

/* A number the verifier knows nothing about. */
static void unknown(u8 dst)
{
	call(BPF_FUNC_ktime_get_ns);
	copy(dst, R0);
}

/* probe_read_kernel(place on the stack, size in R2, 0) */
static void read_kernel(void)
{
	store(R10, -8);
	copy(R1, R10);
	alu(BPF_ADD, R1, -8);
	mov(R3, 0);
	call(BPF_FUNC_probe_read_kernel);
	end();
}

/* ---- programs that are wrong ------------------------------------------------------------- */

static void too_many_steps(void)
{
	mov(R0, 0);
	alu(BPF_ADD, R0, 1);
	jump(BPF_JLT, R0, 2000000, -2);
	leave();
}

static void too_many_paths(void)
{
	unknown(R7);
	for (int i = 0; i < 9000; i++) {
		jump(BPF_JEQ, R7, i, 1);
		alu(BPF_ADD, R7, 3);
	}
	end();
}

/* A signed division grows when it is patched, out of the reach of the jump over all of them. */
static void too_long_a_jump(void)
{
	unknown(R7);
	jump(BPF_JEQ, R7, 0, 32000);
	for (int i = 0; i < 32000; i++)
		put(BPF_ALU64 | BPF_MOD | BPF_X, R7, R0, 0, 0);
	end();
}

static void too_many_maps(void)
{
	for (u32 i = 0; i < ARRAY_SIZE(maps); i++)
		load_map(R1, maps[i], BPF_PSEUDO_MAP_FD);
	end();
}

static void too_deep_a_stack(void)
{
	store(R10, -400);
	put(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, 2);
	end();
	store(R10, -400);
	end();
}

static void no_pointer(void)
{
	mov(R7, 4096);
	load(R0, R7, 0);
	leave();
}

static void no_such_argument(void)
{
	load(R0, R1, 800);
	leave();
}

static void behind_a_variable(void)
{
	load_map(R1, value_map, BPF_PSEUDO_MAP_VALUE);
	load(R0, R1, 16);
	leave();
}

static void behind_a_record(void)
{
	load_map(R1, ring_map, BPF_PSEUDO_MAP_FD);
	mov(R2, 8);
	mov(R3, 0);
	call(BPF_FUNC_ringbuf_reserve);
	jump(BPF_JNE, R0, 0, 1);
	leave();
	load(R7, R0, 16);
	end();
}

static void key_not_written(void)
{
	load_map(R1, value_map, BPF_PSEUDO_MAP_FD);
	copy(R2, R10);
	alu(BPF_ADD, R2, -8);
	call(BPF_FUNC_map_lookup_elem);
	end();
}

static void local_not_written(void)
{
	store(R10, -16);
	load(R0, R10, -8);
	leave();
}

static void outside_of_stack(void)
{
	store(R10, -520);
	end();
}

static void read_outside_of_stack(void)
{
	load(R0, R10, -520);
	leave();
}

static void never_set(void)
{
	copy(R0, R5);
	leave();
}

static void multiplied_address(void)
{
	alu(BPF_MUL, R1, 2);
	end();
}

static void negative_size(void)
{
	unknown(R2);
	put(BPF_JMP | BPF_JSLE | BPF_K, R2, 0, 2, 8);
	end();
	read_kernel();
}

static void unbounded_size(void)
{
	unknown(R2);
	alu(BPF_RSH, R2, 1);
	read_kernel();
}

static void unbounded_offset(void)
{
	unknown(R7);
	load_map(R1, value_map, BPF_PSEUDO_MAP_VALUE);
	put(BPF_ALU64 | BPF_ADD | BPF_X, R1, R7, 0, 0);
	load(R0, R1, 0);
	leave();
}

static void unreachable(void)
{
	end();
	end();
}

static void endless(void)
{
	unknown(R7);
	jump(BPF_JEQ, R7, 0, -1);
	end();
}

static void not_for_this_kind(void)
{
	call(BPF_FUNC_skb_load_bytes);
	end();
}

static void no_such_function(void)
{
	call(1000000);
	end();
}

static void for_gpl_only(void)
{
	mov(R2, 8);
	read_kernel();
}

/* Kernels from 6.3 on let the superuser read what was not written on the stack. */
static const struct wrong {
	void (*write)(void);
	const char *reason;
	const char *license;             /* NULL: GPL */
	u32 type;                        /* 0: a raw tracepoint's */
	bool may_pass;
	bool may_be_silent;              /* 6.1 refuses it without a word before the statistics */
} wrongs[] = {
	{ .write = too_many_steps, .reason = "it needs more steps than the verifier follows" },
	{ .write = too_many_paths, .reason = "it has too many paths" },
	{ .write = too_long_a_jump, .reason = "it is too large" },
	{ .write = too_many_maps,
	  .reason = "it uses more than 64 BPF maps",
	  .may_be_silent = true },
	{ .write = too_deep_a_stack,
	  .reason = "its local data do not fit the 512 bytes of a BPF stack",
	  .type = BPF_PROG_TYPE_SOCKET_FILTER },
	{ .write = no_pointer,
	  .reason = "memory is read through a value that is not known to be a pointer" },
	{ .write = no_such_argument,
	  .reason = "an argument is read that this probe does not have" },
	{ .write = behind_a_variable, .reason = "an access may fall outside of its variable" },
	{ .write = behind_a_record, .reason = "an access may fall outside of its memory" },
	{ .write = key_not_written,
	  .reason = "local data are read before they are written",
	  .may_pass = true },
	{ .write = local_not_written,
	  .reason = "local data are read before they are written",
	  .may_pass = true },
	{ .write = outside_of_stack, .reason = "an access may fall outside of its local data" },
	{ .write = read_outside_of_stack,
	  .reason = "an access may fall outside of its local data" },
	{ .write = never_set, .reason = "a value is used that was never set" },
	{ .write = multiplied_address,
	  .reason = "an address is computed in a way the kernel forbids" },
	{ .write = negative_size, .reason = "a size may be negative" },
	{ .write = unbounded_size, .reason = "a size or an offset has no bound" },
	{ .write = unbounded_offset, .reason = "a size or an offset has no bound" },
	{ .write = unreachable, .reason = "part of it can never run" },
	{ .write = endless, .reason = "it contains a loop that may not end" },
	{ .write = not_for_this_kind,
	  .reason = "it uses a kernel function that programs of its kind may not use" },
	{ .write = no_such_function,
	  .reason = "it uses a kernel function this kernel does not offer" },
	{ .write = for_gpl_only,
	  .reason = "it uses a function kept for GPL programs",
	  .license = "MIT" },
};

/* Level 4 gives the verifier's words without the walk before them, which for a million steps is
 * long. */
static bool refused(const struct wrong *w)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .log_buf = kernel_log, .log_size = sizeof(kernel_log),
		    .log_level = 4);

	ninsns = 0;
	kernel_log[0] = '\0';
	w->write();
	int fd = bpf_prog_load(w->type ? w->type : BPF_PROG_TYPE_RAW_TRACEPOINT, NULL,
			       w->license ? w->license : "GPL", insns, ninsns, &opts);
	if (fd >= 0)
		close(fd);
	return fd < 0;
}

/* ---- what is said of them ------------------------------------------------------------ */

static const struct dtx_probe probe = {
	.prov = "syscall", .mod = "vmlinux", .func = "read", .name = "entry"
};

static int setup(void **state)
{
	env_open(&env);
	loaded = (struct loaded){ .env = &env, .arena = env.arena };
	value_map = bpf_map_create(BPF_MAP_TYPE_ARRAY, NULL, 4, 8, 1, NULL);
	ring_map = bpf_map_create(BPF_MAP_TYPE_RINGBUF, NULL, 0, 0, 4096, NULL);
	for (u32 i = 0; i < ARRAY_SIZE(maps); i++)
		maps[i] = bpf_map_create(BPF_MAP_TYPE_ARRAY, NULL, 4, 8, 1, NULL);
	return value_map < 0 || ring_map < 0 || maps[ARRAY_SIZE(maps) - 1] < 0;
}

static int teardown(void **state)
{
	close(value_map);
	close(ring_map);
	for (u32 i = 0; i < ARRAY_SIZE(maps); i++)
		close(maps[i]);
	buf_free(&loaded.log);
	env_close(&env);
	return 0;
}

/* The diagnostic made from a log. */
static const struct diag *explained(const char *log)
{
	diags_init(&env.diags, env.arena);
	assert_int_equal(refusal_explain(&loaded, &probe, log), -EACCES);
	assert_non_null(env.diags.first);
	return env.diags.first;
}

static void test_kernel_words(void **state)
{
	for (u32 i = 0; i < ARRAY_SIZE(wrongs); i++) {
		if (!refused(&wrongs[i])) {
			assert_true(wrongs[i].may_pass);
			continue;
		}
		if (wrongs[i].may_be_silent && !strncmp(kernel_log, "verification time", 17))
			continue;
		const char *want = arena_printf(
			env.arena,
			"the kernel refuses the program for syscall:vmlinux:read:entry here: %s",
			wrongs[i].reason);
		const struct diag *d = explained(kernel_log);
		if (strcmp(d->m.text, want))
			print_error("%s", kernel_log);
		assert_string_equal(d->m.text, want);
		assert_non_null(d->m.notes);
	}
}

static void test_each_row(void **state)
{
	static const char *const reasons[] = {
#define REFUSAL(words, reason, step) reason,
#define COSTLY REFUSAL
#include "runtime/load/refusals.def"
#undef COSTLY
#undef REFUSAL
	};

	for (u32 i = 0; i < ARRAY_SIZE(reasons); i++) {
		u32 k = 0;
		while (k < ARRAY_SIZE(wrongs) && strcmp(wrongs[k].reason, reasons[i]))
			k++;
		if (k == ARRAY_SIZE(wrongs))
			fail_msg("no program here is refused because %s", reasons[i]);
	}
}

/* ---- where it was --------------------------------------------------------------------- */

#define TAIL "R0 !read_ok\nprocessed 3 insns (limit 1000000) max_states_per_insn 0\n"

static void test_place(void **state)
{
	static const struct {
		const char *log, *at, *said;
	} rows[] = {
		/* the last line that is of a D program; the BPF library's are passed over */
		{ "; x = 1; @ a.d:2\n0: (b7) r0 = 1\n; return n; @ agg.bpf.c:40\n" TAIL,
		  "a.d:x = 1;", "" },
		{ "; y = 2; @ a.d:3\n1: r1\n; x = 1; @ a.d:2\n" TAIL, "a.d:x = 1;", "" },
		{ "; exit(0); @ -n:1\n" TAIL, "-n:exit(0);", "" },
		/* older kernels name no file */
		{ "; y = 2;\n1: r1\n; return n;\n" TAIL, "a.d:y = 2;", "" },
		{ "; exit(0);\n" TAIL, "-n:exit(0);", "" },
		/* a program that was compiled elsewhere: its text is not here */
		{ "; z = 3; @ b.d:7\n" TAIL, NULL, "b.d:7: " },
		{ "; other @ a.d:2\n" TAIL, NULL, "a.d:2: " },
		/* nothing to go by */
		{ TAIL, NULL, "" },
		{ "; no line of ours\n" TAIL, NULL, "" },
		{ "; @ :\n; @ a.d:\n; a.d:2\n;\n" TAIL, NULL, "" },
	};
	const struct source *texts[] = {
		source_open(env.arena, "/home/u/a.d", "BEGIN {\n\tx = 1;\n\ty = 2;\n}\n", 25, true),
		source_open(env.arena, "-n", "exit(0);", 8, false),
	};

	env.texts = texts;
	env.ntexts = ARRAY_SIZE(texts);
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct diag *d = explained(rows[i].log);
		const char *at = rows[i].at ? strchr(rows[i].at, ':') + 1 : NULL;
		if (at) {
			assert_non_null(d->at.src);
			assert_non_null(
				strstr(d->at.src->name, arena_strndup(env.arena, rows[i].at,
								      strcspn(rows[i].at, ":"))));
			assert_int_equal(d->at.to - d->at.from, strlen(at));
			assert_memory_equal(d->at.src->text + d->at.from, at, strlen(at));
		} else {
			assert_null(d->at.src);
		}
		assert_string_equal(
			d->m.text,
			arena_printf(
				env.arena,
				"%sthe kernel refuses the program for syscall:vmlinux:read:entry "
				"here: a value is used that was never set",
				rows[i].said));
	}
	env.ntexts = 0;
}

/* Any text may stand in a log; words that no row has are shown as they are. */
static void test_odd_logs(void **state)
{
	static const struct {
		const char *log, *note;
	} rows[] = {
		{ "", NULL },
		{ "\n\n\n", NULL },
		{ "processed 0 insns", NULL },
		{ "what is this\n", "the verifier says: what is this" },
		{ "first\nlast", "the verifier says: last" },
		{ "R1 !read_ok\n3: (95) exit\nR2 is odd\n", "the verifier says: R2 is odd" },
		{ "R1 is odd\ncur state: R7=0\nold state: R7=P0\ninsns processed 9\nverification "
		  "time 4 usec\nstack depth 0\nprocessed 1 insns\n\n",
		  "the verifier says: R1 is odd" },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct diag *d = explained(rows[i].log);
		assert_non_null(strstr(d->m.text, "it cannot prove that the program is safe"));
		if (!rows[i].note)
			assert_null(d->m.notes);
		else
			assert_string_equal(d->m.notes->text, rows[i].note);
	}
}

static void test_whole_log(void **state)
{
	env.opts->v[OPT_bpflog].n = 1;
	explained("all of it\n" TAIL);
	env.opts->v[OPT_bpflog].n = 0;
	explained("not this\n" TAIL);
	assert_string_equal(loaded.log.data, "all of it\n" TAIL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kernel_words),
		cmocka_unit_test(test_each_row),
		cmocka_unit_test(test_place),
		cmocka_unit_test(test_odd_logs),
		cmocka_unit_test(test_whole_log),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
