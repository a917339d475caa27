# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
# `cpack` makes three Debian packages: trellis-qcd, the program with its man pages and examples, libtrellis-qcd-dev, for
# building programs on Trellis, and, if there is a Python to build for, python3-trellis-qcd. (Debian has an unrelated
# "trellis", for FPGAs.) They are for other machines, so they are made from a portable build, or from one for an
# explicitly chosen instruction set.
include(GNUInstallDirs)
if(TRELLIS_PORTABLE_ISAS AND NOT TRELLIS_PORTABLE)  # the portable build packages its parts
  return()
endif()
set(doc ${CMAKE_INSTALL_DATADIR}/doc/trellis-qcd)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${doc} RENAME copyright COMPONENT program)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libtrellis-qcd-dev RENAME copyright
  COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${doc} COMPONENT program
  PATTERN *_test.cmake EXCLUDE PATTERN results EXCLUDE PATTERN __pycache__ EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${doc} COMPONENT program FILES_MATCHING PATTERN *.md)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME trellis-qcd)
set(CPACK_PACKAGE_VENDOR "The Trellis authors")
set(CPACK_PACKAGE_CONTACT "The Trellis authors <trellis@localhost>")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL program development)
if(NOT DEFINED TRELLIS_HAS_PYTHON)  # a portable build: its parts have found the same
  include(TrellisPython)
endif()
if(TRELLIS_HAS_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/python3-trellis-qcd RENAME copyright
    COMPONENT python)
  math(EXPR next_python "${Python_VERSION_MINOR} + 1")
endif()
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-trellis-qcd)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
# A module is for one version of Python.
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${next_python}), python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-matplotlib, python3-pandas, jupyter")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "lattice QCD: the Python package trellis
 Gauge fields, Dirac operators, solvers, Monte Carlo and analysis on numpy arrays, and readers for the files of the program
 trellis. Results are those of the program, bit for bit.")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME trellis-qcd)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS openmpi-bin)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "lattice QCD: simulations, measurements, files
 Generates SU(3) gauge ensembles by Monte Carlo with 2+1 flavours of quarks, measures on them, and reads and writes the
 files that other lattice programs use. The same input gives the same numbers, bit for bit, on any processor and any
 number of threads and ranks.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libtrellis-qcd-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "lattice QCD: libraries and headers
 What find_package(Trellis) finds: static libraries for several instruction sets, headers, and CMake's package of them.")
# What the headers include and what TrellisConfig.cmake looks for.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "g++, cmake (>= 3.25), libfmt-dev, libspdlog-dev, libtomlplusplus-dev, libcli11-dev, \
libpugixml-dev, nlohmann-json3-dev, zlib1g-dev, libhdf5-dev, librandom123-dev, libboost-dev, libboost-context-dev")
if(NOT TRELLIS_HWLOC STREQUAL "OFF")
  string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ", libhwloc-dev")
endif()
if(NOT TRELLIS_MPI STREQUAL "OFF")
  string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ", libopenmpi-dev")
endif()
if(TRELLIS_ARCH STREQUAL "native")
  file(WRITE ${PROJECT_BINARY_DIR}/not_for_packages.cmake "message(FATAL_ERROR \"this build is for this machine's \
processor alone (TRELLIS_ARCH=native); packages come of a build with -DTRELLIS_ARCH=portable (cmake --preset portable)\")\n")
  set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_BINARY_DIR}/not_for_packages.cmake)
endif()
include(CPack)
