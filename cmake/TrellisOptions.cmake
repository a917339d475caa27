# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
# Compiler flags and third-party packages, in one place.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  set(_together OFF)
else()
  set(_together ON)
endif()
option(TRELLIS_UNITY "Compile a room's short files several at a time: halves the time of a full build, but not of one file" ${_together})
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_FLAGS_RELEASE "-O3")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC starts collecting garbage only at 300 MB: a twelfth less time, for 150 MB more.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=300000>)
endif()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

set_property(CACHE TRELLIS_BACKEND PROPERTY STRINGS openmp threads serial cuda)
if(NOT TRELLIS_BACKEND MATCHES "^(openmp|threads|serial|cuda)$")
  message(FATAL_ERROR "TRELLIS_BACKEND is '${TRELLIS_BACKEND}'; it must be openmp, threads, serial or cuda")
endif()
set(TRELLIS_HAS_OPENMP ON)
if(TRELLIS_BACKEND MATCHES "^(threads|serial)$")
  set(TRELLIS_HAS_OPENMP OFF)
endif()
# If kernels run on a device: the language in which they are compiled, the suffix of its source files, and the libraries
# with which they are linked.
set(TRELLIS_DEVICE_LANGUAGE "")
set(TRELLIS_DEVICE_SUFFIX "")
set(TRELLIS_DEVICE_LIBRARIES "")
if(TRELLIS_BACKEND STREQUAL "cuda")
  set(TRELLIS_DEVICE_LANGUAGE CUDA)
  set(TRELLIS_DEVICE_SUFFIX cu)
  set(TRELLIS_DEVICE_LIBRARIES CUDA::cudart)
endif()

# Flags that affect the layout of public types or the bits of results: everyone who links Trellis needs them.
add_library(trellis_flags INTERFACE)
add_library(trellis::flags ALIAS trellis_flags)
set_target_properties(trellis_flags PROPERTIES EXPORT_NAME flags)
target_compile_features(trellis_flags INTERFACE cxx_std_20)
set(_arch -ffp-contract=off -fno-math-errno)
if(TRELLIS_ARCH)
  list(APPEND _arch -march=${TRELLIS_ARCH})
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND _arch -mprefer-vector-width=512)
endif()
if(TRELLIS_BACKEND STREQUAL "threads")
  list(APPEND _arch -fopenmp-simd)  # loops that are marked as vectors, without OpenMP's threads
endif()
# One lane, and the counts that fill a register of doubles or of floats: more would only cost compile time. No lattice is
# compiled for doubles that take several registers: no program chooses them, and they took half of the time.
if(TRELLIS_BACKEND STREQUAL "cuda")
  # Lanes are threads: half a warp, whose real and imaginary parts in single precision fill a line of 128 bytes, divides
  # more lattices than a full warp, and is as fast to within a few per cent. Two lanes are for lattices that sixteen do
  # not fit, as 18^3 x 36: they fill at least half a sector of 32 bytes.
  set(_lanes 1 2 16)
  set(_most_doubles 32)
else()
  include(CheckCXXSourceCompiles)
  string(REPLACE ";" " " CMAKE_REQUIRED_FLAGS "${_arch}")
  check_cxx_source_compiles("#ifndef __AVX512F__\n#error\n#endif\nint main() {}" TRELLIS_HAS_AVX512)
  check_cxx_source_compiles("#ifndef __AVX__\n#error\n#endif\nint main() {}" TRELLIS_HAS_AVX)
  unset(CMAKE_REQUIRED_FLAGS)
  if(TRELLIS_HAS_AVX512)
    set(_most_doubles 8)
  elseif(TRELLIS_HAS_AVX)
    set(_most_doubles 4)
  else()
    set(_most_doubles 2)
  endif()
  math(EXPR _most_floats "2 * ${_most_doubles}")
  set(_lanes 1 ${_most_doubles} ${_most_floats})
endif()
if(NOT TRELLIS_LANES)
  set(TRELLIS_LANES ${_lanes})
