# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
# Provides an installed Kokkos as trellis::found_kokkos. Kokkos' own package has a target for it; Trilinos' (in Debian) sets
# variables, and its target of the same name, if it has one, refers to a folder that does not exist. Without Kokkos there
# is no trellis::found_kokkos. Part of the installed package.
if(NOT TARGET trellis::found_kokkos)
  find_package(Kokkos QUIET)
  if(Kokkos_FOUND)
    add_library(trellis::found_kokkos INTERFACE IMPORTED)  # imported, so its headers are system headers and raise no warnings
    if(Kokkos_INCLUDE_DIRS)
      target_link_libraries(trellis::found_kokkos INTERFACE ${Kokkos_LIBRARIES})
      target_include_directories(trellis::found_kokkos INTERFACE ${Kokkos_INCLUDE_DIRS})
    else()
      target_link_libraries(trellis::found_kokkos INTERFACE Kokkos::kokkos)
    endif()
  endif()
endif()
