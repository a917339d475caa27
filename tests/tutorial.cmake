# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
# The programs of docs/tutorial.md become targets of this build, tutorial_NAME, and tests, tutorial.NAME.
include(${CMAKE_CURRENT_LIST_DIR}/tutorial_blocks.cmake)
set(page ${PROJECT_SOURCE_DIR}/docs/tutorial.md)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page})
tutorial_blocks(${page})
set(folder ${CMAKE_CURRENT_BINARY_DIR}/tutorial)
foreach(name IN LISTS programs)
  if(NOT project MATCHES " ${name}[ )]")
    message(FATAL_ERROR "${page}: its CMakeLists.txt does not build ${name}")
  endif()
  # Written only when it changed, so that configuring again does not recompile.
  file(CONFIGURE OUTPUT ${folder}/${name}.cpp CONTENT "${source_${name}}" @ONLY)
  trellis_kernel_sources(${folder}/${name}.cpp)
  add_executable(tutorial_${name} ${folder}/${name}.cpp)
  target_link_libraries(tutorial_${name} PRIVATE trellis::core trellis_warnings)
  set_target_properties(tutorial_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${folder})
  add_test(NAME tutorial.${name} COMMAND ${CMAKE_COMMAND} -DPAGE=${page} -DNAME=${name} -DPROGRAMS=${folder}/tutorial_
    -DWORK=${folder}/run -DDEVICE=$<STREQUAL:${TRELLIS_BACKEND},cuda> -P ${CMAKE_CURRENT_LIST_DIR}/tutorial_test.cmake)
  set_tests_properties(tutorial.${name} PROPERTIES LABELS fast ENVIRONMENT OMP_WAIT_POLICY=passive)
endforeach()
add_test(NAME tutorial.can_fail COMMAND ${CMAKE_COMMAND} -DWORK=${folder}/selftest
  -P ${CMAKE_CURRENT_LIST_DIR}/tutorial_selftest.cmake)
set_tests_properties(tutorial.can_fail PROPERTIES LABELS fast)
