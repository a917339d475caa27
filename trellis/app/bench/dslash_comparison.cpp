// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The lines of `trellis bench dslash --compare`.
#include "trellis/app/bench/dslash_options.hpp"
#include "trellis/app/input/size_option.hpp"

namespace trellis::app {
namespace {

using namespace bench::study;
using dirac::LinkFormat;

constexpr SiteLayout layouts[] = {SiteLayout::left, SiteLayout::tiled, SiteLayout::right};
constexpr ComplexForm forms[] = {ComplexForm::interleaved, ComplexForm::split};

bool compiled(Precision precision, const WilsonVariant& v) {
  return precision == Precision::double_ ? is_compiled<double>(v) : is_compiled<float>(v);
}

// The study's variants: one number at a time; right-hand sides in the lanes; virtual nodes, whose complex numbers fill
// one register (half as many, interleaved) or two.
std::vector<WilsonVariant> variants_of_the_study(Precision precision) {
  const int native = precision == Precision::double_ ? native_lanes<double>() : native_lanes<float>();
  std::vector<WilsonVariant> all;
  const auto add = [&](Filling filling, int lanes, ComplexForm form) {
    for (const SiteLayout layout : layouts)
      all.push_back({.filling = filling, .lanes = lanes, .complex = form, .layout = layout});
  };
  add(Filling::scalar, 1, ComplexForm::split);
  for (const int lanes : {8, 16})
    for (const ComplexForm form : forms) add(Filling::right_hand_sides, lanes, form);
  add(Filling::virtual_nodes, native / 2, ComplexForm::interleaved);
  for (const ComplexForm form : forms) add(Filling::virtual_nodes, native, form);
  return all;
}

// The orders in which tiles are visited, for the scalar kernel and the fastest with lanes.
std::vector<WilsonVariant> traversals_of_the_study(Precision precision) {
  const int native = precision == Precision::double_ ? native_lanes<double>() : native_lanes<float>();
  std::vector<WilsonVariant> all;
  for (const Traversal traversal : {Traversal::team, Traversal::blocked})
    all.push_back({.filling = Filling::scalar, .traversal = traversal});
  for (const Traversal traversal : {Traversal::team, Traversal::blocked})
    all.push_back({.filling = Filling::virtual_nodes, .lanes = native, .traversal = traversal});
  return all;
}

}  // namespace

std::vector<DslashRun> comparison_runs(const DslashOptions& options) {
  require_valid(options);
  const std::vector<std::string> lattices =
      options.lattices.empty() ? std::vector<std::string>{"16,16,16,16"} : options.lattices;
  const std::vector<std::string> precisions =
      options.precisions.empty() ? std::vector<std::string>{"single"} : options.precisions;
  std::vector<LinkFormat> formats;
  for (const int reals : options.links) formats.push_back(parse_links("bench dslash", reals));
  if (formats.empty()) formats.push_back(LinkFormat::full);

  std::vector<DslashRun> runs;
  for (const auto& lattice : lattices)
    for (const auto& word : precisions) {
      const auto precision = parse_precision("bench dslash", word);
      if (precision == Precision::fixed16)
        fail_input("bench dslash: --compare is for double and single precision; found --precision {}", word);
      if (const std::string why = why_no_variants(); !why.empty()) fail_input("bench dslash: {}", why);
      for (const LinkFormat format : formats) {
        auto variants = variants_of_the_study(precision);
        if (!options.has("--traversal")) {
          const auto more = traversals_of_the_study(precision);
          variants.insert(variants.end(), more.begin(), more.end());
        }
        // As the options say, where they say something.
        const DslashRun as_given = dslash_run(options, parse_size(lattice), precision, format, 1);
        const auto first = runs.size();
        const auto add = [&](WilsonVariant v, int vectors) {
          v.links = format;
          v.stores = as_given.variant.stores;
          if (options.has("--traversal")) v.traversal = as_given.variant.traversal;
          if (v.traversal == Traversal::blocked)
            v.tile = options.has("--tile") ? as_given.variant.tile : default_tile(v, as_given.size);
          DslashRun run{as_given.size, precision, v, vectors, is_like_operators(v) && has_lanes(precision, v.lanes)};
          run.variant.ahead = untuned_distances(run);
          run.why_not = compiled(precision, v) || run.production ? why_not_runnable(run) : "not compiled";
          runs.push_back(run);
        };
        for (const WilsonVariant& v : variants) add(v, v.filling == Filling::right_hand_sides ? v.lanes : 1);
        // Right-hand sides side by side, as operators have them.
        if (as_given.variant.traversal == Traversal::flat)
          for (const int vectors : {8, 16})
            add({.lanes = tuning::best_lanes(as_given.size, precision, vectors)}, vectors);
        const bool some = std::any_of(runs.begin() + std::ptrdiff_t(first), runs.end(),
                                      [](const DslashRun& run) { return run.why_not.empty(); });
        if (!some) fail_input("bench dslash: {}", runs[first].why_not);
      }
    }
  return runs;
}

}  // namespace trellis::app
