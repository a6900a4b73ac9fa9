/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_provider.c - descriptions in both spellings, probe ids, rates, argument places, the
 * splitting of refused links, timers.  Needs no kernel ability.
 */
#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include <dtx/kind.h>
#include <dtx/tables/loc.h>
#include <dtx/arch.h>

#include "runtime/code/code.h"
#include "runtime/code/names.h"
#include "runtime/run/run.h"
#include "runtime/kernel/kernel.h"
#include "runtime/provider/provider.h"

extern const struct dtx_provider provider_tracepoint;

static struct dtx_env env;

static int setup(void **state)
{
	env_open(&env);
	return 0;
}

static int teardown(void **state)
{
	env_close(&env);
	return 0;
}

/* "prov|mod|func|name", "#id", or "!" and the start of the complaint. */
static const char *parsed(const char *text, u32 nalign)
{
	struct dtx_pattern p;
	const char *err;

	if (provider_parse(env.arena, text, nalign, &p, &err))
		return arena_printf(env.arena, "!%s", err);
	assert_null(err);
	if (p.id)
		return arena_printf(env.arena, "#%u", p.id);
	return arena_printf(env.arena, "%s|%s|%s|%s", p.prov, p.mod, p.func, p.name);
}

static void test_parse(void **state)
{
	static const struct { const char *text, *want; } rows[] = {
		{ "BEGIN",                       "|||BEGIN" },
		{ "begin",                       "dtrace|||BEGIN" },
		{ " end ",                       "dtrace|||END" },
		{ "end:entry",                   "||end|entry" },
		{ "read:entry",                  "||read|entry" },
		{ "syscall::read:entry",         "syscall||read|entry" },
		{ "fbt:::",                      "fbt|||" },
		{ "pid12:libc.so.6:malloc:entry", "pid12|libc.so.6|malloc|entry" },
		{ "1234",                        "#1234" },
		{ "kprobe:vfs_read",             "fbt||vfs_read|entry" },
		{ "kprobe:ext4:ext4_*",          "fbt|ext4|ext4_*|entry" },
		{ "kprobe:vfs_read+0x1d",        "fbt||vfs_read|0x1d" },
		{ "kretprobe:vfs_read+0",        "fbt||vfs_read|return" },
		{ "kprobe:0x1000",               "fbt||0x1000|entry" },
		{ "uretprobe:libc:malloc+0",     "uprobe|libc|malloc|return" },
		{ "uretprobe:libc:0x1000",       "uprobe|libc|0x1000|return" },
		{ "kprobe:ext4:ext4_sync_fs+16", "fbt|ext4|ext4_sync_fs|0x10" },
		{ "kretprobe:vfs_read",          "fbt||vfs_read|return" },
		{ "fentry:vfs_read",             "fbt||vfs_read|entry" },
		{ "fexit:vfs_read",              "fbt||vfs_read|return" },
		{ "k:vfs_read",                  "fbt||vfs_read|entry" },
		{ "k:entry",                     "||k|entry" },
		{ "::kprobe:f",                  "||kprobe|f" },
		{ "tracepoint:sched:sched_switch", "tracepoint|sched||sched_switch" },
		{ "tracepoint:sched::sched_switch", "tracepoint|sched||sched_switch" },
		{ "t:sched:sched_*",             "tracepoint|sched||sched_*" },
		{ "sdt:sched::sched_switch",     "sdt|sched||sched_switch" },
		{ "rawtracepoint:sched_switch",  "rawtp|||sched_switch" },
		{ "rawtracepoint:vmlinux:sched_switch", "rawtp|||sched_switch" },
		{ "rawtp:sched::sched_switch",   "rawtp|sched||sched_switch" },
		{ "profile:hz:99",               "profile|||profile-99" },
		{ "profile:ms:10",               "profile|||profile-10ms" },
		{ "profile:10ms",                "profile|||profile-10ms" },
		{ "interval:s:1",                "profile|||tick-1s" },
		{ "interval:1000000",            "profile|||tick-1000000ns" },
		{ "uprobe:/bin/bash:readline",   "uprobe|/bin/bash|readline|entry" },
		{ "uretprobe:libc:malloc",       "uprobe|libc|malloc|return" },
		{ "uprobe:libc:malloc+0x1c",     "uprobe|libc|malloc|1c" },
		{ "uprobe:/bin/bash:0x1f40",     "uprobe|/bin/bash|-|1f40" },
		{ "uprobe:\"/tmp/a:b*\":f",      "uprobe|/tmp/a:b\\*|f|entry" },
		{ "a\\:b:entry",                 "||a\\:b|entry" },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++)
		assert_string_equal(parsed(rows[i].text, 4), rows[i].want);
}

