/* SPDX-License-Identifier: BSD-2-Clause */
fbt::vfs_read:entry { trace(args[0]->f_path.dentry->d_name.name); }
fbt::vfs_read:return { trace(args[1]); }
