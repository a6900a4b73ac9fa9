# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
#
# Programs of known deeds in Python, PHP and Java, of the tests of langstat and langcalls. Sourced after tool.bash; php and java are
# empty where they are not installed.
python=$(readlink -f /usr/bin/python3)
grep -q function__entry "$python" 2>/dev/null || skip 'no Python with probes here'
cat >"$tmp/known.py" <<'END'
import gc, sys
def inner():
    pass
def outer():
    for i in range(7):
        inner()
outer()
outer()
for i in range(int(sys.argv[1])):
    gc.collect()
END
cat >"$tmp/known.php" <<'END'
<?php
function inner($n) { return $n; }
for ($i = 0; $i < 6; $i++) {
	inner($i);
	try { throw new Exception("known"); } catch (Exception $e) { }
}
END
cat >"$tmp/Known.java" <<'END'
public class Known {
	static int inner(int n) { return n + 1; }
	public static void main(String[] args) throws Exception {
		Thread.sleep(700);                       // until the probes of the library are there
		for (int i = 0; i < 9; i++)
			inner(i);
		for (int i = 0; i < 3; i++)
			System.gc();
		for (int i = 0; i < 4; i++) {
			Thread t = new Thread(() -> { }, "known");
			t.start();
			t.join();
		}
	}
}
END
java=$(type -P java) && (cd "$tmp" && javac Known.java) || java=
php=$(type -P php) || :
