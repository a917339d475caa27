// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Fuzz targets of the reader of fields, in SciDAC files (TRELLIS_FUZZ_FIELDS) and of openQCD's spinors: any bytes give
// an InputError or a result, no other exception, with memory and time bounded by the file's size.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "trellis/core/error.hpp"
#include "trellis/io/fields/inspect_fields.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 4) return -1;
  std::string bytes(reinterpret_cast<const char*>(data), size);
#ifdef TRELLIS_FUZZ_FIELDS
  bytes.replace(0, 4, "\x45\x67\x89\xab");
#else  // an even extent below 256, little-endian
  bytes[0] = char(bytes[0] & ~1);
  bytes.replace(1, 3, 3, '\0');
#endif
  const int fd = ::memfd_create("fuzz", MFD_CLOEXEC);
  if (fd < 0 || ::write(fd, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) std::abort();
  const auto path = "/proc/self/fd/" + std::to_string(fd);
  try {
    if (const auto result = trellis::io::inspect_fields(path)) {
      for (const auto& field : result->info.fields)
        if (trellis::io::volume(result->info.size).value() * static_cast<std::int64_t>(field.site_bytes()) >
            static_cast<std::int64_t>(bytes.size()))
          std::abort();
      if (to_text(*result).empty() || to_line(*result).empty() || to_json(*result).dump().empty()) std::abort();
    }
  } catch (const trellis::InputError&) {
  }
  ::close(fd);
  return 0;
}
