/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tcp.d - TCP and UDP: tcpinfo_t, tcpsinfo_t, tcplsinfo_t, udpinfo_t, udpsinfo_t.
 */
inline int TH_FIN = 0x01;
inline int TH_SYN = 0x02;
inline int TH_RST = 0x04;
inline int TH_PUSH = 0x08;
inline int TH_ACK = 0x10;
inline int TH_URG = 0x20;
inline int TH_ECE = 0x40;
inline int TH_CWR = 0x80;

inline int TCP_STATE_IDLE = 0;
inline int TCP_STATE_ESTABLISHED = 1;
inline int TCP_STATE_SYN_SENT = 2;
inline int TCP_STATE_SYN_RECEIVED = 3;
inline int TCP_STATE_FIN_WAIT_1 = 4;
inline int TCP_STATE_FIN_WAIT_2 = 5;
inline int TCP_STATE_TIME_WAIT = 6;
inline int TCP_STATE_CLOSED = 7;
inline int TCP_STATE_CLOSE_WAIT = 8;
inline int TCP_STATE_LAST_ACK = 9;
inline int TCP_STATE_LISTEN = 10;
inline int TCP_STATE_CLOSING = 11;

inline string tcp_state_string[int32_t S] =
	S == 0 ? "state-idle" : S == 1 ? "state-established" : S == 2 ? "state-syn-sent" :
	S == 3 ? "state-syn-received" : S == 4 ? "state-fin-wait-1" : S == 5 ? "state-fin-wait-2" :
	S == 6 ? "state-time-wait" : S == 7 ? "state-closed" : S == 8 ? "state-close-wait" :
	S == 9 ? "state-last-ack" : S == 10 ? "state-listen" : S == 11 ? "state-closing" :
	"<unknown>";

typedef struct tcpinfo {
	uint16_t tcp_sport;
	uint16_t tcp_dport;
	uint32_t tcp_seq;
	uint32_t tcp_ack;
	uint8_t tcp_offset;
	uint8_t tcp_flags;
	uint16_t tcp_window;
	uint16_t tcp_checksum;
	uint16_t tcp_urgent;
	uintptr_t tcp_hdr;
} tcpinfo_t;

typedef struct tcpsinfo {
	uintptr_t tcps_addr;
	int tcps_local;
	int tcps_active;
	uint16_t tcps_lport;
	uint16_t tcps_rport;
	string tcps_laddr;
	string tcps_raddr;
	int tcps_state;
	uint32_t tcps_iss;
	uint32_t tcps_irs;
	uint32_t tcps_suna;
	uint32_t tcps_snxt;
	uint32_t tcps_rnxt;
	uint32_t tcps_swnd;
	int32_t tcps_snd_ws;
	uint32_t tcps_rwnd;
	int32_t tcps_rcv_ws;
	uint32_t tcps_cwnd;
	uint32_t tcps_cwnd_ssthresh;
	uint32_t tcps_sack_snxt;
	uint32_t tcps_rto;
	uint32_t tcps_mss;
	int tcps_retransmit;
	uint32_t tcps_rtt;
	uint32_t tcps_rtt_sd;
} tcpsinfo_t;

typedef struct tcplsinfo {
	int tcps_state;
} tcplsinfo_t;

typedef struct udpinfo {
	uint16_t udp_sport;
	uint16_t udp_dport;
	uint16_t udp_length;
	uint16_t udp_checksum;
	struct udphdr *udp_hdr;
} udpinfo_t;

typedef struct udpsinfo {
	uintptr_t udps_addr;
	uint16_t udps_lport;
	uint16_t udps_rport;
	string udps_laddr;
	string udps_raddr;
} udpsinfo_t;

