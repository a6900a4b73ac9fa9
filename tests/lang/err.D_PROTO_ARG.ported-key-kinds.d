/* SPDX-License-Identifier: BSD-2-Clause */
/* Keys that are shown in different ways. */
BEGIN { @[strerror(1)] = count(); @[signal_name(1)] = count(); exit(0); }
