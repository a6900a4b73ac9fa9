/* SPDX-License-Identifier: BSD-2-Clause */
/* Signals to the tracer. */
self:signal:SIGUSR1 { exit(0); }
