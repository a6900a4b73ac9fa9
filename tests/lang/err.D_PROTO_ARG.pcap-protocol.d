// SPDX-License-Identifier: BSD-2-Clause
// The protocol of pcap() is a number.
BEGIN { pcap(curthread, "x"); }
