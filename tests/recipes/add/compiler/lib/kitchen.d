/* SPDX-License-Identifier: BSD-2-Clause */
/* kitchen.d - a type of stable probes, one of whose members cannot be filled. */
typedef struct kitcheninfo {
	int k_number;
	int k_sink;
} kitcheninfo_t;

translator kitcheninfo_t < int K > {
	k_number = K;
	k_sink = 0;
};