static void test_alignment(void **state)
{
	assert_string_equal(parsed("syscall", 1), "syscall|||");
	assert_string_equal(parsed("vmlinux", 2), "|vmlinux||");
	assert_string_equal(parsed("fbt:vmlinux", 2), "fbt|vmlinux||");
	assert_string_equal(parsed("fbt::vfs_read", 3), "fbt||vfs_read|");
	assert_string_equal(parsed("12", 3), "||12|");
	assert_int_equal(*parsed("a:b", 1), '!');
	assert_int_equal(*parsed("a:b:c:d:e", 4), '!');
}

static void test_complaints(void **state)
{
	static const char *const bad[] = {
		"kprobe:vfs_read+x",    "kprobe:vfs_read+", "kretprobe:vfs_read+4",
		"kprobe:0x1000z",       "profile:99hz:1",   "interval:fortnight:1",
		"interval:s:x",         "uprobe::f",        "uretprobe:libc:malloc+4",
		"uprobe:libc:malloc+x", "\"open",
	};

	for (u32 i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(*parsed(bad[i], 4), '!');
}

struct seen { struct dtx_probe *probe[64]; u32 n; };

static int see(void *arg, struct dtx_probe *p)
{
	struct seen *s = arg;

	assert_true(s->n < ARRAY_SIZE(s->probe));
	s->probe[s->n++] = p;
	return 0;
}

static struct seen listed(const char *text)
{
	struct seen s = { .n = 0 };
	struct dtx_pattern p;
	const char *err;

	assert_int_equal(provider_parse(env.arena, text, 4, &p, &err), 0);
	assert_int_equal(provider_list(&env, &p, see, &s), 0);
	return s;
}

static void test_list(void **state)
{
	struct seen s = listed("dtrace:::");

	assert_int_equal(s.n, 3);
	assert_int_equal(s.probe[2]->id, 3);
	assert_string_equal(s.probe[2]->name, "ERROR");
	s = listed("BEGIN");
	assert_int_equal(s.n, 1);
	assert_int_equal(s.probe[0]->prog.kind, PK_TESTRUN);
	s = listed("2");
	assert_int_equal(s.n, 1);
	assert_string_equal(s.probe[0]->name, "END");
	s = listed("profile:::");
	assert_int_equal(s.n, 13);
	s = listed("profile:::tick-*");
	assert_int_equal(s.n, 6);
	s = listed("dtrace:::NOTHING");
	assert_int_equal(s.n, 0);
}

static void test_rates(void **state)
{
	static const struct { const char *name; s64 ns; } good[] = {
		{ "profile:::profile-99", 10101010 }, { "profile:::profile-99hz", 10101010 },
		{ "profile:::tick-1s", 1000000000 }, { "profile:::tick-10MSEC", 10000000 },
		{ "profile:::tick-200us", 200000 }, { "profile:::tick-2m", 120000000000 },
		{ "profile:::tick-5000", 200000 }, { "profile:::tick-1day", 86400000000000 },
	};
	static const char *const bad[] = {
		"profile:::profile-0", "profile:::profile-5001", "profile:::tick-199us",
		"profile:::tick-1w", "profile:::tick-", "profile:::tick--1", "profile:::tick-9e9s",
		"profile:::tick-99999999999999999999s", "profile:::tick-999999999d",
	};

	for (u32 i = 0; i < ARRAY_SIZE(good); i++) {
		struct seen s = listed(good[i].name);

		assert_int_equal(s.n, 1);
		assert_int_equal(s.probe[0]->place.num, good[i].ns);
	}
	for (u32 i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(listed(bad[i]).n, 0);
	/* The same rate is the same probe. */
	assert_int_equal(listed("tick-7s").probe[0]->id, listed("tick-7s").probe[0]->id);
	assert_int_not_equal(listed("tick-7s").probe[0]->id, listed("tick-8s").probe[0]->id);
}

static void test_by_name(void **state)
{
	assert_ptr_equal(provider_by_name("fbt"), &provider_fbt);
	assert_ptr_equal(provider_by_name("sdt"), &provider_tracepoint);
	assert_ptr_equal(provider_by_name("pid12"), &provider_pid);
	assert_null(provider_by_name("pid12x"));
	assert_null(provider_by_name("nosuch"));
}

static void test_nearest(void **state)
{
	struct dtx_pattern p = { .prov = "dtrace", .mod = "", .func = "", .name = "BEGN" };
	const char *near[4];

	assert_int_equal(provider_nearest(&env, &p, near, 4), 1);
	assert_string_equal(near[0], "dtrace:::BEGIN");
	p = (struct dtx_pattern){ .prov = "sycall", .mod = "", .func = "read", .name = "entry" };
	assert_int_equal(provider_nearest(&env, &p, near, 4), 1);
	assert_string_equal(near[0], "syscall::read:entry");
	p = (struct dtx_pattern){ .prov = "dtrace", .mod = "", .func = "", .name = "completely" };
	assert_int_equal(provider_nearest(&env, &p, near, 4), 0);
}

static void test_common(void **state)
{
	struct dtx_probe a = {
		.prov = "fbt", .mod = "vmlinux", .func = "vfs_read", .name = "entry"
	};
	struct dtx_probe b = {
		.prov = "fbt", .mod = "vmlinux", .func = "vfs_write", .name = "entry"
	};
	const struct dtx_probe *p[] = { &a, &b };

	assert_string_equal(prov_common(env.arena, p, 2), "fbt:vmlinux:vfs_*:entry");
	assert_string_equal(prov_common(env.arena, p, 1), "fbt:vmlinux:vfs_read:entry");
}

/* int f(int a, struct { 16 bytes } s, long c, d, e, f, g, struct { 24 bytes } big, int h) */
static void test_arguments(void **state)
{
	static struct type two = { .kind = T_STRUCT, .size = 16 },
			   big = { .kind = T_STRUCT, .size = 24 };
	struct type_member params[] = {
		{ .name = "a", .type = &ty_int }, { .name = "s", .type = &two },
		{ .name = "c", .type = &ty_long }, { .name = "d", .type = &ty_long },
		{ .name = "e", .type = &ty_long }, { .name = "f", .type = &ty_long },
		{ .name = "big", .type = &big }, { .name = "h", .type = &ty_int },
	};
	struct type proto = {
		.kind = T_FUNC, .to = &ty_int, .params = params, .count = ARRAY_SIZE(params),
	};
	struct dtx_probe p = { 0 };

	args_regs(&env, &p, &proto, false);
	assert_int_equal(p.args.n, 8);
	assert_int_equal(p.args.v[0].loc, LOC_REG);
	assert_int_equal(p.args.v[0].off, 112);         /* di */
	assert_int_equal(p.args.v[0].size, 4);
	assert_true(p.args.v[0].is_signed);
	assert_int_equal(p.args.v[1].loc, LOC_NONE);
	assert_int_equal(p.args.v[2].off, 88);          /* cx */
	assert_int_equal(p.args.v[4].off, 64);          /* r9 */
	assert_int_equal(p.args.v[5].loc, LOC_STACK);
	assert_int_equal(p.args.v[5].off, 8);
	assert_int_equal(p.args.v[6].off, 16);
	assert_int_equal(p.args.v[7].off, 40);
	assert_int_equal(args_nslots(&proto, 0), 11);
	args_regs(&env, &p, NULL, true);
	assert_int_equal(p.args.n, DTX_MAX_ARGS);
	assert_true(p.args.untyped);
	assert_int_equal(p.args.v[9].off, 8 + 8 * 3);
	args_return(&env, &p, &ty_void, -1);
	assert_int_equal(p.args.v[1].loc, LOC_NONE);
	args_return(&env, &p, &ty_long, -1);
	assert_int_equal(p.args.ret, 1);
	assert_int_equal(p.args.v[1].off, ARCH_REG_RESULT);
	assert_int_equal(p.args.v[0].value, -1);
}

/* A kernel that refuses any set with an odd cookie in it. */
static int refuse_odd(void *arg, const struct multi_site *sites, u32 n, int prog_fd)
{
	(*(u32 *)arg)++;
	for (u32 i = 0; i < n; i++)
		if (sites[i].cookie & 1)
			return -EINVAL;
	return 1000000 + *(u32 *)arg;
}

static void test_multi(void **state)
{
	struct attach at = { .env = &env, .arena = env.arena };
	struct multi_site sites[64];
	struct dtx_probe probes[64] = { { 0 } };
	u32 calls = 0, nlinks = 0;

	for (u32 i = 0; i < 64; i++)
		sites[i] = (struct multi_site){ &probes[i], i == 5 || i == 40 ? 1 : 2 * i };
	assert_int_equal(multi_attach(&at, sites, 64, -1,
				      (struct multi_linker){ refuse_odd, &calls }, &nlinks), 62);
	assert_int_equal(at.refused.n, 2);
	assert_ptr_equal(at.refused.v[0].probe, &probes[5]);
	assert_int_equal(at.links.n, nlinks);
	assert_true(calls < 64);
	VEC_FREE(&at.refused);
	VEC_FREE(&at.links);
}

static void test_row(void **state)
{
	struct dtx_arg args[] = {
		{ .name = "comm", .ctype = "char [16]" },
		{ .name = "fn", .ctype = "void (*)(int)" },
		{ .name = "sk", .ctype = "struct sock *" },
		{ .ctype = "int" },
	};
	struct dtx_probe p = {
		.provider = &provider_tracepoint, .id = 10042, .prov = "tracepoint", .mod = "sched",
		.func = "", .name = "x", .prog.kind = PK_TRACEPOINT, .args.v = args, .args.n = 4,
		.args.state = ARGS_TYPED,
	};
	struct buf out = { 0 };

	list_row(&env, &p, false, &out);
	assert_string_equal(out.data, "10042 tracepoint             sched                  "
			    "                 x\n");
	list_row(&env, &p, true, &out);
	assert_non_null(strstr(out.data, "\t\targs[0]: char comm[16]\n"));
	assert_non_null(strstr(out.data, "\t\targs[1]: void (*fn)(int)\n"));
	assert_non_null(strstr(out.data, "\t\targs[2]: struct sock *sk\n"));
	assert_non_null(strstr(out.data, "\t\targs[3]: int\n"));
	buf_free(&out);
}

/* What a place says that dtx cannot follow; each text is a block of its own, nothing lies before
 * it. */
static void test_usdt_args(void **state)
{
	static const struct { const char *text; u32 size; u8 loc; const char *why; } rows[] = {
		{ "-4@%eax", 4, LOC_REG, NULL },
		{ "8@$5", 8, LOC_CONST, NULL },
		{ "1@4(%rax,%rdx,8)", 1, LOC_USERMEM, NULL },
		{ "8f@%xmm0", 8, LOC_NONE, "it is a floating-point number" },
		{ "3@%rax", 8, LOC_NONE, "it has 3 bytes" },
		{ "65544@%rax", 8, LOC_NONE, "it has 65544 bytes" },
		{ "@%rax", 8, LOC_NONE, "it has 0 bytes" },
		{ "8@", 8, LOC_NONE, "its place has an unknown syntax" },
	};
	const struct usdt_where where = { 0 };
	struct dtx_arg a;

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		char *text = xstrdup(rows[i].text);

		assert_int_equal(usdt_parse_args(env.arena, text, &where, &a, 1), 1);
		assert_int_equal(a.size, rows[i].size);
		assert_int_equal(a.loc, rows[i].loc);
		if (rows[i].why)
			assert_string_equal(a.text, rows[i].why);
		free(text);
	}
}

/* ---- timers ------------------------------------------------------------------------- */

static u32 threads(void)
{
	DIR *dir = opendir("/proc/self/task");
	u32 n = 0;

	for (struct dirent *e; (e = readdir(dir)); )
		n += *e->d_name != '.';
	closedir(dir);
	return n;
}

/* A thread that was joined is shown for a moment more. */
static u32 threads_after(u32 wanted)
{
	for (u32 ms = 0; ms < 1000 && threads() != wanted; ms++)
		usleep(1000);
	return threads();
}

/* The timers are the session's, whichever provider asked for them: here one without any probe. */
static void test_timers(void **state)
{
	struct img img = { 0 };
	struct dtx_session *s = session_new(&env, &img);
	u32 before = threads();

	assert_int_equal(ticker_add(&s->at.ticker, -1, 1000000, -1), 0);
	s->state = SES_ATTACHED;
	assert_int_equal(ticker_start(s->at.ticker), 0);
	assert_int_equal(threads(), before + 1);
	session_free(s);
	assert_int_equal(threads_after(before), before);
}

/* A pattern that a readable name begins with fits its symbol, whatever is told from the mangled
 * name: all prefixes of the text up to its first operator, argument or bracket. */
static int fits_its_own_prefixes(void *arg, const struct elfsym *sym)
{
	struct buf text = { 0 };
	u32 *n = arg;

	if (!strncmp(sym->name, "_Z", 2) && !strpbrk(sym->name, ".@") &&
	    sym_function(sym->name, &text)) {
		size_t len = strcspn(text.data, "*?[\\(<{ `");

		for (size_t i = 1; i <= len; i++) {
			char *prefix = xprintf("%.*s*", (int)i, text.data);

			if (!user_name_fits(prefix, sym, false))
				fail_msg("%s does not fit %s", prefix, sym->name);
			free(prefix);
		}
		(*n)++;
	}
	buf_free(&text);
	return *n >= 3000;
}

static void test_readable_prefixes(void **state)
{
	static const char *const symbols[] = {
		"_ZN2ns1fEi", "_ZNSt6vectorIiSaIiEE9push_backERKi", "_ZNSs6appendEPKc",
		"_ZNSolsEi", "_ZplRK1AS1_", "_ZN1AnwEm", "_ZNK1AcvbEv", "_ZN12_GLOBAL__N_11gEv",
		"_ZTV1A", "_ZThn8_N1A1fEv", "_ZGVZ1fvE1x", "_ZZN1A1fEvENKUlvE_clEv",
		"_ZN4core3fmt5write17h0123456789abcdefE",
	};
	const char *path = sym_library(env.arena, "libstdc++.so.6"), *err;
	struct elfsyms *s = path ? elfsyms_open(path, &err) : NULL;
	u32 n = 0;

	for (u32 i = 0; i < ARRAY_SIZE(symbols); i++) {
		struct elfsym sym = { .name = symbols[i] };

		fits_its_own_prefixes(&n, &sym);
	}
	assert_int_equal(n, ARRAY_SIZE(symbols));
	assert_false(user_name_fits("ns::g*", &(struct elfsym){ .name = "_ZN2ns1fEi" }, false));
	if (s)
		elfsyms_each(s, fits_its_own_prefixes, &n);
	elfsyms_close(s);
}

static void test_names_fit(void **state)
{
	static const struct { const char *wanted, *symbol; bool clones, fits; } rows[] = {
		{ "f", "f", false, true },
		{ "f", "f.isra.0", false, true },        /* only a pattern leaves clones out */
		{ "f", "f.constprop.0.isra.0", false, true },
		{ "f*", "f.isra.0", false, false },
		{ "f*", "f.isra.0", true, true },
		{ "f", "f.part.0", false, false },
		{ "f", "f.isra.0.cold", false, false },
		{ "f*", "f.cold", true, false },
		{ "f.cold", "f.cold", false, true },
		{ "f", "f@V1", false, false },
		{ "main", "main.f", false, false },      /* Go */
		{ "main.f", "main.f", false, true },
		{ "Shop::twice", "_ZN4Shop5twiceIiEET_S1_", false, true },
		{ "*::twice", "_ZN4Shop5twiceIiEET_S1_", false, true },
		{ "Shop::twice<int>", "_ZN4Shop5twiceIiEET_S1_", false, true },
		{ "Shop::twice<long>", "_ZN4Shop5twiceIiEET_S1_", false, false },
		{ "Shop::twice", "_ZN4Shop5twiceIiEET_S1_.isra.0", false, true },
		{ "Shop::twice", "_ZN4Shop5twiceIiEET_S1_.part.0", false, false },
		{ "std::vector::push_back", "_ZNSt6vectorIiSaIiEE9push_backERKi", false, true },
		{ "join", "_Z4joinB5cxx11i", false, true },
		{ "join*", "_Z4joinB5cxx11i", false, true },
		{ "Box::join", "_ZN3BoxIiE4joinB5cxx11Ei.isra.0", false, true },
		{ "Box::operator<", "_ZN3BoxIiEltERKS0_.isra.0", false, true },
		{ "Shop::operator<", "_ZN4ShopltERKS_", false, true },
		{ "Shop::operator", "_ZN4ShopltERKS_", false, false },
		{ "Shop::operator<<", "_ZN4ShoplsIiEEvT_", false, true },
		{ "Shop::operator->", "_ZN4ShopptEv", false, true },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		struct elfsym sym = { .name = rows[i].symbol };

		if (user_name_fits(rows[i].wanted, &sym, rows[i].clones) != rows[i].fits)
			fail_msg("%s and %s", rows[i].wanted, rows[i].symbol);
	}
}

/* However many reasons there are, each is told. */
static void test_left_out(void **state)
{
	struct user_where where = { .mod = "shop" };
	struct user_left_out left = { 0 };
	u32 before = env.diags.nwarnings;

	for (u32 i = 0; i < 40; i++)
		user_leave_out(&left, arena_printf(env.arena, "f%u", i),
			       arena_printf(env.arena, "reason %u", i % 20));
	assert_int_equal(left.n, 20);
	user_tell_left_out(&env, &where, &left);
	assert_int_equal(env.diags.nwarnings, before + 20);
	assert_int_equal(left.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse), cmocka_unit_test(test_alignment),
		cmocka_unit_test(test_complaints), cmocka_unit_test(test_list),
		cmocka_unit_test(test_rates), cmocka_unit_test(test_by_name),
		cmocka_unit_test(test_nearest), cmocka_unit_test(test_common),
		cmocka_unit_test(test_arguments), cmocka_unit_test(test_multi),
		cmocka_unit_test(test_row), cmocka_unit_test(test_usdt_args),
		cmocka_unit_test(test_timers), cmocka_unit_test(test_readable_prefixes),
		cmocka_unit_test(test_names_fit), cmocka_unit_test(test_left_out),
	};

	return cmocka_run_group_tests_name("provider", tests, setup, teardown);
}
