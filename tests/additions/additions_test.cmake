# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake -DBUILD=<build folder> -DPROGRAM=<trellis_with_additions> -DWORK=<scratch folder> -P additions_test.cmake
# Builds `trellis` with the additions made by additions.cmake, and checks that they work by name: in input files, on the
# command line, and in help, messages, tables and reports.
cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/../run_program.cmake)

run(0 ${CMAKE_COMMAND} --build ${BUILD} --target trellis_with_additions)
message("${output}")

set(input "[lattice]\nsize = [4, 4, 4, 4]\n[action]\nname = \"scratch\"\nbeta = 4.0\n[algorithm]\nintegrator = \"scratch\"\n\
trajectory_length = 0.5\n[start]\nkind = \"hot\"\n[chain]\ntrajectories = 2\nsave_every = 2\n[measure]\nobservables = [\"scratch\"]\n[measure.scratch]\nsteps = 4\ninterval = 2\n")
file(WRITE ${WORK}/chain.toml "${input}")
run(0 ${PROGRAM} run chain.toml)
expect("${output}" "the scratch action" "scratch, spatial  " "charge, scratch" "chain-scratch.csv")
file(STRINGS ${WORK}/chain-results/chain.csv output)
expect("${output}" ",scratch,scratch_temporal,charge_scratch,seconds,")

run(0 ${PROGRAM} verify chain.toml)
expect("${output}" "pass  'scratch', order +(1\\.9|2\\.0)")

run(0 ${PROGRAM} convert chain-results/chain.000002.ildg links.scratch)
run(0 ${PROGRAM} inspect links.scratch)
expect("${output}" "format +scratch" "verdict +sound")
file(WRITE ${WORK}/files.toml "[configurations]\nfiles = [\"links.scratch\"]\n[measure]\nobservables = [\"scratch\"]\n")
run(0 ${PROGRAM} measure files.toml)
expect("${output}" "scratch_temporal")

run(0 ${PROGRAM} inspect --help)
expect("${output}" "scratch files")
run(0 ${PROGRAM} measure --help)
expect("${output}" "scratch +spatial and temporal plaquette once more")
run(2 ${PROGRAM} convert links.scratch links.new)
expect("${output}" "\\.scratch, \\.ildg")
string(REPLACE "\"scratch\"\nbeta" "\"nothing\"\nbeta" wrong "${input}")
file(WRITE ${WORK}/wrong.toml "${wrong}")
run(2 ${PROGRAM} run wrong.toml)
expect("${output}" "action.name: found [^\n]*\"nothing\"" "\"scratch\", \"wilson\"")

# Hypercubic blocking: in measurements, quarks see its links; a run needs a force, so it is refused before it starts.
set(quarks "[[flavours]]\nname = \"l\"\nmass = 0.5\n[smearing]\nkind = \"hypercubic\"\n")
foreach(alpha 0.0 0.75)
  file(WRITE ${WORK}/hyp-${alpha}.toml "[configurations]\nfiles = [\"links.scratch\"]\n[measure.quarks]\nnoise_vectors = 1\n${quarks}\
alpha_1 = ${alpha}\n")
  run(0 ${PROGRAM} measure hyp-${alpha}.toml)
  file(STRINGS ${WORK}/hyp-${alpha}-results/hyp-${alpha}-quarks.csv rows)
  list(GET rows -1 condensate_${alpha})
endforeach()
if(condensate_0.0 STREQUAL condensate_0.75)
  message(FATAL_ERROR "HYP links are thin links: ${condensate_0.75}")
endif()
string(REPLACE "[chain]" "${quarks}[chain]" with_quarks "${input}")
file(WRITE ${WORK}/run-hyp.toml "${with_quarks}")
run(2 ${PROGRAM} run run-hyp.toml)
expect("${output}" "smearing.kind: \"hypercubic\" has no force")
