/* SPDX-License-Identifier: BSD-2-Clause */
// row: opt.rawbytes
/* With rawbytes trace() prints dumps. */
#pragma D option quiet
#pragma D option rawbytes
BEGIN { trace(0x64636261); trace((short)0x4241); exit(0); }
