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
	S == NULL ? "<unknown>" : S->__sk_common.skc_family == 2 ?
	inet_ntop(2, &S->__sk_common.skc_rcv_saddr) : inet_ntop(10, &S->__sk_common.skc_v6_rcv_saddr);
inline string __sock_raddr[struct sock *S] =
	S == NULL ? "<unknown>" : S->__sk_common.skc_family == 2 ?
	inet_ntop(2, &S->__sk_common.skc_daddr) : inet_ntop(10, &S->__sk_common.skc_v6_daddr);

/* A tcp_sock and a udp_sock begin with their sock. */
translator tcpsinfo_t < struct tcp_sock *T > {
	tcps_addr = (uintptr_t)T;
	tcps_local = T != NULL && ((struct sock *)T)->__sk_common.skc_family == 2 &&
		((struct sock *)T)->__sk_common.skc_daddr == ((struct sock *)T)->__sk_common.skc_rcv_saddr;
	tcps_lport = T == NULL ? 0 : ((struct sock *)T)->__sk_common.skc_num;
	tcps_rport = T == NULL ? 0 : ntohs(((struct sock *)T)->__sk_common.skc_dport);
	tcps_laddr = __sock_laddr[(struct sock *)T];
	tcps_raddr = __sock_raddr[(struct sock *)T];
	tcps_state = T == NULL ? 7 : ((struct sock *)T)->__sk_common.skc_state;
	tcps_iss = T == NULL ? 0 : T->snd_nxt - (uint32_t)(T->bytes_sent - T->bytes_retrans) - 1;
	tcps_irs = T == NULL ? 0 : T->rcv_nxt - (uint32_t)T->bytes_received - 1;
	tcps_suna = T == NULL ? 0 : T->snd_una;
	tcps_snxt = T == NULL ? 0 : T->snd_nxt;
	tcps_rnxt = T == NULL ? 0 : T->rcv_nxt;
	tcps_swnd = T == NULL ? 0 : T->snd_wnd;
	tcps_snd_ws = T == NULL ? 0 : T->rx_opt.snd_wscale;
	tcps_rwnd = T == NULL ? 0 : T->rcv_wnd;
	tcps_rcv_ws = T == NULL ? 0 : T->rx_opt.rcv_wscale;
	tcps_cwnd = T == NULL ? 0 : T->snd_cwnd * T->mss_cache;
	tcps_cwnd_ssthresh = T == NULL ? 0 : T->snd_ssthresh;
	tcps_sack_snxt = T == NULL ? 0 : T->snd_nxt;
	tcps_rto = T == NULL ? 0 : ((struct inet_connection_sock *)T)->icsk_rto;
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
