// SPDX-License-Identifier: BSD-2-Clause
// The plan: a connection, whose state says what happens.
// filter: kind
// needs: root
tcp:::connect-established { @[args[3]->tcps_raddr, args[3]->tcps_rport] = count(); }
