# SPDX-License-Identifier: BSD-2-Clause
what="2,000 functions of a program: attach, detach, exit" unit=ms target=200
tools="dtx"

tool_dtx() { wall "$DTX" -qn "uprobe:$made/many:many_[01]*:entry { @ = count(); } BEGIN { exit(0); }"; }
