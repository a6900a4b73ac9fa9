// SPDX-License-Identifier: BSD-2-Clause
// The plan: events of the network that the kernel counts.
// filter: kind
// needs: root
mib:::tcpActiveOpens, mib:::tcpRetransSegs { @[probename] = sum(arg0); }