endif()
set(TRELLIS_DOUBLE_LANES "")
foreach(_count IN LISTS TRELLIS_LANES)
  if(NOT _count GREATER _most_doubles)
    list(APPEND TRELLIS_DOUBLE_LANES ${_count})
  endif()
endforeach()
if(NOT TRELLIS_DOUBLE_LANES)
  message(FATAL_ERROR "TRELLIS_LANES is '${TRELLIS_LANES}': no lane count suits double precision; a register of "
    "this machine holds ${_most_doubles} doubles")
endif()
target_compile_options(trellis_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${_arch}>
  # When vectorising, GCC 12 fuses neighbouring a b - c and e f + g, whatever -ffp-contract says. Kernels use vector types,
  # so only code for one lane had different bits.
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-fno-tree-slp-vectorize>)
if(TRELLIS_BACKEND STREQUAL "cuda")
  list(TRANSFORM _arch PREPEND "-Xcompiler=" OUTPUT_VARIABLE _cuda_arch)
  # On the host, a source with kernels only launches them: optimising that took a third of the compile time.
  list(APPEND _cuda_arch -Xcompiler=-O1 --extended-lambda --expt-relaxed-constexpr --fmad=false -Xcompiler=-fopenmp
    -Xcompiler=-fno-tree-slp-vectorize)
  target_compile_options(trellis_flags INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:${_cuda_arch}>)
  # nvcc confuses fmt 9 about what can be evaluated at compile time.
  target_compile_definitions(trellis_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CUDA>:FMT_USE_CONSTEXPR=1> $<$<COMPILE_LANGUAGE:CUDA>:FMT_CONSTEVAL=>)
endif()
target_compile_definitions(trellis_flags INTERFACE
  $<$<BOOL:${TRELLIS_BOUNDS_CHECK}>:TRELLIS_BOUNDS_CHECK>
  $<$<BOOL:${TRELLIS_FIELDS_SIDE_BY_SIDE}>:TRELLIS_FIELDS_SIDE_BY_SIDE>
  $<$<STREQUAL:${TRELLIS_BACKEND},openmp>:TRELLIS_BACKEND_OPENMP>
  $<$<STREQUAL:${TRELLIS_BACKEND},threads>:TRELLIS_BACKEND_THREADS>
  $<$<STREQUAL:${TRELLIS_BACKEND},serial>:TRELLIS_BACKEND_SERIAL>
  $<$<STREQUAL:${TRELLIS_BACKEND},cuda>:TRELLIS_BACKEND_CUDA>)

# Warnings: for our own code only, never a user's.
add_library(trellis_warnings INTERFACE)
target_compile_options(trellis_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wno-psabi>
  # In files that are compiled together, GCC treats unnamed namespaces like those of a header.
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>,$<BOOL:${TRELLIS_UNITY}>>:-Wno-subobject-linkage>
  # GCC 12 reports non-existent overflows in inlined library code.
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-stringop-overflow -Wno-array-bounds>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:Clang>>:-Wno-pass-failed>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:Clang>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,19>>:-Wno-invalid-feature-combination>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${TRELLIS_WERROR}>>:-Werror>)

if(TRELLIS_SANITIZE)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${TRELLIS_SANITIZE}> -fno-omit-frame-pointer -g1)
  if(TRELLIS_SANITIZE MATCHES "undefined")
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-recover=undefined>)
  endif()
  if(TRELLIS_SANITIZE_EXCEPT)
    add_compile_options(-fno-sanitize=${TRELLIS_SANITIZE_EXCEPT})
  endif()
  add_link_options(-fsanitize=${TRELLIS_SANITIZE})
endif()

if(TRELLIS_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "TRELLIS_FUZZ needs clang; the compiler is ${CMAKE_CXX_COMPILER}")
  endif()
endif()

