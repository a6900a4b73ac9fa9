// SPDX-License-Identifier: BSD-2-Clause
// The packet of pcap() is a pointer.
BEGIN { pcap("x", 1); }
