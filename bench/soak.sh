#!/bin/sh
# Solves ten million random boards that come through a pipe, with all streams on,
# and watches the memory: a sample every tenth of a second. The figure has to be flat.
#
#   bench/soak.sh [CASES]
#
# It needs Go and a ps that knows -o rss=. About 10 s on two free cores.
set -eu

cases=${1:-10000000}
repo=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/idabatch-soak.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

cd "$repo"
go build -o "$work/" ./cmd/batch
cd "$work"
mkfifo pipe
./batch gen --count "$cases" --seed 1 -o pipe &
./batch solve --heuristic exact --results /dev/null --cases /dev/null --timing /dev/null \
	--iterations /dev/null --progress never <pipe 2>summary &
solve=$!

# Each line of samples is the seconds since the start and the kilobytes in memory.
began=$(date +%s)
while rss=$(ps -o rss= -p "$solve") && [ "$rss" ]; do
	echo "$(($(date +%s) - began)) $rss" >>samples
	sleep 0.1
done
wait "$solve" || { cat summary; echo "soak: batch failed" >&2; exit 1; }

echo "commit:   $(git -C "$repo" describe --always --dirty --exclude '*' 2>/dev/null || echo unknown)"
echo "command:  bench/soak.sh $cases"
cat summary
# The first tenth is left out: the pools fill up. What follows is compared by thirds.
awk '
	{ mb[NR] = $2 / 1024 }
	END {
		if (NR < 20) { print "soak: too few samples, take more cases"; exit 1 }
		first = int(NR / 10) + 1
		third = int((NR - first + 1) / 3)
		for (k = 0; k < 3; k++) {
			top[k] = sum = 0
			for (i = first + k * third; i < first + (k + 1) * third; i++) {
				sum += mb[i]
				if (mb[i] > top[k]) top[k] = mb[i]
			}
			printf "memory    third %d: mean %.1f MB, most %.1f MB\n", k + 1, sum / third, top[k]
		}
		flat = top[2] <= 1.1 * top[0] && top[0] < 100 && top[2] < 100
		printf "memory    %d samples: %s\n", NR, flat ? "flat, and under 100 MB" : "NOT FLAT"
		exit !flat
	}
' samples
