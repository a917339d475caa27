# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
# Which of the installed libraries a project that finds Trellis gets: those for TRELLIS_ISA, or the best that this machine's
# processor can run according to the kernel. Set before reading this file: _trellis_isas, the available names. Afterwards
# _trellis_isa is one of them; or empty, with the reason in _trellis_why. Part of the installed package.
set(TRELLIS_ISA "" CACHE STRING "Instruction set of Trellis' libraries, e.g. x86-64-v3; empty: the best that this machine can run")
set_property(CACHE TRELLIS_ISA PROPERTY STRINGS "" ${_trellis_isas})
set(_trellis_isa "")
list(JOIN _trellis_isas ", " _trellis_why)
set(_trellis_why "TRELLIS_ISA is '${TRELLIS_ISA}', but Trellis was installed for ${_trellis_why}")
if(TRELLIS_ISA)
  foreach(_isa IN LISTS _trellis_isas)
    if(TRELLIS_ISA STREQUAL _isa OR "x86-64-${TRELLIS_ISA}" STREQUAL _isa)
      set(_trellis_isa ${_isa})
    endif()
  endforeach()
  return()
endif()

# Programs for another machine get the lowest; set TRELLIS_ISA for more.
list(GET _trellis_isas 0 _trellis_isa)
if(CMAKE_CROSSCOMPILING OR NOT EXISTS /proc/cpuinfo)
  return()
endif()
file(STRINGS /proc/cpuinfo _flags REGEX "^flags" LIMIT_COUNT 1)
string(REPLACE " " ";" _flags "${_flags}")
set(_needs_x86-64-v2 cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3)
# LZCNT (abm) comes with BMI1; some virtual machines have it without saying so here.
set(_needs_x86-64-v3 ${_needs_x86-64-v2} avx avx2 bmi1 bmi2 f16c fma movbe xsave)
set(_needs_x86-64-v4 ${_needs_x86-64-v3} avx512f avx512bw avx512cd avx512dq avx512vl)
foreach(_isa IN LISTS _trellis_isas)
  set(_missing ${_needs_${_isa}})
  list(REMOVE_ITEM _missing ${_flags})
  if(_needs_${_isa} AND NOT _missing)
    set(_trellis_isa ${_isa})
  endif()
endforeach()
