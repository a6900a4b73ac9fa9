// SPDX-License-Identifier: BSD-2-Clause
// A stack has at least one frame.
BEGIN { @[stack(0)] = count(); }
