/* SPDX-License-Identifier: BSD-2-Clause */
/* setopt of rawbytes while tracing. */
#pragma D option quiet
BEGIN { trace(1); }
BEGIN { setopt("rawbytes"); }
BEGIN { trace(0x41); }
BEGIN { setopt("rawbytes", "off"); }
BEGIN { trace(3); exit(0); }
