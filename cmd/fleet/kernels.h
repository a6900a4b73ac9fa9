/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kernels.h - the kernels of the hosts of a run: one description and one compilation for each,
 * however many hosts have it.
 */
#ifndef DTX_KERNELS_H
#define DTX_KERNELS_H

#include "cmd/command.h"
#include "cmd/fleet/peer.h"

enum kernel_state {
	KERNEL_NEW,              /* nobody describes it yet */
	KERNEL_DESCRIBED,        /* `description` has it; it waits for its turn */
	KERNEL_COMPILES,
	KERNEL_COMPILED,
	KERNEL_FAILED,           /* `text` says why */
};

struct kernel {
	struct kernel *next;
	char *build, *boot;      /* boot NULL: an image that is not of one boot */
	enum kernel_state state;
	const struct peer *by;   /* who describes it, or NULL */
	int description, image, messages;        /* descriptors, -1 */
	pid_t pid;               /* of the compiler, 0: none */
	struct bytes text;       /* what it says */
	size_t size;             /* of the description that comes */
	char *bytes;             /* the image */
	size_t len;
};

/* The kernel of a host; `own_boot`: an image of its boot alone. */
struct kernel *kernels_find(struct kernel **all, const struct peer *, bool own_boot);
/* Takes a description that an earlier run kept: by this host in this boot; or by any host of the
 * run, if the image need not be of one boot. */
void kernel_from_cache(struct kernel *, const struct peer *, const struct peers *hosts);
void kernel_forget(struct kernel *);       /* what came of a description */
int kernel_add(struct kernel *, const void *, size_t);   /* a piece of its description */
void kernel_keep(const struct kernel *, const struct peer *by);      /* for later runs of it */
/* Begins to compile the program for it, in a process of its own. */
int kernel_compile(struct kernel *, const struct tool *, const struct command *);
void kernel_listen(struct kernel *);     /* `messages` is readable */
/* An image that the user made. */
int kernel_image(struct kernel *, const char *path);
/* Is it for the collector alone, and not for the program? */
bool given_is_collectors(const struct given *);
void kernels_free(struct kernel *);

#endif
