# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
# TRELLIS_ARCH=portable. On x86-64: builds this tree once for each of x86-64-v2, -v3 and -v4 (or for those that
# TRELLIS_PORTABLE_ISAS names), each as a separate build in a folder of that name, and a small program `trellis` that
# replaces itself with the best of them that the processor can run (trellis/app/portable). TRELLIS_PORTABLE is then ON, and
# nothing else is built here. Other processors get their baseline.
set(TRELLIS_PORTABLE OFF)
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  message(STATUS "TRELLIS_ARCH=portable: one program, for any ${CMAKE_SYSTEM_PROCESSOR}")
  set(TRELLIS_ARCH "")
  return()
endif()
if(NOT TRELLIS_BACKEND MATCHES "^(openmp|threads|serial)$")
  message(FATAL_ERROR "TRELLIS_ARCH is portable, but kernels of the backend ${TRELLIS_BACKEND} do not run on the processor: "
    "configure with -DTRELLIS_ARCH=x86-64-v2")
endif()
set(TRELLIS_PORTABLE ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# The settings of this build apply to the three.
set(settings "")
get_cmake_property(names CACHE_VARIABLES)
foreach(name IN LISTS names)
  if(name MATCHES "^(TRELLIS_|Python_EXECUTABLE$|MPI_|MPIEXEC_|HDF5_|RANDOM123_|HWLOC_)|_(ROOT|DIR)$|^CMAKE_(BUILD_TYPE|PREFIX_PATH|TOOLCHAIN_FILE)$|^CMAKE_(INSTALL_PREFIX|INSTALL_.*DIR)$|^CMAKE_(C|CXX)_(COMPILER|COMPILER_LAUNCHER|FLAGS.*)$|^CMAKE_(EXE|SHARED|MODULE)_LINKER_FLAGS$"
      AND NOT name MATCHES "^(TRELLIS_(ARCH|LANES|TESTS|PORTABLE.*)|Trellis_.*|CMAKE_(ROOT|CACHEFILE_DIR))$")
    get_property(type CACHE ${name} PROPERTY TYPE)
    if(type MATCHES "^(INTERNAL|STATIC|UNINITIALIZED)$")
      set(type STRING)
    endif()
    list(APPEND settings "-D${name}:${type}=${${name}}")
  endif()
endforeach()

if(NOT TRELLIS_PORTABLE_ISAS)
  set(TRELLIS_PORTABLE_ISAS x86-64-v2,x86-64-v3,x86-64-v4)
endif()
set(isas ${TRELLIS_PORTABLE_ISAS})
string(REPLACE "," ";" TRELLIS_PORTABLE_ISAS "${isas}")
list(REMOVE_DUPLICATES TRELLIS_PORTABLE_ISAS)
list(SORT TRELLIS_PORTABLE_ISAS)
foreach(isa IN LISTS TRELLIS_PORTABLE_ISAS)
  if(NOT isa MATCHES "^x86-64-v[234]$")
    message(FATAL_ERROR "TRELLIS_PORTABLE_ISAS is '${isas}'; expected some of x86-64-v2,x86-64-v3,x86-64-v4")
  endif()
endforeach()
list(JOIN TRELLIS_PORTABLE_ISAS "," isas)
include(ExternalProject)
include(GNUInstallDirs)
foreach(isa IN LISTS TRELLIS_PORTABLE_ISAS)
  set(folder ${PROJECT_BINARY_DIR}/${isa})
  # One after the other, each with all jobs: side by side they would run three times as many jobs as requested.
  ExternalProject_Add(trellis_${isa} PREFIX ${PROJECT_BINARY_DIR}/steps SOURCE_DIR ${PROJECT_SOURCE_DIR}
    BINARY_DIR ${folder} DOWNLOAD_COMMAND "" INSTALL_COMMAND "" BUILD_ALWAYS ON
    USES_TERMINAL_CONFIGURE ON USES_TERMINAL_BUILD ON
    CMAKE_CACHE_ARGS ${settings} -DTRELLIS_ARCH:STRING=${isa} -DTRELLIS_PORTABLE_ISAS:STRING=${isas} -DTRELLIS_TESTS:BOOL=OFF
    BUILD_COMMAND ${CMAKE_COMMAND} --build ${folder} --target trellis_installed)
  install(CODE "include(\"${folder}/cmake_install.cmake\")" ALL_COMPONENTS)
  # The folders of the installed tree.
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/lib/trellis)
  file(CREATE_LINK ../../${isa}/bin ${PROJECT_BINARY_DIR}/lib/trellis/${isa} SYMBOLIC)
endforeach()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

include(TrellisLauncher)
set_target_properties(trellis_launcher PROPERTIES OUTPUT_NAME trellis)
install(TARGETS trellis_launcher RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
add_custom_target(trellis ALL DEPENDS trellis_launcher)
foreach(isa IN LISTS TRELLIS_PORTABLE_ISAS)
  add_dependencies(trellis trellis_${isa})
endforeach()
