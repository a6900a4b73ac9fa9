// SPDX-License-Identifier: BSD-2-Clause
// The plan: a function of the target process.
// filter: kind
// needs: root uprobes
// trigger: sleeper 0 0 0
pid$target:a.out:main:entry { trace(arg0); self->n = arg1; }
pid$target:a.out:main:return /self->n/ { trace(arg1); }
