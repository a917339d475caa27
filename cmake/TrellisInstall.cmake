# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
# Installs the program (component program), and the libraries, headers and package files that find_package(Trellis) finds
# (component development). A part of a portable build keeps its own files in lib/trellis/<instruction set>; all parts
# install identical copies of the common files.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
get_property(rooms GLOBAL PROPERTY TRELLIS_ROOMS)
list(REMOVE_ITEM rooms trellis_reference)  # the tests' oracle stays here
set(config ${CMAKE_INSTALL_LIBDIR}/cmake/Trellis)
set(program ${CMAKE_INSTALL_BINDIR})
set(modules lib/trellis)  # where the program looks for them
set(own ${CMAKE_INSTALL_LIBDIR})
set(generated ${CMAKE_INSTALL_INCLUDEDIR})
set(targets ${config})
if(TRELLIS_PORTABLE_ISAS)
  set(own lib/trellis/${TRELLIS_ARCH})
  set(program ${own})
  set(modules ${own})
  set(generated ${own}/include)
  set(targets ${config}/${TRELLIS_ARCH})
endif()

install(TARGETS trellis RUNTIME DESTINATION ${program} COMPONENT program)
set(installed trellis ${rooms})
if(TRELLIS_HAS_PYTHON)
  list(APPEND installed trellis_python)  # which python/CMakeLists.txt installs
endif()
if(TARGET bench_spmd)
  install(TARGETS bench_spmd RUNTIME DESTINATION ${modules} COMPONENT program OPTIONAL)
endif()
if(TARGET trellis_wilson_variants)
  install(TARGETS trellis_wilson_variants LIBRARY DESTINATION ${modules} COMPONENT program OPTIONAL)
endif()

install(TARGETS trellis_flags ${rooms} EXPORT TrellisTargets ARCHIVE DESTINATION ${own} COMPONENT development)
if(TRELLIS_HAS_SPMD)
  list(APPEND installed trellis_spmd_plugin)
  set(plugin ${own})
  if(NOT TRELLIS_PORTABLE_ISAS)
    set(plugin ${own}/trellis)
  endif()
  install(TARGETS trellis_spmd_plugin EXPORT TrellisTargets LIBRARY DESTINATION ${plugin} COMPONENT development)
endif()
install(DIRECTORY trellis DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cuh")
install(FILES ${PROJECT_BINARY_DIR}/generated/trellis/core/lanes.hpp DESTINATION ${generated}/trellis/core COMPONENT development)
target_include_directories(trellis_core PUBLIC $<INSTALL_INTERFACE:${generated}>)
install(EXPORT TrellisTargets NAMESPACE trellis:: DESTINATION ${targets} COMPONENT development)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/TrellisConfig.cmake.in
  ${CMAKE_BINARY_DIR}/TrellisConfig.cmake INSTALL_DESTINATION ${config})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/TrellisConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/TrellisConfig.cmake ${CMAKE_BINARY_DIR}/TrellisConfigVersion.cmake
  ${CMAKE_CURRENT_LIST_DIR}/TrellisIsa.cmake ${CMAKE_CURRENT_LIST_DIR}/TrellisKernels.cmake
  ${CMAKE_CURRENT_LIST_DIR}/TrellisSpmd.cmake DESTINATION ${config} COMPONENT development)

# trellis::kokkos in a separate file, read only on request.
if(TRELLIS_HAS_KOKKOS)
  install(TARGETS trellis_kokkos EXPORT TrellisKokkosTargets)
  install(EXPORT TrellisKokkosTargets NAMESPACE trellis:: DESTINATION ${targets} COMPONENT development)
  install(FILES ${CMAKE_CURRENT_LIST_DIR}/TrellisKokkos.cmake DESTINATION ${config} COMPONENT development)
endif()

# A list of all installed files, and nothing else.
add_custom_target(trellis_installed DEPENDS ${installed})
