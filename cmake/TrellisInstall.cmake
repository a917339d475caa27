# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
# Installs libraries, headers and the package that find_package(Trellis) finds.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
get_property(rooms GLOBAL PROPERTY TRELLIS_ROOMS)
list(REMOVE_ITEM rooms trellis_reference)  # the tests' oracle stays here
install(TARGETS trellis_flags ${rooms} EXPORT TrellisTargets)
if(TRELLIS_HAS_SPMD)
  install(TARGETS trellis_spmd_plugin EXPORT TrellisTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/trellis)
endif()
install(TARGETS trellis RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY trellis DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cuh")
install(EXPORT TrellisTargets NAMESPACE trellis:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Trellis)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/TrellisConfig.cmake.in
  ${CMAKE_BINARY_DIR}/TrellisConfig.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Trellis)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/TrellisConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/TrellisConfig.cmake ${CMAKE_BINARY_DIR}/TrellisConfigVersion.cmake
  ${CMAKE_CURRENT_LIST_DIR}/TrellisKernels.cmake ${CMAKE_CURRENT_LIST_DIR}/TrellisSpmd.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Trellis)

# trellis::kokkos in a file of its own, read only by those who ask for it.
if(TRELLIS_HAS_KOKKOS)
  install(TARGETS trellis_kokkos EXPORT TrellisKokkosTargets)
  install(EXPORT TrellisKokkosTargets NAMESPACE trellis:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Trellis)
  install(FILES ${CMAKE_CURRENT_LIST_DIR}/TrellisKokkos.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Trellis)
endif()
