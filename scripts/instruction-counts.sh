#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# scripts/instruction-counts.sh BINARY [REGEX] [--csv] [--processor]
# How many instructions of each kind the functions of a program, library or object file have whose demangled names match the
# extended regular expression (default: all). Static counts: each instruction once, however often it runs.
#
# Of x86-64 (objdump), each instruction in exactly one column:
#   fma mul add   multiply-adds; products; sums and differences, of floating-point vectors or scalars
#   shuffle       permutations, blends, broadcasts, insertions and extractions of lanes, unless they load their only operand
#   convert       between integers and floating point, or between precisions
#   spill reload  moves of vector registers to and from the stack
#   load store    other moves of vector registers from and to memory
#   vector        everything else on vector registers: moves between them, logic, comparisons, integers in lanes, division
#   scalar        everything else: addresses, counters, branches, calls, prefetches
# Their sum is `total`. `memory` and `stack` count those of all columns with an operand in memory, outside or on the stack:
# arithmetic takes operands from there too. Padding is not counted.
#
# Of NVIDIA GPUs, if the file has kernels (cuobjdump -sass, from CUDA_HOME or the PATH) and without --processor, which counts
# the code for the host: fma FFMA, DFMA, HFMA2; mul; add;
# shuffle SHFL, PRMT; convert F2F, I2F, F2I; spill STL and reload LDL, in local memory; load and store LD, LDG, LDS, STG, STS
# and so on; vector: other floating-point instructions; scalar: integers, addresses, branches.
#
# Exits with 1 if no function matches, 2 if it is used wrongly.
set -euo pipefail

csv=0 processor=0 words=()
while [ $# -gt 0 ]; do
  case "$1" in
    --csv) csv=1; shift ;;
    --processor) processor=1; shift ;;
    -h | --help) sed -n '5,26s/^# \{0,1\}//p' "$0"; exit 0 ;;
    -*) echo "instruction-counts.sh: unknown option '$1'; known are --csv and --processor" >&2; exit 2 ;;
    *) words+=("$1"); shift ;;
  esac
