// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/formats/file_formats.hpp"

#include <array>

namespace trellis::io {

// Each is defined in name_format.cpp. A new one is such a file, plus its name in both of these lists.
FileFormat ildg_format(), nersc_format(), milc_format(), openqcd_format(), bridge_text_format();

std::span<const FileFormat> file_formats() {
  static const std::array all{ildg_format(), nersc_format(), milc_format(), openqcd_format(), bridge_text_format()};
  return all;
}

std::vector<std::string> format_titles(bool written) {
  std::vector<std::string> titles;
  for (const auto& format : file_formats())
    if (!written || format.write != nullptr) titles.push_back(format.title);
  return titles;
}

}  // namespace trellis::io
