/* SPDX-License-Identifier: BSD-2-Clause */
/* What has no text. */
BEGIN { trace(str(*curthread)); exit(0); }
