// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: passes arbitrary bytes as a file to inspect(), which reads headers, links and checksums, and prints
// the result. One program per format (TRELLIS_FUZZ_NERSC, _ILDG, _MILC, _OPENQCD), which helps the input over the
// format's first hurdle. Whatever the bytes, the outcome must be an InputError or a result, no other exception, with
// memory and time bounded by the file's size.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "trellis/core/error.hpp"
#include "trellis/io/inspect.hpp"

namespace {

// Sets the first bytes as the format requires.
void make_recognisable(std::string& bytes) {
#if defined(TRELLIS_FUZZ_NERSC)
  if (bytes.compare(0, 12, "BEGIN_HEADER") != 0) bytes.insert(0, "BEGIN_HEADER\n");
#elif defined(TRELLIS_FUZZ_ILDG)
  bytes.replace(0, 4, "\x45\x67\x89\xab");
#elif defined(TRELLIS_FUZZ_MILC)
  if (bytes[0] != '\0') bytes.replace(0, 4, std::string("\x87\x4e\0\0", 4));
#elif defined(TRELLIS_FUZZ_OPENQCD)
  // Sizes of 2 or 4 in the byte order given by the first bytes and, often, the matching length.
  if (bytes.size() < 24 || static_cast<unsigned char>(bytes[0]) >= 0xe0) return;
  const bool big = bytes[0] == '\0';
  std::size_t sites = 1;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t n = (bytes[4 * i + (big ? 3 : 0)] & 4) != 0 ? 4 : 2;
    bytes.replace(
        4 * i, 4,
        big ? std::string("\0\0\0", 3) + static_cast<char>(n) : static_cast<char>(n) + std::string("\0\0\0", 3));
    sites *= n;
  }
  if (bytes[23] % 4 != 0) bytes.resize(24 + sites * 576, bytes.back());
#endif
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 4) return -1;
  std::string bytes(reinterpret_cast<const char*>(data), size);
  make_recognisable(bytes);
  const int fd = ::memfd_create("fuzz", MFD_CLOEXEC);
  if (fd < 0 || ::write(fd, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) std::abort();
  trellis::io::ReadOptions options;
  if ((bytes.back() & 1) != 0) options.size = trellis::Coordinate{2, 2, 2, 2};
  try {
    const auto result = trellis::io::inspect("/proc/self/fd/" + std::to_string(fd), options);
    // No allowance for a lattice that the bytes do not contain: text takes at least two bytes per number.
    if (trellis::io::volume(result.info.size).value() * 144 > static_cast<std::int64_t>(bytes.size()) + 144)
      std::abort();
    if (to_text(result).empty() || to_json(result).dump().empty()) std::abort();
  } catch (const trellis::InputError&) {
  }
  ::close(fd);
  return 0;
}
