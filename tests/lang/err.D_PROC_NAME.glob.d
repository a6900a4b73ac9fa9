// SPDX-License-Identifier: BSD-2-Clause
// run: -c /bin/true
pid$target::-:* { }
