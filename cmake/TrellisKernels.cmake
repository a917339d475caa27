# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
# For projects that use Trellis; part of the installed package.

# trellis_kernel_sources(<file>...)
# Declares source files with kernels of the default execution space; call it in the folder that makes their target. If that
# space is a GPU, they are compiled in its language, otherwise as they are.
function(trellis_kernel_sources)
  if(TRELLIS_DEVICE_LANGUAGE)
    set_source_files_properties(${ARGN} PROPERTIES LANGUAGE ${TRELLIS_DEVICE_LANGUAGE})
  endif()
endfunction()
