/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions of BPF programs. */
fentry:bpf:f { exit(0); }
