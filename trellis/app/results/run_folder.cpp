// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/results/run_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <iterator>

#include "trellis/app/shell_word.hpp"
#include "trellis/core/base/input_stream.hpp"
#include "trellis/core/base/local_time.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/atomic_file.hpp"
#include "trellis/io/tables/checked_rows.hpp"

namespace trellis::app {

namespace fs = std::filesystem;

constexpr std::string_view kSumOfInput = "# CRC-32 of the lines above: ";

namespace {

// What a file's name stands for, absolute, so that a file that is renamed to it replaces no link. What /proc has links
// to, such as a process's output (/dev/stdout), is left as it is: a file of that name is not this program's to replace.
fs::path behind_links(const fs::path& file) {
  constexpr int most = 40;  // as many as the system follows
  std::error_code code;
  auto path = fs::absolute(file).lexically_normal();
  for (int n = 0; n < most && fs::is_symlink(path, code); ++n) {
    const auto next = (path.parent_path() / fs::read_symlink(path, code)).lexically_normal();
    if (next.string().starts_with("/proc/")) return next;
    path = next;
  }
  const auto folder = fs::canonical(path.parent_path(), code);
  return code ? path : folder / path.filename();
}

}  // namespace

fs::path RunFolder::configuration(std::int64_t trajectory) const { return file(fmt::format("{:06}.ildg", trajectory)); }

void require_writable(const char* key, const fs::path& directory) {
  std::error_code code;
  auto place = fs::absolute(directory).lexically_normal();
  if (place.filename().empty()) place = place.parent_path();
  while (!fs::exists(fs::symlink_status(place, code)) && place.has_relative_path()) place = place.parent_path();
  if (!fs::is_directory(place, code)) fail_input("{}: {}: {} is not a folder", key, directory.string(), place.string());
  if (::access(place.c_str(), W_OK | X_OK) != 0)
    fail_input("{}: {}: cannot write in {}: {}", key, directory.string(), place.string(), std::strerror(errno));
}
void require_writable(const fs::path& directory) { require_writable("output.directory", directory); }

void require_output_file(const char* option, const std::string& file) {
  if (file.empty()) return;
  const auto target = behind_links(file);
  const auto folder = target.parent_path();
  std::error_code code;
  if (fs::is_directory(target, code)) fail_input("{} {}: is a folder, not a file that can be written", option, file);
  if (!fs::is_directory(folder, code)) fail_input("{} {}: there is no folder {}", option, file, folder.string());
  if (target.string().starts_with("/proc/") || (fs::exists(target, code) && !fs::is_regular_file(target, code)))
    fail_input("{} {}: is not a regular file and will not be replaced", option, file);
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    fail_input("{} {}: cannot write in {}: {}", option, file, folder.string(), std::strerror(errno));
}

void make_folder(const char* key, const fs::path& directory) {
  std::error_code code;
  fs::create_directories(directory, code);
  if (code) fail_input("{}: cannot make {}: {}", key, directory.string(), code.message());
}
void make_folder(const fs::path& directory) { make_folder("output.directory", directory); }

std::vector<std::string> run_names(const fs::path& directory) {
  const std::string ending = ".resolved.toml";
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(directory, ignored)) {
    const auto name = entry.path().filename().string();
    if (name.ends_with(ending)) names.push_back(name.substr(0, name.size() - ending.size()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string repair_command(const RunFolder& folder, const std::string& program) {
  auto words = folder.directory.string();
  if (words.starts_with("-")) words = "./" + words;
  words = shell_word(program) + " repair " + shell_word(words);
  return run_names(folder.directory).size() > 1 ? words + " --name " + shell_word(folder.name) : words;
}

void remove_parts(const RunFolder& folder) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder.directory, ignored)) {
    const auto name = entry.path().filename().string();
    // Another run, which may be going, can have a longer name that begins in the same way.
    const bool own = name.starts_with(folder.name + ".") || name.starts_with(folder.name + "-");
    if (own && entry.path().extension() == ".part") fs::remove(entry.path(), ignored);
  }
}

void write_text_file(const fs::path& file, std::string_view text) {
  std::error_code ignored;
  const auto target = fs::is_symlink(file, ignored) ? behind_links(file) : file;
  if (fs::is_regular_file(target, ignored)) {  // reading a pipe, or a device, might never end
    auto stream = input_stream(target);
    if (stream && std::string(std::istreambuf_iterator<char>(stream), {}) == text) return;
  }
  io::AtomicFile out(target);
  out.write(text);
  out.commit();
}

void write_resolved_input(const RunFolder& folder, const std::string& toml) {
  io::CheckedRows sum;
  sum.add(toml);
  write_text_file(folder.input(), fmt::format("{}{}{:08x}\n", toml, kSumOfInput, sum.crc));
}

bool resolved_input_is_whole(const RunFolder& folder) {
  auto stream = input_stream(folder.input());
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  const auto at = text.rfind(kSumOfInput);
  if (at == std::string::npos) return true;
  io::CheckedRows sum;
  sum.add(std::string_view(text).substr(0, at));
  return text.substr(at + kSumOfInput.size()) == fmt::format("{:08x}\n", sum.crc);
}

std::string log_entry(std::string_view text) { return local_time("%Y-%m-%d %H:%M:%S ") + std::string(text) + "\n"; }

void append_log_entry(const fs::path& file, const std::string& entry) {
  // Without waiting: a pipe that nobody reads must not block the run.
  const int descriptor =
      ::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
  if (descriptor < 0) return;
  static_cast<void>(::write(descriptor, entry.data(), entry.size()) < 0);
  ::close(descriptor);
}

void append_log(const fs::path& file, std::string_view text) { append_log_entry(file, log_entry(text)); }

}  // namespace trellis::app
