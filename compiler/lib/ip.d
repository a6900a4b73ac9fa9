/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ip.d - packets: pktinfo_t, csinfo_t, ipinfo_t, ifinfo_t, ipv4info_t, ipv6info_t.
 */
typedef uint32_t ipaddr_t;
typedef struct in6_addr in6_addr_t;
typedef uint64_t netstackid_t;

/* A header; its version distinguishes IPv4 from IPv6. */
typedef struct __void_ip {
	int dummy;
} void_ip_t;

typedef struct pktinfo {
	uintptr_t pkt_addr;
} pktinfo_t;

typedef struct csinfo {
	uintptr_t cs_addr;
	uint64_t cs_cid;
	pid_t cs_pid;
	id_t cs_zoneid;
} csinfo_t;

typedef struct ipinfo {
	uint8_t ip_ver;
	uint32_t ip_plength;
	string ip_saddr;
	string ip_daddr;
} ipinfo_t;

typedef struct ifinfo {
	string if_name;
	int8_t if_local;
	netstackid_t if_ipstack;
	uintptr_t if_addr;
} ifinfo_t;

typedef struct ipv4info {
	uint8_t ipv4_ver;
	uint8_t ipv4_ihl;
	uint8_t ipv4_tos;
	uint16_t ipv4_length;
	uint16_t ipv4_ident;
	uint8_t ipv4_flags;
	uint16_t ipv4_offset;
	uint8_t ipv4_ttl;
	uint8_t ipv4_protocol;
	string ipv4_protostr;
	uint16_t ipv4_checksum;
	ipaddr_t ipv4_src;
	ipaddr_t ipv4_dst;
	string ipv4_saddr;
	string ipv4_daddr;
	struct iphdr *ipv4_hdr;
} ipv4info_t;

typedef struct ipv6info {
	uint8_t ipv6_ver;
	uint8_t ipv6_tclass;
	uint32_t ipv6_flow;
	uint16_t ipv6_plen;
	uint8_t ipv6_nexthdr;
	string ipv6_nextstr;
	uint8_t ipv6_hlim;
	in6_addr_t *ipv6_src;
	in6_addr_t *ipv6_dst;
	string ipv6_saddr;
	string ipv6_daddr;
	struct ipv6hdr *ipv6_hdr;
} ipv6info_t;

typedef struct conninfo {
	string ci_local;
	string ci_remote;
	string ci_protocol;
} conninfo_t;

inline string __ip_proto[int P] =
	P == 6 ? "TCP" : P == 17 ? "UDP" : P == 0 ? "IP" : P == 1 ? "ICMP" : P == 2 ? "IGMP" :
	P == 8 ? "EGP" : P == 41 ? "IPv6" : P == 43 ? "ROUTE" : P == 50 ? "ESP" : P == 51 ? "AH" :
	P == 58 ? "ICMPv6" : P == 89 ? "OSPF" : P == 132 ? "SCTP" : P == 255 ? "RAW" : lltostr(P);

translator pktinfo_t < struct sk_buff *S > {
	pkt_addr = (uintptr_t)S;
};

translator csinfo_t < struct sock *S > {
	cs_addr = (uintptr_t)S;
	cs_cid = (uint64_t)S;            /* there is no number: the socket is the connection */
	cs_pid = 0;                      /* sockets belong to files, not to processes */
	cs_zoneid = 0;
};

/* Of packets that are seen before their socket is known (lacking.def). */
typedef struct __no_sock {
	int dummy;
} __no_sock_t;

translator csinfo_t < __no_sock_t *S > {
	cs_addr = 0;
	cs_cid = 0;
	cs_pid = 0;
	cs_zoneid = 0;
};

/* Is what the socket speaks IPv4, also as an IPv6 socket (::ffff:1.2.3.4)? */
inline int __sock_v4[struct sock *S] = S->__sk_common.skc_family == 2 ||
	(S->__sk_common.skc_v6_daddr.in6_u.u6_addr32[2] == 0xffff0000 &&
	 S->__sk_common.skc_v6_daddr.in6_u.u6_addr32[1] == 0 &&
	 S->__sk_common.skc_v6_daddr.in6_u.u6_addr32[0] == 0);

translator conninfo_t < struct sock *S > {
	ci_local = __sock_v4[S] ?
		inet_ntop(2, &S->__sk_common.skc_rcv_saddr) :
		inet_ntop(10, &S->__sk_common.skc_v6_rcv_saddr);
	ci_remote = __sock_v4[S] ? inet_ntop(2, &S->__sk_common.skc_daddr) :
		inet_ntop(10, &S->__sk_common.skc_v6_daddr);
	ci_protocol = __sock_v4[S] ? "ipv4" : "ipv6";
};

translator ipinfo_t < struct iphdr *I > {
	ip_ver = I == NULL ? 0 : I->version;
	ip_plength = I == NULL ? 0 : ntohs(I->tot_len) - (I->ihl << 2);
	ip_saddr = I == NULL ? "<unknown>" : inet_ntop(2, &I->saddr);
	ip_daddr = I == NULL ? "<unknown>" : inet_ntop(2, &I->daddr);
};

