#!/bin/sh
# Measures batch against what a user could run instead, side by side on this
# machine, and prints the table. It takes some minutes and wants two free cores.
#
#   bench/run.sh [--save] [--runs N]
#
# --save keeps the output in bench/results/DATE-COMMIT.txt. Every figure is the
# median of N (5) runs of each side, taken in turn. See bench/README.md.
set -eu

usage() {
	echo "usage: bench/run.sh [--save] [--runs N]" >&2
	exit 2
}

save=no runs=5
while [ $# -gt 0 ]; do
	case $1 in
	--save) save=yes ;;
	--runs) [ $# -gt 1 ] || usage; runs=$2; shift ;;
	*) usage ;;
	esac
	shift
done

began=$(date +%s)
repo=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/idabatch-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

say() { echo "bench: $*" >&2; }

# ---- Build ----

cd "$repo"
commit=$(git describe --always --dirty --exclude '*' 2>/dev/null || echo unknown)
say "building"
go build -o "$work/" ./cmd/batch ./bench/measure
compiler=
for cxx in ${CXX:-c++ g++ clang++}; do
	if command -v "$cxx" >/dev/null; then
		compiler=$cxx
		break
	fi
done
if [ "$compiler" ]; then
	"$compiler" -std=c++17 -O2 -o "$work/textbook-rotation" bench/baseline/rotation.cpp
	"$compiler" -std=c++17 -O2 -o "$work/textbook-eight" bench/baseline/eight.cpp
else
	say "no C++ compiler: the rows against the textbook are left out"
fi
parallel=
if parallel --version 2>/dev/null | grep -q '^GNU parallel'; then
	parallel=yes
else
	say "no GNU parallel: its row is left out"
fi
digest=
for name in md5sum 'md5 -q' 'openssl md5'; do
	if command -v "${name%% *}" >/dev/null; then
		digest=$name
		break
	fi
done
[ "$digest" ] || { say "no md5sum, md5 or openssl to compare with"; exit 1; }

# The commands of the table stand as they are run, in a directory of their own.
cd "$work"
PATH=$work:$PATH

# ---- Inputs: functions of their seeds ----

say "making inputs"
batch gen --count 2000 --seed 1 -o boards.txt
batch gen --count 40000 --seed 1 -o boards-40k.txt
batch gen --count 2000000 --seed 1 -o boards-2m.txt
batch gen --puzzle eight --count 100000 --seed 1 -o pairs.txt
batch gen --puzzle eight --count 1000000 --seed 1 -o pairs-1m.txt
batch gen --count 1000000 --seed 1 --scramble 6 -o easy.txt
tr '\n' ' ' <boards-2m.txt >line.txt
# CGAAABDBBH: no hard case, no easy one.
echo '1 1 2 3 2 3 1 2 1 2 3 2 3 2 3 1 3 1 2 3 2 3 1 1' >board.txt
printf '1\n48X375621\n12345678X\n' >pair.txt

# ---- Nobody is timed before all agree ----

say "comparing answers and counts"
center='batch solve -q boards.txt --heuristic center'
manhattan='batch solve -q pairs.txt -j 1 --heuristic manhattan --prune inverse'
$center -j 1 --prune inverse --results boards.out --cases inverse.csv
$center -j 2 --results canonical.out --cases canonical.csv
$manhattan --results pairs.out --cases pairs.csv
batch solve -q boards-2m.txt -j 2 --heuristic exact --results exact.out
batch solve -q pairs-1m.txt -j 2 --heuristic exact --results exact8.out

same() {
	cmp "$1" "$2" >&2 || { say "$3 differ: no table"; exit 1; }
}
# Case, depth, moves, symbol, iterations, expanded, generated.
counts() { cut -d, -f1,5-7,9-11 "$1" >"$2"; }

