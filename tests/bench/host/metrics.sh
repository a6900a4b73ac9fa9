# SPDX-License-Identifier: BSD-2-Clause
what="a scrape of 10,000 series, from the request to the last byte: as text (dtx), OpenMetrics, protocol buffers" unit="ms" target=50
tools="dtx open protobuf" rounds=5

# scrape HEADER: the best of five requests.
scrape() {
	served 10000
	sleep 1.5
	for _ in 1 2 3 4 5; do
		local from=$EPOCHREALTIME
		request /metrics "$1" >"$tmp/metrics"
		awk "BEGIN { print ($EPOCHREALTIME - $from) * 1000 }"
	done | sort -g | head -n 1
	kill $served
	wait $served
	[ "$(wc -c <"$tmp/metrics")" -gt 200000 ] || echo 'not all series were there' >&2
}
tool_dtx()      { scrape ''; }
tool_open()     { scrape 'Accept: application/openmetrics-text'; }
tool_protobuf() { scrape 'Accept: application/vnd.google.protobuf'; }
