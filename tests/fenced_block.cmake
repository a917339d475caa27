# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0

# fenced_block(<page.md> <language> <result>)
# Sets <result> to the content of the page's first fenced block of a language.
function(fenced_block page language result)
  file(READ ${page} text)
  string(FIND "${text}" "```${language}\n" begin)
  if(begin EQUAL -1)
    message(FATAL_ERROR "${page} has no ```${language} block")
  endif()
  string(LENGTH "```${language}\n" fence)
  math(EXPR begin "${begin} + ${fence}")
  string(SUBSTRING "${text}" ${begin} -1 text)
  string(FIND "${text}" "```" end)
  string(SUBSTRING "${text}" 0 ${end} text)
  set(${result} "${text}" PARENT_SCOPE)
endfunction()
