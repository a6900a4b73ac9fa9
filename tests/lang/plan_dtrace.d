// SPDX-License-Identifier: BSD-2-Clause
// The plan: BEGIN has no arguments, ERROR has those of the fault.
// filter: kind
// needs: root
BEGIN { trace(arg0); }
ERROR { trace(arg1); trace(arg4); }
