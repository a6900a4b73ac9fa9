/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dtx_known.c - a module for the guests' kernels that does what /proc/dtx_known is told: "WORD N",
 * N times.
 *
 *   call                  known_twice() with n = 1, 2, … N, and m = -n; known_wide() with n, a
 *                         number of 128 bits, -n
 *   parts                 known_parts() with an object of all kinds of members, a tracepoint of
 *                         such fields
 *   mutex                 known_mutex is taken and released
 *   signal                a thread that waits for known_mutex has a signal, and does not get it
 *   spun-mutex            known_mutex is got by a thread that spins, as the owner is running
 *   spun-read, spun-write known_rw is got by a reader, a writer that spins
 *   spun-spin             known_spin is got by two threads, the second of which waits in the queue
 *                         (three CPUs)
 *
 * A lock that is waited for is held by a thread on another CPU until someone does wait.  The file
 * says how many nanoseconds all waits of the last word took at most.
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/proc_fs.h>
#include <linux/sched/signal.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>

#define CREATE_TRACE_POINTS
#include "dtx_known.h"

#define KNOWN  noinline __attribute__((noipa))

DEFINE_MUTEX(known_mutex);
DEFINE_RWLOCK(known_rw);
DEFINE_SPINLOCK(known_spin);
static DECLARE_COMPLETION(held);
static DECLARE_COMPLETION(let_go);
static DECLARE_COMPLETION(ended);
static u64 waited;

KNOWN int known_twice(int n, long m)
{
	trace_known_call(n);
	return 2 * n;
}

KNOWN int known_wide(int before, __int128 wide, int after)
{
	return before + (int)wide + after;
}

static void call(int n)
{
	known_twice(n, -n);
	known_wide(n, (__int128)n << 64 | 7, -n);
}

struct known_bits {
	u32 a : 3;
	s32 b : 30;
	u32 c : 31;
	s64 d : 33;
	u64 e : 63;
	bool f : 1;
	enum known_color g : 9;
} __packed;

/* The first member at the offset is narrower, or a pointer, or one to another struct. */
struct known_behind {
	union { struct { u16 low, high; }; s32 all; s64 wide; };
	struct { u8 before; s32 rest : 24; };
	union { const void *any; const struct worker *at; s64 number; s32 half; };
	union { const struct known_parts *parts; const struct worker *w; s64 address; };
};

struct known_parts {
	const volatile long *cv;
	int (*fn)(int n, long m);
	int (*rows)[4];
	struct { s8 k; struct { s16 deep; } in[2]; } arr[2];
	union { s32 whole; struct { u16 lo, hi; }; };
	struct known_behind behind;
	struct known_bits bits;          /* 22 bytes: the last member lies in the padding */
	struct worker last[];
};

DEFINE_PER_CPU(int, known_by_cpu[3]);
static long known_long = -77;
static int known_row[4] = { 1, -2, 3, -4 };
static struct { struct known_parts p; struct worker more[3]; } known_box;

KNOWN enum known_color known_parts(const struct known_parts *p, enum known_color c,
				   const struct known_bits *const volatile b)
{
	return c;
}

static void parts(int n)
{
	struct known_parts *p = &known_box.p;
	int cpu;

	*p = (struct known_parts){
		.cv = &known_long, .fn = known_twice, .rows = &known_row,
		.arr[1] = { .k = -9, .in[1].deep = -1234 }, .whole = -2,
		.behind = { .wide = -3, .before = 200, .rest = -70000, .at = &p->last[1],
			    .w = &p->last[1] },
		.bits = { 5, -12345, 0x7ffffffe, -4000000000ll, 0x7ffffffffffffff1ull, true,
			  KNOWN_RED },
	};
	for_each_possible_cpu(cpu)
		per_cpu(known_by_cpu, cpu)[2] = -50 - cpu;
	p->last[0] = (struct worker){ 11, -11 };
	p->last[1] = (struct worker){ 12, -12 };
	known_parts(p, KNOWN_RED, &p->bits);
	trace_known_odd(&p->last[1]);
}

static void mutex(int n)
{
	mutex_lock(&known_mutex);
	mutex_unlock(&known_mutex);
}

/* ---- a lock that another thread holds ------------------------------------------------------- */

static int hold_asleep(void *arg)
{
	mutex_lock(&known_mutex);
	complete(&held);
	wait_for_completion(&let_go);
	mutex_unlock(&known_mutex);
	complete(&ended);
	return 0;
}

