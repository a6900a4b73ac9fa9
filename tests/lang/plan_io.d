// SPDX-License-Identifier: BSD-2-Clause
// The plan: a stable probe of requests of a disk.
// filter: kind
// needs: root
io:::start { @[args[1]->dev_major] = sum(args[0]->b_bcount); }