translator tcpinfo_t < struct tcphdr *T > {
	tcp_sport = T == NULL ? 0 : ntohs(T->source);
	tcp_dport = T == NULL ? 0 : ntohs(T->dest);
	tcp_seq = T == NULL ? 0 : ntohl(T->seq);
	tcp_ack = T == NULL ? 0 : ntohl(T->ack_seq);
	tcp_offset = T == NULL ? 0 : *((uint8_t *)T + 12) >> 2 & 0x3c;
	tcp_flags = T == NULL ? 0 : *((uint8_t *)T + 13);
	tcp_window = T == NULL ? 0 : ntohs(T->window);
	tcp_checksum = T == NULL ? 0 : ntohs(T->check);
	tcp_urgent = T == NULL ? 0 : ntohs(T->urg_ptr);
	tcp_hdr = (uintptr_t)T;
};

inline string __sock_laddr[struct sock *S] =
	S == NULL ? "<unknown>" : __sock_v4[S] ?
	inet_ntop(2, &S->__sk_common.skc_rcv_saddr) : inet_ntop(10, &S->__sk_common.skc_v6_rcv_saddr);
inline string __sock_raddr[struct sock *S] =
	S == NULL ? "<unknown>" : __sock_v4[S] ?
	inet_ntop(2, &S->__sk_common.skc_daddr) : inet_ntop(10, &S->__sk_common.skc_v6_daddr);

/* A socket that was made by a listening one keeps its backlog. */
inline int __sock_accepted[struct sock *S] = S->sk_max_ack_backlog != 0;

/*
 * A tcp_sock and a udp_sock begin with their sock.  Bytes acknowledged are counted from the SYN if the
 * socket sent it, and from the byte after it if a listening socket made this one.
 */
translator tcpsinfo_t < struct tcp_sock *T > {
	tcps_addr = (uintptr_t)T;
	tcps_local = T != NULL && __sock_laddr[(struct sock *)T] == __sock_raddr[(struct sock *)T];
	tcps_active = T != NULL && !__sock_accepted[(struct sock *)T];
	tcps_lport = T == NULL ? 0 : ((struct sock *)T)->__sk_common.skc_num;
	tcps_rport = T == NULL ? 0 : ntohs(((struct sock *)T)->__sk_common.skc_dport);
	tcps_laddr = __sock_laddr[(struct sock *)T];
	tcps_raddr = __sock_raddr[(struct sock *)T];
	tcps_state = T == NULL ? 7 : ((struct sock *)T)->__sk_common.skc_state;
	tcps_iss = T == NULL ? 0 : T->snd_una - (uint32_t)T->bytes_acked -
		__sock_accepted[(struct sock *)T];
	tcps_irs = T == NULL || T->rcv_nxt == 0 ? 0 : T->rcv_nxt - (uint32_t)T->bytes_received - 1;
	tcps_suna = T == NULL ? 0 : T->snd_una;
	tcps_snxt = T == NULL ? 0 : T->snd_nxt;
	tcps_rnxt = T == NULL ? 0 : T->rcv_nxt;
	tcps_swnd = T == NULL ? 0 : T->snd_wnd;
	tcps_snd_ws = T == NULL ? 0 : T->rx_opt.snd_wscale;
	tcps_rwnd = T == NULL ? 0 : T->rcv_wnd;
	tcps_rcv_ws = T == NULL ? 0 : T->rx_opt.rcv_wscale;
	tcps_cwnd = T == NULL ? 0 : T->snd_cwnd * T->mss_cache;
	tcps_cwnd_ssthresh = T == NULL ? 0 : T->snd_ssthresh >= 0x7fffffff ? T->snd_ssthresh :
		T->snd_ssthresh * T->mss_cache;
	tcps_sack_snxt = T == NULL ? 0 : T->snd_nxt;
	tcps_rto = T == NULL ? 0 : ((struct inet_connection_sock *)T)->icsk_rto * 1000 / $__hz;
	tcps_mss = T == NULL ? 0 : T->mss_cache;
	tcps_retransmit = 0;
	tcps_rtt = T == NULL ? 0 : (T->srtt_us >> 3) / 1000;
	tcps_rtt_sd = T == NULL ? 0 : (T->mdev_us >> 2) / 1000;
};

translator tcplsinfo_t < int S > {
	tcps_state = S;
};

