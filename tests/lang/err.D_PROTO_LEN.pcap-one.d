// SPDX-License-Identifier: BSD-2-Clause
// pcap() takes a packet and a protocol.
BEGIN { pcap(curthread); }
