#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# scripts/docs.sh [FOLDER]
# Makes the documentation as a site that works offline, with its own search: the pages of docs/ and the API reference of
# the public headers (docs/site/public_headers.txt), in FOLDER (build/docs). Open FOLDER/html/index.html.
# Fails if a link is broken. Needs doxygen and python3 (Debian: apt-get install doxygen).
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-build/docs}

for program in doxygen python3; do
  command -v "$program" >/dev/null ||
    { echo "docs: $program is not installed (Debian: apt-get install --no-install-recommends $program)" >&2; exit 1; }
done
python3 docs/site/site.py links .
python3 docs/site/site.py stage . "$out"
(cd "$out" && doxygen Doxyfile)
python3 docs/site/site.py check "$out/html"
echo "The documentation is in $out/html/index.html"
