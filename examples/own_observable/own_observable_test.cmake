# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake -DPROGRAM=<own_observable> -DTRELLIS=<trellis> -DDATA=<tests/data> -DWORK=<scratch folder>
#   -P own_observable_test.cmake
# The program measures its own observable, on files and in a run, and otherwise behaves like `trellis`.
cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/../../tests/run_program.cmake)

file(READ ${CMAKE_CURRENT_LIST_DIR}/link_trace.toml input)
string(REPLACE "tests/data/" "${DATA}/" input "${input}")
file(WRITE ${WORK}/link_trace.toml "${input}")
run(0 ${PROGRAM} measure link_trace.toml)
file(STRINGS ${WORK}/link-trace-results/link_trace.csv rows)
list(GET rows 0 names)
expect("${names}" ",polyakov_re,polyakov_im,link_trace,link_trace_spatial,link_trace_temporal,seconds,")
string(REPLACE "," ";" names "${names}")
list(GET rows 1 row)
string(REPLACE "," ";" row "${row}")
list(FIND names link_trace place)
list(GET row ${place} measured)
# The same number that `inspect` finds, to its twelve digits.
run(0 ${TRELLIS} inspect ${DATA}/milc/lat.sample.l4444)
expect("${output}" "link trace +[0-9.-]+")
string(REGEX REPLACE ".*link trace +([0-9.-]+).*" "\\1" known "${output}")
string(REGEX REPLACE "(\\.[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]).*" "\\1" digits "${known}")
expect("${measured}" "^${digits}")

file(WRITE ${WORK}/run.toml "[lattice]\nsize = [4, 4, 4, 4]\n[action]\nbeta = 6.0\n[algorithm]\nkind = \"heatbath\"\n\
[chain]\ntrajectories = 2\n[measure]\nobservables = [\"link_trace\"]\n")
run(0 ${PROGRAM} run run.toml)
expect("${output}" "link trace")
file(STRINGS ${WORK}/run-results/run.csv rows)
expect("${rows}" ",link_trace,link_trace_spatial,link_trace_temporal,")

run(0 ${PROGRAM} measure --help)
expect("${output}" "link_trace +average of Re tr U")
run(2 ${TRELLIS} measure link_trace.toml)
expect("${output}" "measure.observables: found \"link_trace\"")
