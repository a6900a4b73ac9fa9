/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hotplug.c - CPUs that go and come while tracing: events of each CPU are opened again.
 *
 * The kernel ends the perf events of a CPU that goes offline, without a word: profile-N and its
 * like would not fire there any more when it is back.  It tells of CPUs by uevents, but not of
 * those that it takes away while the machine sleeps; then the clock that counts sleep gains on the
 * other one.  Where uevents cannot be had, the list of online CPUs is compared now and then.
 * Why: docs/decisions/27-capabilities.md
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
#include <linux/netlink.h>

#include <dtx/env.h>

#include "runtime/run/run.h"

#define HOTPLUG_SLEPT  100000000ll /* ns by which the clocks part when the machine sleeps */

struct hotplug {
	struct dtx_session *s;
	int fd;                          /* of uevents, or -1 */
	bool *online;                    /* by CPU, as told last */
	bool *seen;                      /* was it ever online? */
	s64 slept;                       /* CLOCK_BOOTTIME - CLOCK_MONOTONIC */
};

static s64 hotplug_slept(void)
{
	return (s64)(clock_ns(CLOCK_BOOTTIME) - clock_ns(CLOCK_MONOTONIC));
}

/* "0-3,8": false if the kernel does not tell. */
static bool hotplug_read(bool *online, u32 ncpus)
{
	char *text, *at;
	size_t len;

	if (file_read("/sys/devices/system/cpu/online", &text, &len))
		return false;
	memset(online, 0, ncpus);
	for (at = text; *at >= '0' && *at <= '9'; at += *at == ',') {
		u32 first = strtoul(at, &at, 10), last = first;

		if (*at == '-')
			last = strtoul(at + 1, &at, 10);
		for (u32 cpu = first; cpu <= last && cpu < ncpus; cpu++)
			online[cpu] = true;
	}
	free(text);
	return true;
}

/* A program that the option maxoverhead has detached stays so. */
static bool hotplug_is_off(const struct dtx_session *s, u32 link)
{
	for (u32 i = 0; i < s->at.attached.n; i++) {
		const struct attached *a = &s->at.attached.v[i];

		if (link >= a->link && link < a->link + a->nlinks)
			return a->off;
	}
	return true;
}

/* "profile:::profile-97", with the number of others. */
static const char *hotplug_names(const struct dtx_session *s)
{
	const struct dtx_probe *p = s->at.percpu.n ? s->at.percpu.v[0].probe : NULL;
	u32 more = p ? s->at.percpu.n - 1 : 0;

	if (env_cpu(s->env) >= 0)
		return "this program, which traces that CPU alone,";
	if (!p)
		return "what is to be found in later programs";
	return arena_printf(s->arena, more ? PROBE_NAME " and %u more" : PROBE_NAME,
			    PROBE_PARTS(p), more);
}

static void hotplug_say(struct hotplug *h, u32 cpu, const char *what)
{
	const char *now = !h->online[cpu] ? "went offline" : h->seen[cpu] ? "is back" : "is new";

	consumer_tell(h->s->con, MESSAGE(DTX_NOTICE, DTX_INFO), "CPU %u %s: %s %s", cpu, now,
		      hotplug_names(h->s), what);
	h->seen[cpu] = true;
}

static int hotplug_open(struct hotplug *h, const struct attach_percpu *pc, u32 cpu)
{
	struct dtx_session *s = h->s;
	u32 link = pc->link + cpu;

	if (hotplug_is_off(s, link))
		return 0;
	loss_end_samples(s->con, link, 1);
	if (s->at.links.v[link] >= 0)
		close(s->at.links.v[link]);
	s->at.links.v[link] = -1;
	return pc->open(&s->at, pc, (int)cpu, link);
}

/* With the option cpu, only that one is traced. */
static bool hotplug_is_ours(const struct hotplug *h, u32 cpu)
{
	s64 only = env_cpu(h->s->env);

	return only < 0 || only == cpu || h->s->late;
}