trellis_find(libfmt-dev fmt)
trellis_find(libspdlog-dev spdlog)
trellis_find(zlib1g-dev ZLIB)
trellis_find(libboost-context-dev Boost COMPONENTS context)
trellis_find(libtomlplusplus-dev tomlplusplus)
trellis_find(libcli11-dev CLI11)
trellis_find(libpugixml-dev pugixml)
trellis_find(nlohmann-json3-dev nlohmann_json)
set(HDF5_PREFER_PARALLEL OFF)
trellis_find(libhdf5-dev HDF5 COMPONENTS C)
find_path(RANDOM123_INCLUDE_DIR Random123/philox.h)
if(NOT RANDOM123_INCLUDE_DIR)
  list(APPEND TRELLIS_MISSING Random123)
  list(APPEND TRELLIS_MISSING_PACKAGES librandom123-dev)
endif()
if(TRELLIS_HAS_OPENMP)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    string(REGEX MATCH "^[0-9]+" _clang ${CMAKE_CXX_COMPILER_VERSION})
    trellis_find(libomp-${_clang}-dev OpenMP COMPONENTS CXX)
  else()
    trellis_find(g++ OpenMP COMPONENTS CXX)
  endif()
endif()
if(TRELLIS_TESTS)
  trellis_find(libgtest-dev GTest)
