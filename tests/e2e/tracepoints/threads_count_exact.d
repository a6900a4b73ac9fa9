/* SPDX-License-Identifier: BSD-2-Clause */
/* needs: uprobes */
/* where: native */
/* trigger: threads 8 1000000 */
/* timeout: 300 */
/* Eight threads on one probe, a million times each: none is lost. */
pid$target:threads:hit:entry
{
	@ = count();
}