done
if [ ${#words[@]} -lt 1 ] || [ ${#words[@]} -gt 2 ]; then
  sed -n '5s/^# \{0,1\}/usage: /p' "$0" >&2
  exit 2
fi
binary=${words[0]} regex=${words[1]-.}
[ -r "$binary" ] || { echo "instruction-counts.sh: cannot read $binary" >&2; exit 2; }
status=0
grep -Eq -- "$regex" </dev/null 2>/dev/null || status=$?
if [ "$status" -gt 1 ]; then
  echo "instruction-counts.sh: '$regex' is no extended regular expression" >&2
  exit 2
fi

has_gpu_code() { LC_ALL=C grep -aq '\.nv_fatbin\|\.nv\.info' "$1"; }

# Both disassemblies become lines "F NAME" for a function and "I MNEMONIC OPERANDS" for an instruction.
of_processor() {
  objdump -d -C --no-show-raw-insn -M intel "$1" | sed -nE \
    -e 's/^[0-9a-f]+ <(.*)>:$/F \1/p' \
    -e 's/^ +[0-9a-f]+:\t(.*)$/I \1/p'
}
of_gpu() {
  "$cuobjdump" -sass "$1" | { c++filt 2>/dev/null || cat; } | sed -nE \
    -e 's/^[[:space:]]*Function : (.*)$/F \1/p' \
    -e 's/^[[:space:]]*\/\*[0-9a-f]+\*\/[[:space:]]+([^;]*);.*$/I \1/p'
}

count='
function flush_function(  k, line) {
  if (name == "" || !total || name !~ ENVIRON["REGEX"]) return
  if (!functions++) heading()
  line = ""
  if (csv) {
    for (k = 1; k <= kinds; ++k) line = line (n[kind[k]] + 0) ","
    gsub(/"/, "\"\"", name)
    print line total "," (memory + 0) "," (stack + 0) ",\"" name "\""
  } else {
    for (k = 1; k <= kinds; ++k) line = line sprintf("%8d", n[kind[k]])
    printf "%s%8d%8d%8d  %s\n", line, total, memory, stack, name
  }
}
function begin_function(of) { flush_function(); name = of; delete n; total = memory = stack = 0 }
function kind_on_processor(op, operands,   vector, first, of_stack, of_memory, to_memory) {
  vector = operands ~ /[xyz]mm[0-9]/
  of_stack = operands ~ /\[r[sb]p/
  of_memory = operands ~ /\[/ && op !~ /^(lea|nop)/
  if (op ~ /^prefetch/) return "scalar"
  if (of_memory && of_stack) ++stack
  if (of_memory && !of_stack) ++memory
  if (!vector) return "scalar"
  if (op ~ /^v?f(n?m(add|sub)|maddsub|msubadd)/) return "fma"
  if (op ~ /^v?mul[ps][hsd]$/) return "mul"
  if (op ~ /^v?(add|sub|addsub|hadd|hsub)[ps][hsd]$/) return "add"
  if (op ~ /^v?cvt/) return "convert"
  if (op ~ /^v?p?(broadcast|movs[hl]dup|movddup)/ && operands !~ /,.*[xyz]mm/ && of_memory)
    return of_stack ? "reload" : "load"
  if (op ~ /^v?(p?shuf|perm|pperm|unpck|punpck|p?blend|broadcast|pbroadcast|insert|pinsr|extract|pextr|palignr|align[dq]|movs[hl]dup|movddup|movhlps|movlhps|expand|compress|pexpand|pcompress)/) return "shuffle"
  if (op ~ /^v?(mov(a|u|nt|s|d$|q$|dqa|dqu|h|l)|lddqu|maskmov|pmaskmov|gather|scatter|pgather|pscatter)/ && operands ~ /\[/) {
    first = operands; sub(/,.*/, "", first)
    to_memory = first ~ /\[/
    if (of_stack) return to_memory ? "spill" : "reload"
    return to_memory ? "store" : "load"
  }
  return "vector"
}
function kind_on_gpu(op, operands,   base) {
  base = op; sub(/\..*/, "", base)
  if (base ~ /^(FFMA|DFMA|HFMA2|FFMA32I)$/) return "fma"
  if (base ~ /^(FMUL|DMUL|HMUL2|FMUL32I)$/) return "mul"
  if (base ~ /^(FADD|DADD|HADD2|FADD32I)$/) return "add"
  if (base ~ /^(SHFL|PRMT)$/) return "shuffle"
  if (base ~ /^(F2F|I2F|F2I|I2FP|F2FP|I2I|F2IP)$/) return "convert"
  if (base == "STL") { ++stack; return "spill" }
  if (base == "LDL") { ++stack; return "reload" }
  if (base ~ /^(LD|LDG|LDS|LDC|LDSM|LDGSTS|ULDC|LDCU)$/) { if (base !~ /LDC/) ++memory; return "load" }
  if (base ~ /^(ST|STG|STS)$/) { ++memory; return "store" }
  if (base ~ /^(F|D|H|MUFU)/ ) return "vector"
  return "scalar"
}
function heading(  k) {
  for (k = 1; k <= kinds; ++k) printf csv ? "%s," : "%8s", kind[k]
  if (csv) print "total,memory,stack,function"
  else printf "%8s%8s%8s  %s\n", "total", "memory", "stack", "function"
}
BEGIN { kinds = split("fma mul add shuffle convert spill reload load store vector scalar", kind, " ") }
/^F / { begin_function(substr($0, 3)); next }
/^I / {
  text = substr($0, 3)
  if (gpu) sub(/^@!?U?P[0-9T]+[ \t]+/, "", text)
  while (text ~ /^(notrack|bnd|lock|rep|repz|repnz|data16|cs) /) sub(/^[a-z0-9]+ +/, "", text)
  op = text; sub(/[ \t].*/, "", op)
  operands = text; sub(/^[^ \t]+[ \t]*/, "", operands); sub(/[ \t]*(#|<).*/, "", operands)
  if (op == "" || op ~ /^nop/ || op == "NOP" || op ~ /^(int3|ud2|\(bad\))$/) next  # padding
  ++total
  ++n[gpu ? kind_on_gpu(op, operands) : kind_on_processor(op, operands)]
}
END { flush_function(); if (!functions) { print "instruction-counts.sh: no function matches " ENVIRON["REGEX"] > "/dev/stderr"; exit 1 } }
'

export REGEX=$regex
if [ $processor = 0 ] && has_gpu_code "$binary"; then
  cuobjdump=${CUDA_HOME:+$CUDA_HOME/bin/}cuobjdump
  command -v "$cuobjdump" >/dev/null || {
    echo "instruction-counts.sh: $binary has kernels of a GPU, and there is no $cuobjdump to disassemble them; set CUDA_HOME" >&2
    exit 2
  }
  of_gpu "$binary" | awk -v gpu=1 -v csv="$csv" "$count"
else
  command -v objdump >/dev/null || { echo "instruction-counts.sh: there is no objdump" >&2; exit 2; }
  objdump -f "$binary" | grep -q x86-64 || {
    echo "instruction-counts.sh: $binary is not for x86-64 processors, whose instructions are the only ones it knows" >&2
    exit 2
  }
  of_processor "$binary" | awk -v gpu=0 -v csv="$csv" "$count"
fi