static int hold_mutex(void *arg)
{
	mutex_lock(&known_mutex);
	complete(&held);
	while (!osq_is_locked(&known_mutex.osq))
		cpu_relax();
	udelay(200);
	mutex_unlock(&known_mutex);
	complete(&ended);
	return 0;
}

static int hold_rw(void *arg)
{
	write_lock(&known_rw);
	complete(&held);
	while (!arch_spin_is_locked(&known_rw.raw_lock.wait_lock))
		cpu_relax();
	udelay(200);
	write_unlock(&known_rw);
	complete(&ended);
	return 0;
}

/* Until the number of the last CPU in the queue, in the upper half, is not 0. */
static int hold_spin(void *arg)
{
	spin_lock(&known_spin);
	complete(&held);
	while (!(atomic_read((atomic_t *)&known_spin) >> 16))
		cpu_relax();
	udelay(200);
	spin_unlock(&known_spin);
	complete(&ended);
	return 0;
}

static int second(void *arg)
{
	spin_lock(&known_spin);
	spin_unlock(&known_spin);
	complete(&ended);
	return 0;
}

static void start(int (*what)(void *), int cpu)
{
	struct task_struct *t = kthread_create(what, NULL, "dtx_known");

	kthread_bind(t, cpu);
	wake_up_process(t);
}

static void signal(int n)
{
	start(hold_asleep, 1);
	wait_for_completion(&held);
	set_tsk_thread_flag(current, TIF_SIGPENDING);
	if (!mutex_lock_interruptible(&known_mutex))
		mutex_unlock(&known_mutex);
	clear_tsk_thread_flag(current, TIF_SIGPENDING);
	complete(&let_go);
	wait_for_completion(&ended);
}

static void spun_mutex(int n)
{
	start(hold_mutex, 1);
	wait_for_completion(&held);
	mutex_lock(&known_mutex);
	mutex_unlock(&known_mutex);
	wait_for_completion(&ended);
}

static void spun_read(int n)
{
	start(hold_rw, 1);
	wait_for_completion(&held);
	read_lock(&known_rw);
	read_unlock(&known_rw);
	wait_for_completion(&ended);
}

static void spun_write(int n)
{
	start(hold_rw, 1);
	wait_for_completion(&held);
	write_lock(&known_rw);
	write_unlock(&known_rw);
	wait_for_completion(&ended);
}

static void spun_spin(int n)
{
	start(hold_spin, 1);
	wait_for_completion(&held);
	start(second, 2);
	spin_lock(&known_spin);
	spin_unlock(&known_spin);
	wait_for_completion(&ended);
	wait_for_completion(&ended);
}

/* ---- /proc/dtx_known ------------------------------------------------------------------------ */

static const struct { const char *word; void (*act)(int); } words[] = {
	{ "call", call }, { "parts", parts }, { "mutex", mutex }, { "signal", signal },
	{ "spun-mutex", spun_mutex },
	{ "spun-read", spun_read }, { "spun-write", spun_write }, { "spun-spin", spun_spin },
};

static ssize_t known_write(struct file *f, const char __user *from, size_t size, loff_t *at)
{
	char text[64] = "", word[32];
	u64 begin = ktime_get_ns();
	int n, i, k;

	if (size >= sizeof(text) || copy_from_user(text, from, size) ||
	    sscanf(text, "%31s %d", word, &n) != 2)
		return -EINVAL;
	for (k = 0; k < ARRAY_SIZE(words) && strcmp(words[k].word, word); k++)
		;
	if (k == ARRAY_SIZE(words))
		return -EINVAL;
	for (i = 1; i <= n; i++)
		words[k].act(i);
	waited = ktime_get_ns() - begin;
	return size;
}

static ssize_t known_read(struct file *f, char __user *to, size_t size, loff_t *at)
{
	char text[32];
	int n = scnprintf(text, sizeof(text), "%llu\n", waited);

	return simple_read_from_buffer(to, size, at, text, n);
}

static const struct proc_ops ops = { .proc_write = known_write, .proc_read = known_read };

static int __init known_begin(void)
{
	return proc_create("dtx_known", 0600, NULL, &ops) ? 0 : -ENOMEM;
}

static void __exit known_end(void)
{
	remove_proc_entry("dtx_known", NULL);
}

module_init(known_begin);
module_exit(known_end);
MODULE_LICENSE("Dual BSD/GPL");
