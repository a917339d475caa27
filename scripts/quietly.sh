# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# To be sourced by bash. quietly WHAT LOG COMMAND...
# Runs COMMAND with its output appended to LOG (relative to the root of the tree) and says how it goes on one line:
# seconds, and ninja's [done/all] where there is one. When COMMAND fails, shows the log's last lines and exits with
# COMMAND's exit code. COMMAND runs in the foreground, so Ctrl-C reaches it.

quietly_ticker=
quietly_stop_ticker() {
  if [ -n "$quietly_ticker" ]; then
    kill "$quietly_ticker" 2>/dev/null || true
    wait "$quietly_ticker" 2>/dev/null || true
    quietly_ticker=
    printf '\r\033[K'
  fi
}
trap quietly_stop_ticker EXIT

quietly() {
  local what=$1 log start=$SECONDS code=0 from
  log=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/$2
  shift 2
  mkdir -p "$(dirname "$log")"
  echo "== $what: $*" >>"$log"
  from=$(wc -l <"$log")
  if [ -t 1 ]; then
    while sleep 1 && kill -0 $$ 2>/dev/null; do
      printf '\r\033[K%s  %s  %d s' "$what" "$(tail -n 1 "$log" | grep -o '^\[[0-9]*/[0-9]*\]')" $((SECONDS - start))
    done &
    quietly_ticker=$!
  else
    echo "$what ..."
  fi
  ("$@") >>"$log" 2>&1 || code=$?
  quietly_stop_ticker
  if [ "$code" != 0 ]; then
    echo "$what: failed after $((SECONDS - start)) s. The end of $log:" >&2
    tail -n "+$((from + 1))" "$log" | tail -n 30 | sed 's/^/    /' >&2
    exit "$code"
  fi
  echo "$what: done in $((SECONDS - start)) s"
}
