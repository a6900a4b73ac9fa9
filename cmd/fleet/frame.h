/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * frame.h - what a collector (dtx --hosts, --via) and an agent (dtx-run --agent) say to each other,
 * over the standard input and output of the agent.
 *
 *   agent   AGENT_MAGIC, then frames.  What comes before (the banner of a login) is skipped
 *   frame   u32 bytes of the body (little endian, at most FRAME_MAX), u8 kind, u24 number, the body
 *
 * Frames have numbers, from 0 in each direction.  One that comes again is dropped; where one is
 * missing, what follows is not taken.
 *
 *   collector                       agent
 *                                   HELLO    lines "name value": who it is and what it may do
 *   DESCRIBE, its programs          MACHINE  pieces of --describe, the last one empty
 *   OPTION, IMAGE…, LOAD            READY    the image can run here; or END
 *   OPTION, WORD…, LOAD             READY    of one that is a collector (HELLO: collects)
 *   GO, TOKEN                       BEGUN    probes are attached
 *                                   STREAM   pieces of a recording (runtime/sink/record.h)
 *                                   OUTPUT   what the command of -c and system() write
 *   LEASE, each AGENT_BEAT_MS       ALIVE, as often.  A shorter lease: its ms as text
 *   STOP    the run ends in order   END      "STATUS REASON"; nothing comes after it
 *   GOT, bytes that came            it need not keep them
 *   BYE     nobody comes back
 *
 * A run that got a token outlives its connection by its lease: it keeps what the collector may not
 * have got.  The collector calls the host again, and the agent that answers hands the connection to
 * the run (resume.c):
 *
 *   RESUME, "TOKEN BYTES-THAT-CAME" BACK     what follows is of the run, from there on; or END
 *
 * SAID is a letter and a message for people, at any time; or SAID_MACHINE and "BOOT-ID NAME", a
 * machine below one that is a collector, before READY.  An agent without a lease for
 * AGENT_LEASE_MS, or whose input ends before there is a token, ends the run and itself: nothing of
 * it stays when the network goes silent.
 * Why: docs/decisions/54-hosts.md
 */
#ifndef DTX_FRAME_H
#define DTX_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AGENT_MAGIC    "\0DTX-AGENT-1\n"
#define AGENT_MAGIC_LEN (sizeof(AGENT_MAGIC) - 1)
#define AGENT_LEASE_MS 10000
#define AGENT_BEAT_MS  2000
#define FRAME_HEAD     8
#define FRAME_MAX      (1u << 20)
#define FRAME_NUMBERS  (1u << 24)
#define SAID_MACHINE   'M'
#define FRAME_PIECE    (64u << 10)       /* of what is longer: images, descriptions, streams */

enum frame_kind {
	FRAME_DESCRIBE = 'd', FRAME_OPTION = 'o', FRAME_IMAGE = 'i', FRAME_LOAD = 'l',
	FRAME_COMMAND = 'c', FRAME_GO = 'g', FRAME_LEASE = 'k', FRAME_STOP = 'x',
	FRAME_GOT = 'a', FRAME_BYE = 'b', FRAME_RESUME = 'r', FRAME_WORD = 'w',

	FRAME_HELLO = 'H', FRAME_MACHINE = 'M', FRAME_READY = 'R', FRAME_BEGUN = 'B',
	FRAME_STREAM = 'S', FRAME_OUTPUT = 'O', FRAME_SAID = 'T', FRAME_ALIVE = 'K',
	FRAME_END = 'E', FRAME_BACK = 'J',
};

struct frame {
	enum frame_kind kind;
	const char *body;        /* no NUL follows */
	size_t len;
};

/* Closes it, unless it is -1, as it is from then on. */
void fd_close(int *);

/* Bytes that came, or that are to be sent. */
struct bytes {
	char *data;
	size_t at, len, room;    /* data + at: the first one that is not yet used */
	uint32_t frames;         /* the number of the next one */
};

void bytes_add(struct bytes *, const void *, size_t);
void bytes_skip(struct bytes *, size_t);
size_t bytes_left(const struct bytes *);
void bytes_free(struct bytes *);
/* Reads what there is, at most `most`: the number, 0 at the end, or -errno. */
long bytes_read(struct bytes *, int fd, size_t most);
/* Writes what fits without waiting, where poll() said that there is room: 0 or -errno. */
int bytes_write(struct bytes *, int fd);
/* The same of those after the first *sent, which it adds to; they stay. */
int bytes_send(const struct bytes *, size_t *sent, int fd);

void frame_put(struct bytes *, enum frame_kind, const void *, size_t);
void frame_pieces(struct bytes *, enum frame_kind, const void *, size_t);
/* 1: a frame, which is valid until the bytes change; 0: more is needed; -EINVAL: it is none;
 * -EILSEQ: others are missing before it. */
int frame_take(struct bytes *, struct frame *);

#endif
