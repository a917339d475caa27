// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/hdf5/hdf5_library.hpp"

namespace trellis::io::hdf5 {

std::string reason() {
  std::string text;
  const auto first = [](unsigned n, const H5E_error2_t* error, void* out) -> herr_t {
    if (n == 0 && error->desc != nullptr) *static_cast<std::string*>(out) = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, first, &text);
  H5Eclear2(H5E_DEFAULT);
  return text.empty() ? "the HDF5 library gives no reason" : text;
}

}  // namespace trellis::io::hdf5
