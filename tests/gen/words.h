/* SPDX-License-Identifier: BSD-2-Clause */
/* words.h - what gen.c makes programs of: declarations at their top, values without operands. */
#ifndef GEN_WORDS_H
#define GEN_WORDS_H

static const char declared[] =
	"enum number { TWO = 2, THREE };\nstruct inner { short x; unsigned char y; };\n"
	"struct outer { int a; char b; struct inner in; unsigned bits : 5; long c; };\n"
	"inline int limit = 100;\ninline string who = execname == \"dtx\" ? \"me\" : \"other\";\n"
	"inline int larger[int a, int b] = a > b ? a : b;\n"
	"char g_char; unsigned char g_uchar; short g_short; unsigned short g_ushort; int g_int;\n"
	"unsigned g_uint; long g_long; unsigned long g_ulong; long long g_ll; uint8_t g_bool;\n"
	"enum number g_enum; string g_string, g_string2; struct outer g_su; int g_array[8];\n"
	"self char t_char; self int t_int; self uint64_t t_ulong; self string t_string;\n"
	"self struct outer t_su; self long t_assoc[int]; self string t_names[string];\n"
	"self int spec; this char c_char; this unsigned short c_ushort; this int c_int;\n"
	"this long c_long; this uint64_t c_ulong; this string c_string; this struct outer c_su;\n"
	"this char *c_chars; this int *c_ints; this struct outer *c_ptr;\n"
	"this struct task_struct *c_task;\n"
	"long a_is[int, string]; int a_s[string]; string a_str[uint64_t];\n"
	"uint16_t a_mix[char, string, uint64_t]; struct outer a_su[long];\n\n";

static const char *const int_vars[] = {
	"g_char", "g_uchar", "g_short", "g_ushort", "g_int", "g_uint", "g_long", "g_ulong",
	"g_ll", "g_bool", "g_enum", "self->t_char", "self->t_int", "self->t_ulong",
	"this->c_char", "this->c_ushort", "this->c_int", "this->c_long", "this->c_ulong",
	"g_su.b", "g_su.in.x", "this->c_su.a", "this->c_su.in.y", "g_su.bits",
};

static const char *const int_leaves[] = {
	"pid", "tid", "ppid", "uid", "gid", "cpu", "timestamp", "vtimestamp", "walltimestamp",
	"id", "epid", "arg0", "arg1", "arg2", "arg3", "arg5", "arg9", "errno", "caller",
	"ucaller", "stackdepth", "ustackdepth", "curthread->pid", "curthread->tgid",
	"curthread->flags", "curthread->comm[3]", "curthread->real_parent->pid",
	"curthread->se.vruntime", "curthread->mm->total_vm", "curthread->sched_reset_on_fork",
	"sizeof(struct outer)", "sizeof(struct task_struct)", "offsetof(struct outer, in)", "TWO",
	"THREE", "limit", "(uint64_t)curthread", "curthread->cred->uid.val",
	"curthread->start_time", "$pid", "curthread->real_parent->real_parent->comm[0]",
	"curthread->signal->nr_threads",
};

static const char *const literals[] = {
	"0", "1", "2", "7", "10", "127", "128", "255", "256", "65535", "0x7fffffff", "0x80000000",
	"4294967295", "4294967296", "0x7fffffffffffffff", "0xffffffffffffffffULL", "'a'", "'\\n'",
	"-1", "-2147483648", "077", "3U", "5L", "9LL", "11ULL",
};

static const char *const strings[] = {
	"\"\"", "\"a\"", "\"hello\"", "\"/usr/lib/x.so.1\"", "\"a,b;c d\"", "\"tab\\tnl\\n\\x41\"",
	"\"{\\\"a\\\":[1,2,{\\\"b\\\":\\\"x\\\"}]}\"", "\"0x1f\"",
	"\"a text of sixty-four characters, neither more nor less than that\"",
	("\"a longer text, which has more characters than fit where short texts are compared: "
	"word by word it is looked at in a loop\""),
};

static const char *const string_leaves[] = {
	"execname", "probeprov", "probemod", "probefunc", "probename", "g_string", "g_string2",
	"self->t_string", "this->c_string", "who", "stringof(curthread->comm)",
	"(string)curthread->real_parent->comm", "stringof(arg1)",
};

#endif
