/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.json
/* json(): members and elements by path, texts without quotes but with their escapes, containers as they are,
   NULL when there is no such element or the text is cut. */
#pragma D option quiet
BEGIN
{
	s = "{ \"x\": { \"a\" : [ \"]\", {\"k\": \"q\\\"}\"}, [[7, 8], 9] ], \"b\": null }, \"last\" : -1.5e3 , \"xy\": 5}";
	printf("%s|%s|%s|%s\n", json(s, "x.a[0]"), json(s, "x.a[1].k"), json(s, "x.a[2][0][1]"), json(s, "x.a[2]"));
	printf("%s|%s|%s|%s\n", json(s, "last"), json(s, "x.b"), json(s, "xy"), json(s, "x"));
}
BEGIN { printf("%d %d %d %d\n", json(s, "x.a[3]") == NULL, json(s, "x.c") == NULL, json(s, "x[0]") == NULL, json(s, "last.z") == NULL); }
BEGIN { printf("%s|%s|%s\n", json("[1,2,3]", "[2]"), json("{\"a\":true,\"\":1}", "a"), json("{\"a\":\"\"}", "a")); }
BEGIN { printf("%d %d %d %d %d\n", json("", "a") == NULL, json("{", "a") == NULL, json("{\"a\":", "a") == NULL, json("{\"a\":\"x", "a") == NULL, json("{\"a\":[1,2", "a") == NULL); }
BEGIN { printf("%d %d %d\n", json("[]", "[0]") == NULL, json("{\"a\":[ ],\"b\":1}", "a[0]") == NULL, json("[[],2]", "[0][0]") == NULL); }
BEGIN { printf("%d %d\n", json("plain", "a") == NULL, json(s, "") == NULL); exit(0); }
