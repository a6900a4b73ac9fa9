/* SPDX-License-Identifier: BSD-2-Clause */
// An argument that is in a place BPF programs cannot read is refused, with the place.
// needs: uprobes
// trigger: usdt 1
app$target:::values { trace(arg5); }
