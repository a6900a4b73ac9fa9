// SPDX-License-Identifier: BSD-2-Clause
// The plan: a packet.
// filter: kind
// needs: root
ip:::receive { trace(args[2]->ip_plength); }
