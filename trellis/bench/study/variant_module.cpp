// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/study/variant_module.hpp"

#include <dlfcn.h>

#include "trellis/bench/child_program.hpp"

namespace trellis::bench::study {
namespace {

constexpr const char* file_name = "trellis_wilson_variants.so";

WilsonVariantModule load() {
  WilsonVariantModule module;
  const auto path = path_of_part(file_name);
  if (path.empty()) {
    module.why_none = fmt::format(
        "the study's variants are a target of their own, and {} is not beside this program, nor in ../lib/trellis. In "
        "the source folder: cmake --build build/release --target trellis_wilson_variants; then use "
        "build/release/bin/trellis, or install again",
        file_name);
    return module;
  }
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    module.why_none = fmt::format("the study's variants cannot be loaded: {}", ::dlerror());
    return module;
  }
  const auto interface = reinterpret_cast<decltype(&trellis_wilson_variant_interface)>(
      ::dlsym(library, "trellis_wilson_variant_interface"));
  const auto add =
      reinterpret_cast<decltype(&trellis_add_wilson_variants)>(::dlsym(library, "trellis_add_wilson_variants"));
  if (interface == nullptr || add == nullptr || *interface() != wilson_variant_interface()) {
    module.why_none = fmt::format("{} was built for a different program: build both again", path.string());
    return module;
  }
  add(&module);
  return module;
}

}  // namespace

const WilsonVariantModule& wilson_variant_module() {
  static const WilsonVariantModule module = load();
  return module;
}

}  // namespace trellis::bench::study