same boards.out canonical.out "answers of the two prunings"
head -n "$(wc -l <boards.out)" exact.out >head.out
same boards.out head.out "answers of center and exact"
head -n "$(wc -l <pairs.out)" exact8.out >head.out
same pairs.out head.out "answers of manhattan and exact"
if [ "$compiler" ]; then
	textbook-rotation <boards.txt >theirs.out
	same boards.out theirs.out "answers of batch and textbook on rotation"
	textbook-eight <pairs.txt >theirs.out
	same pairs.out theirs.out "answers of batch and textbook on eight"
	counts inverse.csv ours.csv
	textbook-rotation --counts <boards.txt >theirs.csv
	same ours.csv theirs.csv "counts of batch and textbook on rotation"
	counts pairs.csv ours.csv
	textbook-eight --counts <pairs.txt >theirs.csv
	same ours.csv theirs.csv "counts of batch and textbook on eight"
fi
around='parallel --will-cite --pipe -k -j 2 --block 4k textbook-rotation'
if [ "$compiler" ] && [ "$parallel" ]; then
	$around <boards.txt >theirs.out
	same boards.out theirs.out "answers of batch and parallel around the textbook"
fi

# Every 500th of the easy boards is replaced by one of the uniform boards that
# take about a thousand times as many expansions.
batch solve -q easy.txt -j 2 --heuristic center --results /dev/null --cases easy.csv
awk -F, '
	FILENAME == ARGV[1] { if (FNR > 1) { sum += $10; n++ }; next }
	FILENAME == ARGV[2] {
		if (FNR > 1 && $10 > 500 * sum / n && $10 < 2000 * sum / n) { hard[k++] = $3; total += $10 }
		next
	}
	FNR == 1 {
		if (!k) { print "bench: no hard boards" >"/dev/stderr"; exit 1 }
		printf "%.0f and %.0f expansions on average\n", sum / n, total / k >"mixed.about"
	}
	{ print FNR % 500 ? $0 : hard[next_hard++ % k] }
' easy.csv canonical.csv easy.txt >mixed.txt

# ---- Time ----

# compare NAME COMMAND [NAME COMMAND ...]: times them in turn, into the file times.
compare() { measure "$runs" "$@" >>times; }

say "timing: rotation, center"
set -- inverse "$center -j 1 --prune inverse --results out" \
	canonical "$center -j 1 --results out" \
	canonical-2 "$center -j 2 --results out"
[ ! "$compiler" ] || set -- textbook 'textbook-rotation <boards.txt >out' "$@"
[ ! "$compiler" ] || [ ! "$parallel" ] || set -- "$@" parallel "$around <boards.txt >out"
compare "$@"

say "timing: rotation, exact"
exact='batch solve -q boards-2m.txt -j 2 --heuristic exact'
compare digest "$digest boards-2m.txt" \
	exact "$exact --results out" \
	exact-out "$exact --out run --force"

say "timing: eight"
set -- manhattan "$manhattan --results out" \
	exact8 'batch solve -q pairs-1m.txt -j 2 --heuristic exact --results out'
[ ! "$compiler" ] || set -- textbook8 'textbook-eight <pairs.txt >out' "$@"
compare "$@"

say "timing: easy boards with hard ones among them, one case, memory"
mixed='batch solve -q mixed.txt --heuristic center --results out'
center40k='batch solve -q boards-40k.txt --heuristic center --results out'
compare one-worker "$center40k -j 1" two-workers "$center40k -j 2"
compare mixed "$mixed -j 1" mixed-2 "$mixed -j 2"
compare one 'batch solve -q board.txt --heuristic center' \
	one-exact 'batch solve -q board.txt --heuristic exact' \
	one8 'batch solve -q pair.txt --heuristic manhattan' \
	one8-exact 'batch solve -q pair.txt --heuristic exact'
everything='-j 2 --out run --force --progress plain 2>log'
measure 1 memory-center "batch solve mixed.txt --heuristic center $everything" \
	memory-pairs "batch solve pairs-1m.txt --heuristic exact $everything" \
	memory-line "batch solve --heuristic exact <line.txt $everything" >>times

# ---- The table ----

median() { awk -F'\t' -v name="$1" '$1 == name { print $2 }' times; }

# ratio A B [FACTOR]: the time of A over that of B, times FACTOR.
ratio() {
	awk -v a="$(median "$1")" -v b="$(median "$2")" -v factor="${3:-1}" \
		'BEGIN { x = a / b * factor; printf((x < 10 ? "%.2f" : "%.1f"), x) }'
}

