/* SPDX-License-Identifier: BSD-2-Clause */
fbt::vfs_*:entry, fbt::do_exit:return { @[probefunc, stack()] = count(); }
