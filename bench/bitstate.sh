#!/usr/bin/env bash
# Bit-state search: Mazurka beside SPIN, both without reduction, with the same memory for bits, alternating.
#
#   bench/bitstate.sh MAZURKA MODEL.pml ROUNDS MEGABYTES [-DNAME=VALUE ...]
#
# Needs spin and gcc. The memory is a power of two: SPIN's array is 2^w bits. Mazurka's array is three quarters of its
# memory, so it is given four thirds. States are compared with those of an exact search of Mazurka. Times are processor
# time, user and system, of the whole process.
set -eu
mazurka=$(realpath "$1") model=$(realpath "$2") rounds=$3 megabytes=$4
shift 4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# The claims of the model are left out on both sides.
grep -vE '^[[:space:]]*ltl[[:space:]]' "$model" >model.pml
spin -o1 -o2 -o3 "$@" -a model.pml >/dev/null
gcc -O2 -w -DBITSTATE -DSAFETY -DNOREDUCE -DMEMLIM=8000 -o pan pan.c
w=$(awk -v m="$megabytes" 'BEGIN { print int(log(m * 8 * 1024 * 1024) / log(2) + 0.5) }')
field() { sed -nE "s/^ *\"$1\": ([0-9.e+-]+),?$/\1/p" "$2" | head -1; }
TIMEFORMAT='%U %S'
# Runs a command, its output into a file, and prints the processor time.
timed() { # OUTPUT COMMAND ...
    local output=$1
    shift
    { time "$@" >"$output" 2>/dev/null || true; } 2>&1 | awk '{ print $1 + $2 }'
}
"$mazurka" check model.pml "$@" --reduce none --property deadlock --property assert --json >exact.json 2>/dev/null || true
echo "exact: $(field states exact.json) states"
for ((round = 0; round <= rounds; round++)); do
    spin_seconds=$(timed pan.out ./pan -w"$w" -m1000000)
    spin_states=$(sed -nE 's/^ *([0-9.e+]+) states, stored.*/\1/p' pan.out)
    seconds=$(timed ours.json "$mazurka" check model.pml "$@" --reduce none --store bitstate --memory \
        $((megabytes * 4096 / 3))k --property deadlock --property assert --json)
    # The first round warms up.
    [ "$round" = 0 ] && continue
    awk -v ss="$spin_states" -v st="$spin_seconds" -v os="$(field states ours.json)" -v ot="$seconds" \
        -v all="$(field states exact.json)" -v c="$(field expected_coverage ours.json)" 'BEGIN {
        printf "spin %d states (%.4f %%) in %.2f s; mazurka %d (%.4f %%, expected %.4f %%) in %.2f s; ratio of speed %.2f\n",
            ss, 100 * ss / all, st, os, 100 * os / all, 100 * c, ot, (os / ot) / (ss / st) }'
done
