// SPDX-License-Identifier: BSD-2-Clause
BEGIN { if (pid > 1 { trace(1); } }