milliseconds() { awk -v s="$(median "$1")" 'BEGIN { printf "%.0f ms", s * 1000 }'; }

row() { echo "| $1 | $2 | $3 | $4 |"; }

table() {
	row what against "at least" measured
	row --- --- --- ---
	if [ "$compiler" ]; then
		row "rotation, \`center\`, \`inverse\`, \`-j 1\`: 2,000 uniform boards" \
			"textbook, the same counts" "10 times its speed" "$(ratio textbook inverse)"
		row "rotation, \`center\`, \`canonical\`, \`-j 1\`, the same boards" \
			"the same textbook (\`inverse\`)" "20 times" "$(ratio textbook canonical)"
	fi
	if [ "$compiler" ] && [ "$parallel" ]; then
		row "rotation, \`center\`, \`canonical\`, \`-j 2\`, the same boards" \
			"GNU parallel around the textbook, two jobs" "" "$(ratio parallel canonical-2)"
	fi
	row "rotation, \`exact\`, results only, \`-j 2\`: 2 million boards from a file to a file" \
		"\`$digest\` of that input file" "no more than 4 times its time" "$(ratio exact digest)"
	row "the same with \`--out\`" "the same" "no more than 12 times" "$(ratio exact-out digest)"
	if [ "$compiler" ]; then
		row "eight, \`manhattan\`, \`inverse\`, \`-j 1\`: 100,000 uniform pairs" \
			"textbook, the same counts" "4 times" "$(ratio textbook8 manhattan)"
		row "eight, \`exact\`, \`-j 2\`: a million pairs" \
			"textbook, ten times its time for 100,000" "150 times" "$(ratio textbook8 exact8 10)"
	fi
	row "two workers: \`center\`, 40,000 uniform boards" "one worker" "1.9 times" "$(ratio one-worker two-workers)"
	row "one rotation case, start of the program to its answer, \`center\`" "" "under 60 ms" "$(milliseconds one)"
	row "the same, \`exact\`" "" "under 150 ms" "$(milliseconds one-exact)"
	row "one eight case, \`manhattan\`" "" "under 60 ms" "$(milliseconds one8)"
	row "the same, \`exact\`" "" "under 150 ms" "$(milliseconds one8-exact)"
	row "peak memory of all runs below" "" "under 100 MB" \
		"$(awk -F'\t' '$1 !~ /^textbook|^parallel|^digest/ && $5 > peak { peak = $5 } END { printf "%.0f MB", peak }' times)"
	row "easy boards with every 500th a thousand times harder ($(cat mixed.about)), \`center\`, \`-j 2\`" \
		"\`-j 1\`" "1.8 times" "$(ratio mixed mixed-2)"
}

machine() {
	if [ -r /proc/cpuinfo ]; then
		sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1
	else
		sysctl -n machdep.cpu.brand_string 2>/dev/null || uname -m
	fi
}

report() {
	echo "commit:   $commit"
	echo "date:     $(date -u '+%Y-%m-%d %H:%M UTC')"
	echo "machine:  $(machine), $(getconf _NPROCESSORS_ONLN) cores, $(uname -srm)"
	echo "go:       $(go env GOVERSION)"
	[ ! "$compiler" ] || echo "c++:      $("$compiler" --version | head -n 1), -std=c++17 -O2"
	echo "command:  bench/run.sh; medians of $runs runs of each side, taken in turn; $(($(date +%s) - began)) s in all"
	[ "$compiler" ] || echo "left out: the rows against the textbook: no C++ compiler"
	[ "$parallel" ] || echo "left out: the row against GNU parallel: it is not installed"
	echo
	table
	echo
	echo "Seconds: median, least, greatest; MB: greatest peak."
	echo
	awk -F'\t' '{ printf "%-13s %8.3f %8.3f %8.3f %6.0f MB  %s\n", $1, $2, $3, $4, $5, $6 }' times
}

report >report.txt
cat report.txt
if [ "$save" = yes ]; then
	mkdir -p "$repo/bench/results"
	file=bench/results/$(date -u +%Y-%m-%d)-$commit.txt
	cp report.txt "$repo/$file"
	say "kept in $file"
fi
