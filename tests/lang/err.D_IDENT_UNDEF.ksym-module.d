/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN { trace(&nosuchmodule`vfs_read); exit(0); }
