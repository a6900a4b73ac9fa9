#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * netqtop.d - how are packets spread over the queues of network devices?
 *
 * USAGE: netqtop.d [OPTION]...
 *
 * Counts packets and bytes by device and queue, in both directions: out is what the kernel gives
 * to the driver, in what drivers give to the kernel by NAPI. Devices without queues have the
 * number 0; the loopback is among the senders alone.
 *
 * EXAMPLES
 *    netqtop.d --duration 10s    all devices
 *    netqtop.d -D eth0           one device
 */
#pragma D param device,D string "only this device"
#pragma D param top,t int 30 "how many rows to show"
#pragma D option aggtop=$top

tracepoint:net:net_dev_start_xmit
/$device == "" || stringof(args.name) == $device/
{
	@packets[stringof(args.name), "out", args.queue_mapping] = count();
	@bytes[stringof(args.name), "out", args.queue_mapping] = sum(args.len);
}

/* The queue of a received packet is kept plus 1: 0 means that the driver has not told it. */
tracepoint:net:napi_gro_receive_entry
/$device == "" || stringof(args.name) == $device/
{
	@packets[stringof(args.name), "in", args.queue_mapping ? args.queue_mapping - 1 : 0] = count();
	@bytes[stringof(args.name), "in", args.queue_mapping ? args.queue_mapping - 1 : 0] = sum(args.len);
}

END
{
	printf("%-16s %-4s %6s %12s %14s\n", "DEVICE", "WAY", "QUEUE", "PACKETS", "BYTES");
	printa("%-16s %-4s %6d %@12d %@14d\n", @packets, @bytes);
}
