# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# Source this in bash. quietly WHAT LOG COMMAND...
# Runs COMMAND with its output appended to LOG (relative to the root of the tree) and shows its progress: seconds, and, if
# ninja counts files, how many are done and how long the rest will take. On a terminal that is one line; elsewhere, and in
# the log, one line every half minute. If COMMAND fails, shows the log's last lines and exits with COMMAND's exit
# code. COMMAND runs in the foreground, so Ctrl-C reaches it.

quietly_ticker=
quietly_stop_ticker() {
  if [ -n "$quietly_ticker" ]; then
    kill -KILL "$quietly_ticker" 2>/dev/null || true
    wait "$quietly_ticker" 2>/dev/null || true
    quietly_ticker=
    [ ! -t 1 ] || printf '\r\033[K'
  fi
}
trap quietly_stop_ticker EXIT

# quietly_progress WHAT LOG FROM START: "Building: 31 of 79 files, 62 s, about 95 s to go", from the log's lines after FROM.
quietly_progress() {
  local counts finished all elapsed=$((SECONDS - $4)) text
  text="$1: $elapsed s"
  counts=$(tail -n "+$(($3 + 1))" "$2" | grep -o '^\[[0-9]*/[0-9]*\]' | tail -n 1)
  if [ -n "$counts" ]; then
    counts=${counts//[][]/}
    finished=${counts%/*} all=${counts#*/}
    text="$1: $finished of $all files, $elapsed s"
    if [ "$finished" -gt 0 ] && [ "$elapsed" -ge 10 ]; then
      text+=", about $((elapsed * (all - finished) / finished)) s to go"
    fi
  fi
  printf '%s' "$text"
}

quietly() {
  local what=$1 log start=$SECONDS code=0 from now
  log=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/$2
  shift 2
  mkdir -p "$(dirname "$log")"
  echo "== $what: $*" >>"$log"
  from=$(wc -l <"$log")
  [ -t 1 ] || echo "$what ..."
  # One second at a time: whatever waits for this script's output to end must not wait for a long sleep.
  while sleep 1 && kill -0 $$; do
    now=$(quietly_progress "$what" "$log" "$from" "$start")
    [ ! -t 1 ] || printf '\r\033[K%s' "$now"
    if [ $(((SECONDS - start) % 30)) = 0 ]; then
      [ -t 1 ] || echo "$now"
      echo "== $now" >>"$log"
    fi
  done 2>/dev/null &
  quietly_ticker=$!
  ("$@") >>"$log" 2>&1 || code=$?
  quietly_stop_ticker
  if [ "$code" != 0 ]; then
    echo "$what: failed after $((SECONDS - start)) s. The end of $log:" >&2
    tail -n "+$((from + 1))" "$log" | tail -n 30 | sed 's/^/    /' >&2
    exit "$code"
  fi
  echo "$what: done in $((SECONDS - start)) s"
}
