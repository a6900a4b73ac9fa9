// SPDX-License-Identifier: BSD-2-Clause
BEGIN { if (pid or tid) { exit(0); } }
