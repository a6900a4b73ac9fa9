/* SPDX-License-Identifier: BSD-2-Clause */
/* A library that is not there. */
uprobe:libcc:malloc:entry { exit(0); }
