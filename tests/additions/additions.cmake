# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake -DTREE=<root> -DWORK=<scratch folder> -P additions.cmake
# Adds a gauge action, an integrator, a file format, an observable, a smoothing and a smearing as docs/design.md
# describes ("Which file to open"), in copies of the files that must be changed, and fails if there are more of them
# than that page says. The manual, which lists the choices, is not counted. CMakeLists.txt links `trellis` with these
# files instead of the originals, and additions_test.cmake uses all of them.
cmake_minimum_required(VERSION 3.25)

# Starts an addition that may touch at most this many source files.
macro(addition name files)
  set(addition "${name}")
  set(limit ${files})
  set(touched "")
endmacro()
# Replaces `from` by `to` in a copy of a file of the tree; several edits of a file are cumulative.
function(edit file from to)
  if(NOT EXISTS ${WORK}/${file})
    file(COPY_FILE ${TREE}/${file} ${WORK}/${file})
  endif()
  file(READ ${WORK}/${file} text)
  string(FIND "${text}" "${from}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${addition}: ${file} has no '${from}'")
  endif()
  string(REPLACE "${from}" "${to}" text "${text}")
  file(WRITE ${WORK}/${file} "${text}")
  list(APPEND touched ${file})
  set(touched "${touched}" PARENT_SCOPE)
endfunction()
function(new_file file)
  if(EXISTS ${TREE}/${file})
    message(FATAL_ERROR "${addition}: ${file} already exists")
  endif()
  get_filename_component(name ${file} NAME)
  file(COPY_FILE ${CMAKE_CURRENT_LIST_DIR}/${name} ${WORK}/${file})
  list(APPEND touched ${file})
  set(touched "${touched}" PARENT_SCOPE)
endfunction()
function(count)
  list(REMOVE_DUPLICATES touched)
  list(LENGTH touched found)
  list(JOIN touched " " names)
  if(found GREATER limit)
    message(FATAL_ERROR "${addition}: ${found} files are touched, but docs/design.md promises ${limit}: ${names}")
  endif()
  message("${addition}: ${names}")
endfunction()

file(REMOVE_RECURSE ${WORK})
foreach(folder gauge/smearing hmc io/formats measure)
  file(MAKE_DIRECTORY ${WORK}/trellis/${folder})
endforeach()

addition("gauge action" 1)
edit(trellis/gauge/action_names.cpp "      NamedAction{\"wilson\"" "      NamedAction{\"scratch\", \"scratch\", -0.2},\n      NamedAction{\"wilson\"")
count()

addition(integrator 1)
edit(trellis/hmc/scheme.cpp "Scheme leapfrog() {" "Scheme scratch() { return {\"scratch\", {kick(0.25), drift(0.5), kick(0.5), drift(0.5), kick(0.25)}}; }\n\nScheme leapfrog() {")
edit(trellis/hmc/scheme.cpp "    Integrator{\"leapfrog\"" "    Integrator{\"scratch\", 2, 0, [](double) { return scratch(); }},\n    Integrator{\"leapfrog\"")
count()

addition("file format" 2)
new_file(trellis/io/formats/scratch_format.cpp)
edit(trellis/io/formats/file_formats.cpp "FileFormat ildg_format()," "FileFormat scratch_format(), ildg_format(),")
edit(trellis/io/formats/file_formats.cpp "all{ildg_format()," "all{scratch_format(), ildg_format(),")
count()

addition(observable 2)
new_file(trellis/measure/scratch_observable.cpp)
edit(trellis/measure/observables.cpp "Observable polyakov_observable()," "Observable scratch_observable(), polyakov_observable(),")
edit(trellis/measure/observables.cpp "all{polyakov_observable()," "all{scratch_observable(), polyakov_observable(),")
count()

addition(smoothing 2)
new_file(trellis/measure/scratch_smoothing.cpp)
edit(trellis/measure/smoothings.cpp "Smoothing cooling_smoothing()," "Smoothing scratch_smoothing(), cooling_smoothing(),")
edit(trellis/measure/smoothings.cpp "all{cooling_smoothing()," "all{scratch_smoothing(), cooling_smoothing(),")
count()

addition(smearing 2)
new_file(trellis/gauge/smearing/scratch_smearing.cpp)
edit(trellis/gauge/smearing/smearings.cpp "Smearing stout_smearing()," "Smearing scratch_smearing(), stout_smearing(),")
edit(trellis/gauge/smearing/smearings.cpp "all{stout_smearing()" "all{scratch_smearing(), stout_smearing()")
count()
