/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * types.d - names of types that scripts and C headers use and not every kernel's BTF has.
 */
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
typedef char *caddr_t;
typedef long time_t;
typedef enum { B_FALSE, B_TRUE } boolean_t;
typedef long long hrtime_t;
typedef id_t taskid_t;
typedef id_t zoneid_t;
typedef uint32_t in_addr_t;
typedef uint16_t in_port_t;
typedef unsigned int socklen_t;
typedef long daddr_t;
typedef long long offset_t;
struct timespec {
	time_t tv_sec;
	long tv_nsec;
};
typedef struct timespec timespec_t;
