/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * http.c - libFuzzer harness of what option serve reads: addresses, Host and Accept headers,
 * numbers and tokens of requests; and the search for comments in programs, which become help of
 * metrics.
 */
#include <stdlib.h>

#include "runtime/sink/serve/serve.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void help(const char *text)
{
	struct img_agg agg = { .name = "a", .func = "count" };
	struct img img = { .aggs = &agg, .naggs = 1 };
	struct run_info run = { .img = &img, .programs = &text, .nprograms = 1 };

	metrics_free(metrics_new(&run));
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	char *text = malloc(size + 1);
	struct serve_address a;

	memcpy(text, data, size);
	text[size] = '\0';
	if (!serve_address(text, &a) && (!a.len || !serve_host_ok(&a, "127.0.0.1")))
		__builtin_trap();
	if (serve_address("8080", &a) || (serve_host_ok(&a, text) && strchr(text, '/')))
		__builtin_trap();
	if (serve_number(text, 100, 7) > 100 || !serve_token_ok(text, text) ||
	    serve_token_ok("0123456789abcdef", text) != !strcmp(text, "0123456789abcdef"))
		__builtin_trap();
	if (metric_form(text) >= METRIC_FORMS)
		__builtin_trap();
	help(text);
	free(text);
	return 0;
}
