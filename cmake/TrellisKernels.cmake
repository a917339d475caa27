# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
# For projects that use Trellis; part of the installed package.

# trellis_kernel_sources(<file>...)
# Declares source files with kernels of the default execution space; call it in the folder that makes their target. If that
# space is a GPU, they are compiled as CUDA, otherwise as they are.
function(trellis_kernel_sources)
  if(TRELLIS_BACKEND STREQUAL "cuda")
    set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CUDA)
  endif()
endfunction()