endif()
trellis_found_all()
if(TRELLIS_BACKEND STREQUAL "cuda")
  # For the GPUs of this machine, otherwise for the most common ones.
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(found "")
    find_program(TRELLIS_NVIDIA_SMI nvidia-smi)
    if(TRELLIS_NVIDIA_SMI)
      execute_process(COMMAND ${TRELLIS_NVIDIA_SMI} --query-gpu=compute_cap --format=csv,noheader
        OUTPUT_VARIABLE found ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    endif()
    string(REGEX MATCHALL "[0-9]+[.][0-9]" found "${found}")
    string(REPLACE "." "" found "${found}")
    list(REMOVE_DUPLICATES found)
    if(NOT found)
      set(found 80 90)
    endif()
    set(CMAKE_CUDA_ARCHITECTURES "${found}" CACHE STRING "Compute capabilities to compile for, e.g. 80;90")
  endif()
  message(STATUS "CUDA for compute capabilities ${CMAKE_CUDA_ARCHITECTURES}")
  enable_language(CUDA)
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know that nvcc has C++20
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
    list(APPEND CMAKE_CUDA_COMPILE_FEATURES cuda_std_20)
  endif()
  find_package(CUDAToolkit REQUIRED)
endif()

# NCCL, for messages between GPUs on several machines: only trellis/core/backend/cuda uses it.
set(TRELLIS_NCCL "AUTO" CACHE STRING "Send messages between GPUs with NCCL: AUTO (if NCCL is found), ON or OFF")
set_property(CACHE TRELLIS_NCCL PROPERTY STRINGS AUTO ON OFF)
set(TRELLIS_HAS_NCCL OFF)
if(NOT TRELLIS_NCCL MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "TRELLIS_NCCL is '${TRELLIS_NCCL}'; it must be AUTO, ON or OFF")
endif()
if(TRELLIS_BACKEND STREQUAL "cuda" AND NOT TRELLIS_NCCL STREQUAL "OFF")
  find_path(NCCL_INCLUDE_DIR nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
  find_library(NCCL_LIBRARY nccl HINTS ${CUDAToolkit_LIBRARY_DIR})
  if(NCCL_INCLUDE_DIR AND NCCL_LIBRARY)
    set(TRELLIS_HAS_NCCL ON)
    message(STATUS "NCCL: ${NCCL_LIBRARY}")
  elseif(TRELLIS_NCCL STREQUAL "ON")
    message(FATAL_ERROR "TRELLIS_NCCL is ON, but nccl.h and libnccl are not found: "
      "say where they are with -DNCCL_INCLUDE_DIR=<folder> -DNCCL_LIBRARY=<file>")
  endif()
elseif(TRELLIS_NCCL STREQUAL "ON")
  message(FATAL_ERROR "TRELLIS_NCCL is ON, but TRELLIS_BACKEND is ${TRELLIS_BACKEND}: NCCL is for cuda")
endif()

# hwloc, for binding threads to cores and sockets: only trellis/core/backend uses it.
set(TRELLIS_HWLOC "AUTO" CACHE STRING "Bind threads with hwloc: AUTO (if hwloc is found), ON or OFF")
set_property(CACHE TRELLIS_HWLOC PROPERTY STRINGS AUTO ON OFF)
set(TRELLIS_HAS_HWLOC OFF)
if(NOT TRELLIS_HWLOC MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "TRELLIS_HWLOC is '${TRELLIS_HWLOC}'; it must be AUTO, ON or OFF")
endif()
if(NOT TRELLIS_HWLOC STREQUAL "OFF")
  find_path(HWLOC_INCLUDE_DIR hwloc.h)
  find_library(HWLOC_LIBRARY hwloc)
  if(HWLOC_INCLUDE_DIR AND HWLOC_LIBRARY)
    set(TRELLIS_HAS_HWLOC ON)
    message(STATUS "hwloc: ${HWLOC_LIBRARY}")
  elseif(TRELLIS_HWLOC STREQUAL "ON")
    message(FATAL_ERROR "TRELLIS_HWLOC is ON, but hwloc.h and libhwloc are not found: install them (Debian: libhwloc-dev), "
      "or say where they are with -DHWLOC_INCLUDE_DIR=<folder> -DHWLOC_LIBRARY=<file>")
  endif()
endif()

# MPI, for jobs of several processes: only trellis/comm uses it, through its C interface.
set(TRELLIS_MPI "AUTO" CACHE STRING "Run on several processes with MPI: AUTO (if an MPI is found), ON or OFF")
set_property(CACHE TRELLIS_MPI PROPERTY STRINGS AUTO ON OFF)
set(TRELLIS_HAS_MPI OFF)
if(NOT TRELLIS_MPI MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "TRELLIS_MPI is '${TRELLIS_MPI}'; it must be AUTO, ON or OFF")
endif()
if(NOT TRELLIS_MPI STREQUAL "OFF")
  find_package(MPI QUIET COMPONENTS C)
  if(MPI_C_FOUND)
    set(TRELLIS_HAS_MPI ON)
    message(STATUS "MPI ${MPI_C_VERSION}: jobs of several processes are possible")
  elseif(TRELLIS_MPI STREQUAL "ON")
    message(FATAL_ERROR "TRELLIS_MPI is ON, but find_package(MPI) finds none: "
      "install it (Debian: libopenmpi-dev openmpi-bin), or say where its compiler wrapper is with -DMPI_C_COMPILER=<mpicc>")
  endif()
endif()

# The rooms do not depend on Kokkos: trellis::kokkos is separate.
set(TRELLIS_KOKKOS "AUTO" CACHE STRING "Offer trellis::kokkos: AUTO (if Kokkos is found), ON or OFF")
set_property(CACHE TRELLIS_KOKKOS PROPERTY STRINGS AUTO ON OFF)
set(TRELLIS_HAS_KOKKOS OFF)
if(NOT TRELLIS_KOKKOS MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "TRELLIS_KOKKOS is '${TRELLIS_KOKKOS}'; it must be AUTO, ON or OFF")
endif()
if(NOT TRELLIS_KOKKOS STREQUAL "OFF")
  include(TrellisKokkos)
  if(TARGET trellis::found_kokkos)
    set(TRELLIS_HAS_KOKKOS ON)
    message(STATUS "Kokkos ${Kokkos_VERSION}: trellis::kokkos is offered")
  elseif(TRELLIS_KOKKOS STREQUAL "ON")
    message(FATAL_ERROR "TRELLIS_KOKKOS is ON, but find_package(Kokkos) finds none: "
      "install it (Debian: libtrilinos-kokkos-dev), or say where it is with -DKokkos_ROOT=<folder>")
  endif()
endif()

include(TrellisPython)