/* It is told once, though the list of CPUs and a uevent say it. */
static void hotplug_came(struct hotplug *h, u32 cpu, bool slept)
{
	bool known = h->online[cpu] && !slept;
	int err = 0;

	h->online[cpu] = true;
	if (!hotplug_is_ours(h, cpu))
		return;
	for (u32 i = 0; i < h->s->at.percpu.n; i++) {
		int now = hotplug_open(h, &h->s->at.percpu.v[i], cpu);

		err = now < 0 ? now : err;
	}
	late_cpu(h->s->late, cpu);
	if (known || err == -ENODEV)     /* gone again: that is told, too */
		return;
	hotplug_say(h, cpu, err < 0 ? arena_printf(h->s->arena, "cannot fire there (%s)",
						   prov_why(err))
				    : h->seen[cpu] ? "fires there again" : "fires there, too");
}

static void hotplug_went(struct hotplug *h, u32 cpu)
{
	h->online[cpu] = false;
	if (hotplug_is_ours(h, cpu))
		hotplug_say(h, cpu, "does not fire there until it is back");
}

/* "online@/devices/system/cpu/cpu1" */
static void hotplug_event(struct hotplug *h, const char *text)
{
	const char *at = strstr(text, "@/devices/system/cpu/cpu");
	u32 cpu = at ? strtoul(at + 24, NULL, 10) : UINT32_MAX;

	if (cpu >= h->s->env->ncpus)
		return;
	if (!strncmp(text, "online@", 7))
		hotplug_came(h, cpu, false);
	else if (!strncmp(text, "offline@", 8) && h->online[cpu])
		hotplug_went(h, cpu);
}

static void hotplug_events(struct hotplug *h)
{
	char text[UEVENT_TEXT];
	ssize_t n;

	while (h->fd >= 0 && (n = recv(h->fd, text, sizeof(text) - 1, 0)) > 0) {
		text[n] = '\0';
		hotplug_event(h, text);
	}
}

static void hotplug_compare(struct hotplug *h, const bool *now, bool slept)
{
	for (u32 cpu = 0; cpu < h->s->env->ncpus; cpu++) {
		if (h->online[cpu] && !now[cpu])
			hotplug_went(h, cpu);
		else if (now[cpu] && (slept || !h->online[cpu]))
			hotplug_came(h, cpu, slept);
	}
}

void hotplug_look(struct hotplug *h)
{
	s64 slept = hotplug_slept();
	bool *now;

	if (!h)
		return;
	hotplug_events(h);
	now = xcalloc(h->s->env->ncpus, sizeof(*now));
	if (hotplug_read(now, h->s->env->ncpus))
		hotplug_compare(h, now, slept - h->slept > HOTPLUG_SLEPT);
	h->slept = slept;
	free(now);
}

int uevents_open(void)
{
	struct sockaddr_nl all = { .nl_family = AF_NETLINK, .nl_groups = 1 /* of the kernel */ };
	int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
			NETLINK_KOBJECT_UEVENT);

	if (fd >= 0 && bind(fd, (struct sockaddr *)&all, sizeof(all))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

struct hotplug *hotplug_start(struct dtx_session *s)
{
	struct hotplug *h;

	if (!s->at.percpu.n && !s->late && env_cpu(s->env) < 0)
		return NULL;
	h = xcalloc(1, sizeof(*h));
	h->s = s;
	h->slept = hotplug_slept();
	h->online = xcalloc(s->env->ncpus, sizeof(*h->online));
	hotplug_read(h->online, s->env->ncpus);
	h->seen = xcalloc(s->env->ncpus, sizeof(*h->seen));
	memcpy(h->seen, h->online, s->env->ncpus * sizeof(*h->seen));
	h->fd = uevents_open();
	return h;
}

int hotplug_fd(const struct hotplug *h)
{
	return h ? h->fd : -1;
}

void hotplug_free(struct hotplug *h)
{
	if (!h)
		return;
	if (h->fd >= 0)
		close(h->fd);
	free(h->online);
	free(h->seen);
	free(h);
}
