# SPDX-License-Identifier: BSD-2-Clause
what="2,000 functions of a program: attach, detach, exit" unit=ms target=200
tools=dtx late=bpftrace

tool_dtx() { wall "$DTX" -qn "uprobe:$made/many:many_[01]*:entry { @ = count(); } BEGIN { exit(0); }"; }
tool_bpftrace() { have bpftrace && patient bpftrace -e "uprobe:$made/many:many_0* { @ = count(); } uprobe:$made/many:many_1* { @ = count(); } BEGIN { exit(); }"; }
