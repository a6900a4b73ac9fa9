// SPDX-License-Identifier: BSD-2-Clause
BEGIN { if (pid) trace(1); trace(2); else trace(3); }