translator udpinfo_t < struct udphdr *U > {
	udp_sport = U == NULL ? 0 : ntohs(U->source);
	udp_dport = U == NULL ? 0 : ntohs(U->dest);
	udp_length = U == NULL ? 0 : ntohs(U->len);
	udp_checksum = U == NULL ? 0 : ntohs(U->check);
	udp_hdr = U;
};

translator udpsinfo_t < struct udp_sock *U > {
	udps_addr = (uintptr_t)U;
	udps_lport = U == NULL ? 0 : ((struct sock *)U)->__sk_common.skc_num;
	udps_rport = U == NULL ? 0 : ntohs(((struct sock *)U)->__sk_common.skc_dport);
	udps_laddr = __sock_laddr[(struct sock *)U];
	udps_raddr = __sock_raddr[(struct sock *)U];
};

/*
 * In the probes of tcp: what has neither a packet with a header (args[8]) nor a socket (args[9])
 * is unknown; args[6] is the state, args[7] tells whether the packet is inbound.
 */
typedef struct __tcp {
	int dummy;
} __tcp_t;

inline struct tcphdr *__ip_tcp[void_ip_t *I] =
	I == NULL ? NULL : (struct tcphdr *)__ip_behind[I];
inline int __tcp_flags[void_ip_t *I] = *((uint8_t *)__ip_behind[I] + 13);
inline uint32_t __tcp_seq[void_ip_t *I] = ntohl(((struct tcphdr *)__ip_behind[I])->seq);

inline uint32_t __ip_bytes[void_ip_t *I] =
	__ip_version[I] == 4 ? ntohs(((struct iphdr *)I)->tot_len) - ((*(uint8_t *)I & 0x0f) << 2) :
	ntohs(((struct ipv6hdr *)I)->payload_len);
inline uint32_t __tcp_bytes[void_ip_t *I] =
	__ip_bytes[I] - (*((uint8_t *)__ip_behind[I] + 12) >> 2 & 0x3c);

/* By how much a segment is ahead of what its receiver waits for. */
inline int32_t __tcp_ahead[void_ip_t *I, struct sock *S] = __tcp_seq[I] - ((struct tcp_sock *)S)->rcv_nxt;

/* A request that is not a connection yet has state 12; small sockets have no more than the state. */
inline int __tcp_state[struct sock *S] =
	S == NULL ? 7 : S->__sk_common.skc_state == 12 ? 3 : S->__sk_common.skc_state;
inline struct tcp_sock *__tcp_full[struct sock *S] =
	S != NULL && S->__sk_common.skc_state != 12 && S->__sk_common.skc_state != 6 &&
	S->sk_type == 1 ? (struct tcp_sock *)S : NULL;
inline uint16_t __sock_lport[struct sock *S] = S == NULL ? 0 :
	S->__sk_common.skc_state == 12 || S->__sk_common.skc_state == 6 ? S->__sk_common.skc_num :
	ntohs(((struct inet_sock *)S)->inet_sport);     /* which stays when the port is given back */
inline uint16_t __sock_rport[struct sock *S] = S == NULL ? 0 : ntohs(S->__sk_common.skc_dport);

/*
 * Where functions cannot be probed: does the connection wait on in a small socket when this one is closed, from state O
 * to N?  Then it has no error, and its user left the wait to the kernel (TCP_LINGER2).  If the peer has closed, too
 * (SOCK_DONE), it waits from now on; else for the peer.
 */
inline int __tcp_waits[struct sock *S, int O, int N] = N == 7 && (O == 5 || O == 11) &&
	S->sk_err == 0 && ((struct tcp_sock *)S)->linger2 >= 0;
inline int __tcp_waits_now[struct sock *S, int O, int N] =
	__tcp_waits[S, O, N] && (O == 11 || S->__sk_common.skc_flags >> 1 & 1);

