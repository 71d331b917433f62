# assay-config.cmake - find_package(assay): the target assay::assay.
#
# SPDX-License-Identifier: Apache-2.0
get_filename_component(_assay_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET assay::assay)
  set(_assay_needs m dl pthread)
  foreach(_assay_one mpfr gmp cjson)
    find_library(assay_${_assay_one} ${_assay_one})
    if(NOT assay_${_assay_one})
      set(assay_FOUND FALSE)
      set(assay_NOT_FOUND_MESSAGE "libassay needs the library ${_assay_one}, which was not found")
      return()
    endif()
    list(APPEND _assay_needs ${assay_${_assay_one}})
  endforeach()
  add_library(assay::assay STATIC IMPORTED)
  set_target_properties(assay::assay PROPERTIES
    IMPORTED_LOCATION "${_assay_prefix}/lib/libassay.a"
    IMPORTED_LINK_INTERFACE_LANGUAGES C
    INTERFACE_INCLUDE_DIRECTORIES "${_assay_prefix}/include"
    INTERFACE_LINK_LIBRARIES "${_assay_needs}")
endif()
set(assay_FOUND TRUE)