translator ipinfo_t < struct ipv6hdr *I > {
	ip_ver = I == NULL ? 0 : I->version;
	ip_plength = I == NULL ? 0 : ntohs(I->payload_len);
	ip_saddr = I == NULL ? "<unknown>" : inet_ntop(10, &I->saddr);
	ip_daddr = I == NULL ? "<unknown>" : inet_ntop(10, &I->daddr);
};

inline int __ip_version[void_ip_t *I] = I == NULL ? 0 : *(uint8_t *)I >> 4;
inline struct iphdr *__ip_v4[void_ip_t *I] = __ip_version[I] == 4 ? (struct iphdr *)I : NULL;
inline struct ipv6hdr *__ip_v6[void_ip_t *I] = __ip_version[I] == 6 ? (struct ipv6hdr *)I : NULL;

/* What follows the header (of IPv6: right after it), and where. */
inline int __ip_l4[void_ip_t *I] =
	__ip_version[I] == 4 ? ((struct iphdr *)I)->protocol : ((struct ipv6hdr *)I)->nexthdr;
inline uint64_t __ip_behind[void_ip_t *I] =
	(uint64_t)I + (__ip_version[I] == 4 ? (*(uint8_t *)I & 0x0f) << 2 : 40);

inline string __ip_from[void_ip_t *I] =
	__ip_version[I] == 4 ? inet_ntop(2, &((struct iphdr *)I)->saddr) :
	inet_ntop(10, &((struct ipv6hdr *)I)->saddr);
inline string __ip_to[void_ip_t *I] =
	__ip_version[I] == 4 ? inet_ntop(2, &((struct iphdr *)I)->daddr) :
	inet_ntop(10, &((struct ipv6hdr *)I)->daddr);

translator ipinfo_t < void_ip_t *I > {
	ip_ver = __ip_version[I];
	ip_plength = __ip_version[I] == 4 ?
		ntohs(((struct iphdr *)I)->tot_len) - (((struct iphdr *)I)->ihl << 2) :
		__ip_version[I] == 6 ? ntohs(((struct ipv6hdr *)I)->payload_len) : 0;
	ip_saddr = __ip_version[I] == 4 ? inet_ntop(2, &((struct iphdr *)I)->saddr) :
		__ip_version[I] == 6 ? inet_ntop(10, &((struct ipv6hdr *)I)->saddr) : "<unknown>";
	ip_daddr = __ip_version[I] == 4 ? inet_ntop(2, &((struct iphdr *)I)->daddr) :
		__ip_version[I] == 6 ? inet_ntop(10, &((struct ipv6hdr *)I)->daddr) : "<unknown>";
};

translator ifinfo_t < struct net_device *N > {
	if_name = N == NULL ? "<null>" : stringof(N->name);
	if_local = N == NULL;
	if_ipstack = N == NULL ? 0 : (uint64_t)N->nd_net.net;
	if_addr = (uintptr_t)N;
};

translator ipv4info_t < struct iphdr *I > {
	ipv4_ver = I == NULL ? 0 : I->version;
	ipv4_ihl = I == NULL ? 0 : I->ihl << 2;
	ipv4_tos = I == NULL ? 0 : I->tos;
	ipv4_length = I == NULL ? 0 : ntohs(I->tot_len);
	ipv4_ident = I == NULL ? 0 : ntohs(I->id);
	ipv4_flags = I == NULL ? 0 : ntohs(I->frag_off) >> 12 & 0x0e;
	ipv4_offset = I == NULL ? 0 : ntohs(I->frag_off) & 0x1fff;
	ipv4_ttl = I == NULL ? 0 : I->ttl;
	ipv4_protocol = I == NULL ? 0 : I->protocol;
	ipv4_protostr = I == NULL ? "<null>" : __ip_proto[I->protocol];
	ipv4_checksum = I == NULL ? 0 : ntohs(I->check);
	ipv4_src = I == NULL ? 0 : I->saddr;
	ipv4_dst = I == NULL ? 0 : I->daddr;
	ipv4_saddr = I == NULL ? "<null>" : inet_ntop(2, &I->saddr);
	ipv4_daddr = I == NULL ? "<null>" : inet_ntop(2, &I->daddr);
	ipv4_hdr = I;
};

translator ipv6info_t < struct ipv6hdr *I > {
	ipv6_ver = I == NULL ? 0 : I->version;
	ipv6_tclass = I == NULL ? 0 : I->priority << 4 | I->flow_lbl[0] >> 4;
	ipv6_flow = I == NULL ? 0 :
		(I->flow_lbl[0] & 0x0f) << 16 | I->flow_lbl[1] << 8 | I->flow_lbl[2];
	ipv6_plen = I == NULL ? 0 : ntohs(I->payload_len);
	ipv6_nexthdr = I == NULL ? 0 : I->nexthdr;
	ipv6_nextstr = I == NULL ? "<null>" : __ip_proto[I->nexthdr];
	ipv6_hlim = I == NULL ? 0 : I->hop_limit;
	ipv6_src = I == NULL ? 0 : (in6_addr_t *)&I->saddr;
	ipv6_dst = I == NULL ? 0 : (in6_addr_t *)&I->daddr;
	ipv6_saddr = I == NULL ? "<null>" : inet_ntop(10, &I->saddr);
	ipv6_daddr = I == NULL ? "<null>" : inet_ntop(10, &I->daddr);
	ipv6_hdr = I;
};