/* "TCP" or "TCPv6": other protocols have such small sockets, too. */
inline int __is_tcp_tw[struct inet_timewait_sock *T] = T->__tw_common.skc_prot->name[0] == 'T' &&
	T->__tw_common.skc_prot->name[1] == 'C';

translator ipinfo_t < __tcp_t *X > {
	ip_ver = args[8] != NULL ? __ip_version[args[8]] : args[9] == NULL ? 0 :
		__sock_v4[args[9]] ? 4 : 6;
	ip_plength = args[8] == NULL ? 0 : (xlate <ipinfo_t *>(args[8]))->ip_plength;
	ip_saddr = args[8] != NULL ? __ip_from[args[8]] :
		args[7] ? __sock_raddr[args[9]] : __sock_laddr[args[9]];
	ip_daddr = args[8] != NULL ? __ip_to[args[8]] :
		args[7] ? __sock_laddr[args[9]] : __sock_raddr[args[9]];
};

translator tcpinfo_t < __tcp_t *X > {
	tcp_sport = args[8] != NULL ? ntohs(__ip_tcp[args[8]]->source) :
		args[7] ? __sock_rport[args[9]] : __sock_lport[args[9]];
	tcp_dport = args[8] != NULL ? ntohs(__ip_tcp[args[8]]->dest) :
		args[7] ? __sock_lport[args[9]] : __sock_rport[args[9]];
	tcp_seq = (xlate <tcpinfo_t *>(__ip_tcp[args[8]]))->tcp_seq;
	tcp_ack = (xlate <tcpinfo_t *>(__ip_tcp[args[8]]))->tcp_ack;
	tcp_offset = (xlate <tcpinfo_t *>(__ip_tcp[args[8]]))->tcp_offset;
	tcp_flags = (xlate <tcpinfo_t *>(__ip_tcp[args[8]]))->tcp_flags;
	tcp_window = (xlate <tcpinfo_t *>(__ip_tcp[args[8]]))->tcp_window;
	tcp_checksum = (xlate <tcpinfo_t *>(__ip_tcp[args[8]]))->tcp_checksum;
	tcp_urgent = (xlate <tcpinfo_t *>(__ip_tcp[args[8]]))->tcp_urgent;
	tcp_hdr = (uintptr_t)__ip_tcp[args[8]];
};

inline tcpsinfo_t *__tcps = xlate <tcpsinfo_t *>(__tcp_full[args[9]]);

translator tcpsinfo_t < __tcp_t *X > {
	tcps_addr = (uintptr_t)args[9];
	tcps_local = args[8] != NULL ? __ip_from[args[8]] == __ip_to[args[8]] :
		__sock_laddr[args[9]] == __sock_raddr[args[9]];
	tcps_active = __tcps->tcps_active;
	tcps_lport = args[8] == NULL ? __sock_lport[args[9]] :
		ntohs(args[7] ? __ip_tcp[args[8]]->dest : __ip_tcp[args[8]]->source);
	tcps_rport = args[8] == NULL ? __sock_rport[args[9]] :
		ntohs(args[7] ? __ip_tcp[args[8]]->source : __ip_tcp[args[8]]->dest);
	tcps_laddr = args[8] == NULL ? __sock_laddr[args[9]] :
		args[7] ? __ip_to[args[8]] : __ip_from[args[8]];
	tcps_raddr = args[8] == NULL ? __sock_raddr[args[9]] :
		args[7] ? __ip_from[args[8]] : __ip_to[args[8]];
	tcps_state = args[6];
	tcps_iss = __tcps->tcps_iss;
	tcps_irs = __tcps->tcps_irs;
	tcps_suna = __tcps->tcps_suna;
	tcps_snxt = __tcps->tcps_snxt;
	tcps_rnxt = __tcps->tcps_rnxt;
	tcps_swnd = __tcps->tcps_swnd;
	tcps_snd_ws = __tcps->tcps_snd_ws;
	tcps_rwnd = __tcps->tcps_rwnd;
	tcps_rcv_ws = __tcps->tcps_rcv_ws;
	tcps_cwnd = __tcps->tcps_cwnd;
	tcps_cwnd_ssthresh = __tcps->tcps_cwnd_ssthresh;
	tcps_sack_snxt = __tcps->tcps_sack_snxt;
	tcps_rto = __tcps->tcps_rto;
	tcps_mss = __tcps->tcps_mss;
	tcps_retransmit = args[7] || args[8] == NULL || __tcp_full[args[9]] == NULL ? 0 :
		(int32_t)(__tcp_seq[args[8]] - __tcps->tcps_snxt) < 0;
	tcps_rtt = __tcps->tcps_rtt;
	tcps_rtt_sd = __tcps->tcps_rtt_sd;
};

