#!/usr/bin/env bash
# Kills a search at random moments (kill -9), goes on from its checkpoint, and compares the end with that of a
# search that was never killed: states, transitions, verdict, errors and the counterexample.
#
#   bench/crash.sh MAZURKA MODEL ROUNDS [OPTIONS OF CHECK ...]
#
# Prints one line for each kind of end, and fails unless all are the same.
set -u
mazurka=$(realpath "$1") model=$(realpath "$2") rounds=$3
shift 3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$(dirname "$model")" || exit 2
model=$(basename "$model")

# What has to be the same: the JSON without times, memory and paths, and the run that shows the error.
essence() {
    grep -E '^  "(verdict|guarantee|states|matched|transitions|atomic_steps|depth|errors)"' "$folder/result.json"
    grep -vE '^(model|saved)' "$folder/error.trail" 2>/dev/null
}

check() {
    "$mazurka" check "$model" "$@" --json --quiet --trail "$folder/error.trail" >"$folder/result.json" \
        2>"$folder/messages"
}

begun=$(date +%s%N)
check "$@"
length=$(($(date +%s%N) - begun))
essence >"$folder/expected"
if [ ! -s "$folder/expected" ]; then
    echo "$mazurka gave no result for $model:" >&2
    cat "$folder/messages" >&2
    exit 2
fi
same=0 kills=0 resumed=0 different=0
for ((round = 1; round <= rounds; round++)); do
    rm -f "$folder/checkpoint" "$folder/checkpoint.partial" "$folder/error.trail" "$folder/result.json"
    resume=()
    # Killed up to three times, and at least once, each time at a random moment of what a whole run takes. If the run was over by
    # then, it counts for nothing, and an earlier moment is tried.
    most=$length
    for ((left = 1 + RANDOM % 3, first = 1; left > 0; left--)); do
        "$mazurka" check "$model" "$@" --json --quiet --trail "$folder/error.trail" "${resume[@]}" \
            --checkpoint "$folder/checkpoint" --every 0.02s >"$folder/result.json" 2>"$folder/messages" &
        search=$!
        nanoseconds=$(((RANDOM * 32768 + RANDOM) * (most / 1000000) / 1073741824 * 1000000 + RANDOM * 30))
        sleep "$((nanoseconds / 1000000000)).$(printf %09d $((nanoseconds % 1000000000)))"
        if kill -9 "$search" 2>/dev/null; then
            kills=$((kills + 1)) first=0
            [ -e "$folder/checkpoint" ] && resume=(--resume "$folder/checkpoint") && resumed=$((resumed + 1))
        elif [ "$first" = 1 ]; then
            rm -f "$folder/checkpoint"
            most=$nanoseconds left=$((left + 1))
        else
            left=1
        fi
        wait "$search" 2>/dev/null
    done
    check "$@" "${resume[@]}"
    if essence | cmp -s - "$folder/expected"; then
        same=$((same + 1))
    else
        different=$((different + 1))
        echo "round $round is different:"
        cat "$folder/messages"
        essence | diff "$folder/expected" - | head -20
    fi
done
echo "$kills kills in $rounds rounds, $resumed of them with a checkpoint to go on from: $same ends the same, $different different"
[ "$different" = 0 ]
