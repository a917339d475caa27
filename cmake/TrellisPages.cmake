# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
# Man pages and shell completions, written by the program itself (`trellis man`, `trellis completions`), so that they always
# agree with it. A program for another machine cannot write them here, unless CMAKE_CROSSCOMPILING_EMULATOR can
# run it.
include(GNUInstallDirs)
if(TRELLIS_PORTABLE_ISAS AND NOT TRELLIS_PORTABLE)  # the portable build writes them once
  return()
endif()
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  message(STATUS "Man pages and completions: none, because this machine cannot run the program")
  return()
endif()
set(pages ${PROJECT_BINARY_DIR}/pages)
if(TRELLIS_PORTABLE)
  set(program $<TARGET_FILE:trellis_launcher>)
  set(programs ${PROJECT_BINARY_DIR}/pages.always)  # only the parts know whether they changed
else()
  set(program $<TARGET_FILE:trellis>)
  set(programs trellis)
endif()
add_custom_command(OUTPUT ${pages}/written
  COMMAND ${CMAKE_COMMAND} -DPROGRAM=${program} "-DRUN=${CMAKE_CROSSCOMPILING_EMULATOR}" -DPAGES=${pages}
    -P ${CMAKE_CURRENT_LIST_DIR}/write_pages.cmake
  DEPENDS ${programs} ${CMAKE_CURRENT_LIST_DIR}/write_pages.cmake COMMENT "Writing man pages and completions" VERBATIM)
add_custom_target(trellis_pages ALL DEPENDS ${pages}/written)
if(TRELLIS_PORTABLE)
  set_source_files_properties(${programs} PROPERTIES SYMBOLIC ON)
  add_custom_command(OUTPUT ${programs} COMMAND ${CMAKE_COMMAND} -E true)
  add_dependencies(trellis_pages trellis)
endif()
install(DIRECTORY ${pages}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT program OPTIONAL)
install(FILES ${pages}/trellis.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME trellis COMPONENT program OPTIONAL)
install(FILES ${pages}/trellis.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions RENAME _trellis COMPONENT program OPTIONAL)
install(FILES ${pages}/trellis.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program OPTIONAL)
