/* SPDX-License-Identifier: BSD-2-Clause */
/* Probes that DTrace has elsewhere and that are not here: the reason is told, or what there is instead. */
lockstat:::spin-acquire, fpuinfo:::fpu_sim_fadds { }
plockstat123:::mutex-block { }
vminfo:::execfree { }
sched:::cpucaps-sleep { }
sysinfo:::ufsiget { }
ip:::drop-in { }
nfsv3:::op-read-start { }
kinst::vfs_read:4 { }
erlang*:::function-entry { }
pid::malloc:entry { }
shopkeeper*:::sold, shopkeeper12:::sold { }
