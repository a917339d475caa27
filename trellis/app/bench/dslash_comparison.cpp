// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The lines of `trellis bench dslash --compare`.
#include "trellis/app/bench/dslash_options.hpp"
#include "trellis/app/input/size_option.hpp"

namespace trellis::app {
namespace {

using namespace bench::study;
using dirac::LinkFormat;

constexpr ComplexForm forms[] = {ComplexForm::interleaved, ComplexForm::split};

bool compiled(Precision precision, const WilsonVariant& v) {
  return precision == Precision::double_ ? is_compiled<double>(v) : is_compiled<float>(v);
}

int native(Precision precision) {
  return precision == Precision::double_ ? native_lanes<double>() : native_lanes<float>();
}

// For registers: one number at a time; right-hand sides in the lanes; virtual nodes, whose complex numbers fill one
// register (half as many, interleaved) or two.
std::vector<WilsonVariant> variants_of_registers(Precision precision) {
  std::vector<WilsonVariant> all;
  const auto add = [&](Filling filling, int lanes, ComplexForm form) {
    for (const SiteLayout layout : site_layouts)
      all.push_back({.filling = filling, .lanes = lanes, .complex = form, .layout = layout});
  };
  add(Filling::scalar, 1, form_of_operators);
  for (const int lanes : {8, 16})
    for (const ComplexForm form : forms) add(Filling::right_hand_sides, lanes, form);
  add(Filling::virtual_nodes, native(precision) / 2, ComplexForm::interleaved);
  for (const ComplexForm form : forms) add(Filling::virtual_nodes, native(precision), form);
  return all;
}

// Where lanes are threads: one, or so many neighbours; layouts and forms for those of operators.
std::vector<WilsonVariant> variants_of_threads(Precision precision) {
  std::vector<WilsonVariant> all;
  for (const SiteLayout layout : site_layouts) all.push_back({.filling = Filling::scalar, .layout = layout});
  for (const int lanes : {8, 16}) all.push_back({.filling = Filling::right_hand_sides, .lanes = lanes});
  for (const int lanes : {8, 32}) all.push_back({.lanes = lanes});
  for (const ComplexForm form : forms)
    for (const SiteLayout layout : site_layouts)
      all.push_back({.lanes = native(precision), .complex = form, .layout = layout});
  return all;
}

// The orders in which tiles are visited, for the scalar kernel and the fastest with lanes; on a GPU also sizes of
// blocks of threads, and how many of these a multiprocessor must hold.
std::vector<WilsonVariant> orders_of(const WilsonVariant& base, const DslashOptions& options) {
  std::vector<WilsonVariant> all;
  const auto add = [&](Traversal traversal, int team_size, int least_blocks) {
    all.push_back(base);
    all.back().traversal = traversal;
    all.back().team_size = team_size;
    all.back().least_blocks = least_blocks;
  };
  if (!fields_on_host) {
    add(Traversal::flat, 0, 0);
    for (const int blocks : {4, 8}) add(Traversal::flat, 0, blocks);
  }
  if (fields_on_host || options.has("--team"))
    add(Traversal::team, options.team_size, 0);
  else
    for (const int threads : {64, 128, 256}) add(Traversal::team, threads / base.lanes, 0);
  add(Traversal::blocked, 0, 0);
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
        const auto variants = fields_on_host ? variants_of_registers(precision) : variants_of_threads(precision);
        // As the options say, where they say something.
        const DslashRun as_given = dslash_run(options, parse_size(lattice, "--lattice"), precision, format, 1);
        const auto first = runs.size();
        const auto add = [&](WilsonVariant v, int vectors, bool may_be_operators = true) {
          v.links = format;
          v.stores = as_given.variant.stores;
          if (options.has("--traversal")) v.traversal = as_given.variant.traversal;
          if (v.traversal == Traversal::blocked)
            v.tile = options.has("--tile") ? as_given.variant.tile : default_tile(v, as_given.size);
          if (v.traversal == Traversal::team && options.has("--team")) v.team_size = options.team_size;
          DslashRun run{as_given.size, precision, v, vectors,
                        may_be_operators && is_like_operators(v) && has_lanes(precision, v.lanes)};
          run.variant.ahead = untuned_distances(run);
          run.why_not = compiled(precision, v) || run.production ? why_not_runnable(run) : "not compiled";
          runs.push_back(run);
        };
        for (const WilsonVariant& v : variants) add(v, v.filling == Filling::right_hand_sides ? v.lanes : 1);
        if (!options.has("--traversal"))
          for (const WilsonVariant& base :
               {WilsonVariant{.filling = Filling::scalar}, WilsonVariant{.lanes = native(precision)}})
            for (const WilsonVariant& v : orders_of(base, options)) add(v, 1, false);
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
