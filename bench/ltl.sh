#!/usr/bin/env bash
# Temporal properties: Mazurka beside SPIN, each formula of a model, both with their reductions, alternating.
#
#   bench/ltl.sh MAZURKA ROUNDS MODEL.pml ... [-- OPTION-OF-MAZURKA ...]
#
# Needs spin and gcc. For each formula one line: the verdicts, the product states of SPIN (raw: -o1 -o2 -o3) and of
# Mazurka, and processor times, user and system: of SPIN translating, compiling and searching, of its search alone, and of
# Mazurka from reading the model to the answer. The least of the rounds counts. With FAIR=1 both assume weak fairness.
set -u
mazurka=$(realpath "$1") rounds=$2
shift 2
models=() options=()
while [ $# -gt 0 ]; do
    if [ "$1" = -- ]; then shift; options=("$@"); break; fi
    models+=("$(realpath "$1")")
    shift
done
fair=${FAIR:-} most=${SECONDS_EACH:-300}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
TIMEFORMAT='%U %S'
timed() { # OUTPUT COMMAND ...
    local output=$1
    shift
    { time timeout "$most" "$@" >"$output" 2>&1; } 2>&1 | awk 'END { print $1 + $2 }'
}
least() { awk -v a="$1" -v b="$2" 'BEGIN { print (a == "" || b < a) ? b : a }'; }
echo "| model, formula | verdicts | states, SPIN | Mazurka | s, SPIN in all | its search | Mazurka | times as fast in all | search |"
echo "|---|---|---:|---:|---:|---:|---:|---:|---:|"
for model in "${models[@]}"; do
    names=$(sed -nE 's/^[[:space:]]*ltl[[:space:]]+([A-Za-z_0-9]+)[[:space:]]*[{$].*/\1/p' "$model" | awk '!seen[$0]++')
    rm -f pan* ./*.trail
    # One verifier for all formulas of a model: SPIN translates and compiles all of them.
    made=$(timed made.out spin -o1 -o2 -o3 -a "$model")
    compiled=$(timed gcc.out gcc -O2 -w -DMEMLIM=3000 ${fair:+-DNFAIR=3} -o pan pan.c)
    for name in ${names:-ltl_0}; do
        search="" ours=""
        for ((round = 0; round < rounds; round++)); do
            # Invalid end states are not asked about (assertions can't be left out: claims of safety are some); stacks may be deep.
            search=$(least "$search" "$(timed pan.out ./pan -a -E -m2000000 ${fair:+-f} -N "$name")")
            ours=$(least "$ours" "$(timed ours.out "$mazurka" check "$model" --property "claim:$name" --json \
                ${fair:+--fair weak} "${options[@]}")")
        done
        spin_states=$(sed -nE 's/^ *([0-9.e+]+) states, stored.*/\1/p' pan.out | head -1)
        spin_errors=$(sed -nE 's/.*errors: ([0-9]+).*/\1/p' pan.out | head -1)
        states=$(sed -nE 's/^ *"states": ([0-9]+),?$/\1/p' ours.out | head -1)
        verdict=$(sed -nE 's/^ *"verdict": "([a-z]+)",?$/\1/p' ours.out | head -1)
        awk -v m="$(basename "$model" .pml), $name" -v se="$spin_errors" -v v="$verdict" -v ss="$spin_states" -v os="$states" \
            -v a="$made" -v b="$compiled" -v s="$search" -v o="$ours" 'BEGIN {
            spin = se == "" ? "?" : se == 0 ? "holds" : "violated"
            same = spin == v ? v : "SPIN " spin ", Mazurka " v
            printf "| %s | %s | %s | %s | %.2f | %.3f | %.3f | %.0f | %.1f |\n", m, same, ss, os, a + b + s, s, o,
                (a + b + s) / (o + 1e-3), s / (o + 1e-3) }'
    done
done
