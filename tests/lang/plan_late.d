// SPDX-License-Identifier: BSD-2-Clause
// The plan: a probe of later, whose arguments are looked up when it comes.
// filter: kind
// needs: root
// run: -Z
uprobe:/nowhere/libx.so:f:entry { trace(arg0); }
