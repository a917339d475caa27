# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
# cmake -DBUILD=<folder> -DSEEDS=<file> -DPROGRAM=<program> -P nightly.cmake
# Writes, compiles and runs random kernels with new seeds, starting from TRELLIS_SPMD_SEED or from today's date.
if(DEFINED ENV{TRELLIS_SPMD_SEED})
  set(seed $ENV{TRELLIS_SPMD_SEED})
else()
  string(TIMESTAMP seed "%Y%m%d0000" UTC)
endif()
message("TRELLIS_SPMD_SEED=${seed}")
file(WRITE ${SEEDS} "${seed}")
execute_process(COMMAND ${CMAKE_COMMAND} --build ${BUILD} --target random_kernels_nightly OUTPUT_VARIABLE output
  ERROR_VARIABLE output RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "${output}")
endif()
execute_process(COMMAND ${PROGRAM} RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "random kernels from seed ${seed} on: see above")
endif()
