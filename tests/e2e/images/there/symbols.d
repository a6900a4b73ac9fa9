/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN { trace(ipl); trace(`jiffies); exit(0); }
