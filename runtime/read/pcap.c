/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pcap.c - packets to a capture file (pcap-savefile(5), with times in nanoseconds).
 */
#include <errno.h>
#include <unistd.h>

#include "runtime/read/read-private.h"

#define PCAP_MAGIC_NS  0xa1b23c4du
#define NS             1000000000LL

struct pcap_file {
	u32 magic;
	u16 major, minor;
	u32 zone, sigfigs, snaplen, link;
};

struct pcap_record {
	u32 sec, nsec, captured, len;
};

/* In files, raw IP has another number. */
static u32 pcap_link(u32 link)
{
	return link == 12 ? 101 : link;
}

/* Has the file a header? In a file that cannot be read again (a pipe), only the first packet writes
 * one. */
static bool pcap_begun(FILE *f)
{
	u32 magic = 0;

	return pread(fileno(f), &magic, sizeof(magic), 0) < 0 ? ftell(f) > 0 :
	       magic == PCAP_MAGIC_NS;
}

int pcap_write(FILE *f, const struct pcap_packet *p, u32 snaplen)
{
	struct pcap_record rec = { p->time / NS, p->time % NS, p->captured, p->len };
	struct pcap_file head = { PCAP_MAGIC_NS, 2, 4, 0, 0, snaplen, pcap_link(p->link) };

	if (!pcap_begun(f)) {
		if (ftruncate(fileno(f), 0) && errno != EINVAL)
			return -1;
		if (fwrite(&head, sizeof(head), 1, f) != 1)
			return -1;
	}
	if (fwrite(&rec, sizeof(rec), 1, f) != 1 ||
	    fwrite(p->data, 1, p->captured, f) != p->captured)
		return -1;
	return fflush(f) ? -1 : 0;
}