/* Of segments that are seen before their socket is known (lacking.def): what the segment says. */
typedef struct __tcp_dev {
	int dummy;
} __tcp_dev_t;

translator tcpsinfo_t < __tcp_dev_t *X > {
	tcps_addr = 0;
	tcps_local = __ip_from[args[8]] == __ip_to[args[8]];
	tcps_active = 0;
	tcps_lport = ntohs(args[7] ? __ip_tcp[args[8]]->dest : __ip_tcp[args[8]]->source);
	tcps_rport = ntohs(args[7] ? __ip_tcp[args[8]]->source : __ip_tcp[args[8]]->dest);
	tcps_laddr = args[7] ? __ip_to[args[8]] : __ip_from[args[8]];
	tcps_raddr = args[7] ? __ip_from[args[8]] : __ip_to[args[8]];
	tcps_state = args[6];
	tcps_iss = 0;
	tcps_irs = 0;
	tcps_suna = 0;
	tcps_snxt = 0;
	tcps_rnxt = 0;
	tcps_swnd = 0;
	tcps_snd_ws = 0;
	tcps_rwnd = 0;
	tcps_rcv_ws = 0;
	tcps_cwnd = 0;
	tcps_cwnd_ssthresh = 0;
	tcps_sack_snxt = 0;
	tcps_rto = 0;
	tcps_mss = 0;
	tcps_retransmit = 0;
	tcps_rtt = 0;
	tcps_rtt_sd = 0;
};

/* In the probes of udp: args[5] tells whether the datagram is inbound, args[6] is the IP header. */
typedef struct __udp {
	int dummy;
} __udp_t;

inline struct udphdr *__ip_udp[void_ip_t *I] = (struct udphdr *)__ip_behind[I];

translator udpinfo_t < __udp_t *X > {
	udp_sport = ntohs(__ip_udp[args[6]]->source);
	udp_dport = ntohs(__ip_udp[args[6]]->dest);
	udp_length = ntohs(__ip_udp[args[6]]->len);
	udp_checksum = ntohs(__ip_udp[args[6]]->check);
	udp_hdr = __ip_udp[args[6]];
};

translator udpsinfo_t < __udp_t *X > {
	udps_addr = (uintptr_t)X;
	udps_lport = ntohs(args[5] ? __ip_udp[args[6]]->dest : __ip_udp[args[6]]->source);
	udps_rport = ntohs(args[5] ? __ip_udp[args[6]]->source : __ip_udp[args[6]]->dest);
	udps_laddr = args[5] ? __ip_to[args[6]] : __ip_from[args[6]];
	udps_raddr = args[5] ? __ip_from[args[6]] : __ip_to[args[6]];
};

/* Of datagrams that are seen before their socket is known (lacking.def). */
typedef struct __udp_dev {
	int dummy;
} __udp_dev_t;

translator udpsinfo_t < __udp_dev_t *X > {
	udps_addr = 0;
	udps_lport = ntohs(args[5] ? __ip_udp[args[6]]->dest : __ip_udp[args[6]]->source);
	udps_rport = ntohs(args[5] ? __ip_udp[args[6]]->source : __ip_udp[args[6]]->dest);
	udps_laddr = args[5] ? __ip_to[args[6]] : __ip_from[args[6]];
	udps_raddr = args[5] ? __ip_from[args[6]] : __ip_to[args[6]];
};
