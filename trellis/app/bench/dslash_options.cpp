// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/bench/dslash_options.hpp"

#include <algorithm>
#include <charconv>

#include "trellis/app/bench/option_words.hpp"
#include "trellis/app/input/size_option.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/job/memory_limit.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/simd/with_lanes.hpp"

namespace trellis::app {
namespace {

using namespace dirac;
using namespace bench::study;

template <class E>
using Names = std::vector<NamedValue<E>>;

const Names<Filling> filling_names{{"virtual-nodes", Filling::virtual_nodes},
                                   {"right-hand-sides", Filling::right_hand_sides},
                                   {"scalar", Filling::scalar}};
const Names<ComplexForm> complex_names{{"split", ComplexForm::split}, {"interleaved", ComplexForm::interleaved}};
const Names<SiteLayout> layout_names{
    {"right", SiteLayout::right}, {"left", SiteLayout::left}, {"tiled", SiteLayout::tiled}};
const Names<NeighbourSource> neighbour_names{{"table", NeighbourSource::table},
                                             {"computed", NeighbourSource::computed}};
const Names<Traversal> traversal_names{
    {"flat", Traversal::flat}, {"team", Traversal::team}, {"blocked", Traversal::blocked}};
const Names<Stores> store_names{
    {"by-size", Stores::by_size}, {"cached", Stores::cached}, {"streaming", Stores::streaming}};

const std::string dslash_command = "bench dslash";

template <class T>
std::vector<T> or_else(const std::vector<T>& asked, std::vector<T> otherwise) {
  return asked.empty() ? otherwise : asked;
}

// In how many choices two variants differ.
int difference(const WilsonVariant& a, const WilsonVariant& b) {
  return int(a.filling != b.filling) + int(a.lanes != b.lanes) + int(a.complex != b.complex) +
         int(a.layout != b.layout) + int(a.neighbours != b.neighbours) + int(a.links != b.links) +
         int(a.least_blocks != b.least_blocks);
}

// Why a variant is not compiled, with its nearest neighbours; "" if it is.
template <class T>
std::string why_not_compiled(const WilsonVariant& v) {
  if (is_compiled<T>(v)) return {};
  const auto known = compiled_variants<T>();
  if (known.empty()) return bench::study::why_no_variants();
  const auto further = [&](const auto& a, const auto& b) { return difference(a, v) < difference(b, v); };
  const int least = difference(*std::min_element(known.begin(), known.end(), further), v);
  std::vector<std::string> nearest;
  for (const auto& other : known)
    if (nearest.size() < 6 && difference(other, v) == least) nearest.push_back(description(other));
  return fmt::format("this variant is not compiled: {}; the closest are: {}", description(v), joined(nearest, "; "));
}

// Four extents, where 0 is all of it.
Coordinate parse_tile(const std::string& text) {
  Coordinate tile{};
  const char *at = text.data(), *end = text.data() + text.size();
  for (std::size_t mu = 0; mu < 4; ++mu) {
    const auto [stop, code] = std::from_chars(at, end, tile[mu]);
    const bool separated = mu == 3 ? stop == end : stop != end && (*stop == ',' || *stop == 'x');
    if (code != std::errc() || tile[mu] < 0 || !separated)
      fail_input("{}: --tile: found '{}', expected the extents of a block in x/2, y, z and t, such as 0,2,2,0 (0: all)",
                 dslash_command, text);
    at = mu == 3 ? stop : stop + 1;
  }
  return tile;
}

// Options that have no effect beside another one.
struct Conflict {
  std::string_view option, other, why;
};
constexpr Conflict conflicts[] = {
    {"--tune", "--no-tune", ""},
    {"--filling", "--compare", ": it compares all of them"},
    {"--complex", "--compare", ": it compares both"},
    {"--layout", "--compare", ": it compares all of them"},
    {"--neighbours", "--compare", ": it compares variants with a table"},
    {"--lanes", "--compare", ": it chooses lanes and right-hand sides itself"},
    {"--rhs", "--compare", ": it chooses lanes and right-hand sides itself"},
    {"--solvers", "--compare", ": solvers use the operators' own kernel"},
    {"--no-tune", "--compare", ": its variants are compared as they are"},
    {"--least-blocks", "--compare", ": it compares several"},
    {"--tile", "--tune", ": it finds the tile itself"},
    {"--team", "--tune", ": it finds the size of teams itself"},
    {"--compare", "--against", ": it compares one kernel"},
    {"--solvers", "--against", ": it compares one kernel"},
    {"--plot", "--against", ": there is no picture of it"},
};

// What makes the kernel a variant of the study: "--layout left".
std::string reason_for_variant(const DslashOptions& o) {
  if (o.filling == "right-hand-sides") return "--filling " + o.filling;
  if (o.complex != name_of(form_of_operators)) return "--complex " + o.complex;
  if (o.layout != "right") return "--layout " + o.layout;
  if (o.neighbours != "table") return "--neighbours " + o.neighbours;
  if (o.traversal != "flat") return "--traversal " + o.traversal;
  if (o.least_blocks != 0) return fmt::format("--least-blocks {}", o.least_blocks);
  return fmt::format("--lanes {}", o.lanes);
}

// Options without effect on any of the lines.
void require_effects(const DslashOptions& options, const std::vector<DslashRun>& runs) {
  const auto any = [&](auto&& condition) { return std::any_of(runs.begin(), runs.end(), condition); };
  const bool production = any([](const DslashRun& r) { return r.production; });
  const bool ordered = any([](const DslashRun& r) { return r.variant.traversal != Traversal::flat; });
  if (options.solvers && !any([](const DslashRun& r) { return r.production && r.precision != Precision::fixed16; }))
    fail_input("{}: --solvers has no effect with {}: {}", dslash_command,
               production ? "--precision 16-bit" : reason_for_variant(options),
               production ? "solvers are in double and single precision" : "solvers use the operators' own kernel");
  if (options.no_tune && !production)
    fail_input("{}: --no-tune has no effect with {}: the study's variants have no saved settings", dslash_command,
               reason_for_variant(options));
  if (options.tune && !production && !ordered)
    fail_input("{}: --tune has no effect with {}: of the study's variants, only teams and blocks are tuned",
               dslash_command, reason_for_variant(options));
}

std::vector<LinkFormat> formats_of(const std::vector<int>& reals) {
  std::vector<LinkFormat> formats;
  for (const int r : reals) formats.push_back(parse_links(dslash_command, r));
  return formats;
}

// Packed links, and vectors or the links of which they are made; a variant packs those of one parity.
double least_bytes_per_site(Precision precision, LinkFormat format, int count, bool production) {
  const auto model = bench::dslash_model(precision, format, count, true);
  const double links = 8 * model.link_bytes, vectors = model.spinor_bytes * count;
  return production ? links + std::max(vectors, 72.0 * arithmetic_bytes(precision)) : links / 2 + vectors;
}

}  // namespace

void require_valid(const DslashOptions& options) {
  require_range(dslash_command, "lanes", options.lanes, 0, 64);
  require_thread_count(dslash_command, options.threads);
  require_range(dslash_command, "seconds", options.seconds, 1e-9, 3600);
  for (const int count : options.right_hand_sides) require_range(dslash_command, "rhs", count, 1, 64);
  for (const auto& [option, other, why] : conflicts)
    if (options.has(option) && options.has(other))
      fail_input("{}: {} and {} exclude one another{}", dslash_command, option, other, why);
  if (options.has("--rounds") && !options.has("--against"))
    fail_input("{}: --rounds has no effect without --against", dslash_command);
  require_range(dslash_command, "rounds", options.rounds, 1, 1000);
  if (options.has("--tile") && options.traversal != "blocked" && !options.compare)
    fail_input("{}: --tile has no effect with --traversal {}; it is for --traversal blocked", dslash_command,
               options.traversal);
  if (options.has("--tile") && options.compare && options.has("--traversal") && options.traversal != "blocked")
    fail_input("{}: --tile has no effect with --traversal {}", dslash_command, options.traversal);
  require_range(dslash_command, "team", options.team_size, 0, 1024);
  if (options.has("--team") && options.traversal != "team" && (!options.compare || options.has("--traversal")))
    fail_input("{}: --team has no effect with --traversal {}; it is for --traversal team", dslash_command,
               options.traversal);
  require_range(dslash_command, "least-blocks", options.least_blocks, 0, 32);
  if (fields_on_host && options.has("--least-blocks"))
    fail_input("{}: --least-blocks has no effect on a CPU; it is for kernels on a GPU", dslash_command);
  dslash_run(options, {4, 4, 4, 4}, Precision::double_, LinkFormat::two_rows,
             options.right_hand_sides.empty() ? 1 : options.right_hand_sides[0]);  // as given
}

bool is_like_operators(const WilsonVariant& v) {
  return v.filling != Filling::right_hand_sides && (v.lanes == 1 || v.complex == form_of_operators) &&
         v.layout == SiteLayout::right && v.neighbours == NeighbourSource::table && v.traversal == Traversal::flat &&
         v.least_blocks == 0;
}

bool has_lanes(Precision precision, int lanes) {
  return tuning::with_precision(precision, [&]<class T>() { return has_lane_count<arithmetic_t<T>>(lanes); });
}

PrefetchDistances untuned_distances(const DslashRun& run) {
  const double sites = 0.5 * run.size[0] * run.size[1] * run.size[2] * run.size[3];
  const auto model = bench::dslash_model(run.precision, run.variant.links, run.vectors, true);
  return HopSettings{}.distances(1, sites * run.vectors * model.bytes(7));
}

std::string why_not_runnable(const DslashRun& run) {
  const WilsonVariant& v = run.variant;
  if (run.precision == Precision::fixed16 && v.links == LinkFormat::minimal)
    return "links of 8 reals are singular in 16-bit precision; use 18 or 12";
  if (run.precision == Precision::fixed16 && v.stores == Stores::streaming)
    return "there are no streaming stores of 16-bit numbers; --stores streaming needs double or single precision";
  if (!run.production && run.precision == Precision::fixed16)
    return fmt::format(
        "the study's variants are in double and single precision; 16-bit precision needs --filling virtual-nodes or "
        "scalar, --complex {}, --layout right, --neighbours table, --traversal flat",
        name_of(form_of_operators));
  try {
    if (run.production) {
      tuning::with_precision(run.precision, [&]<class T>() { require_lanes<arithmetic_t<T>>(v.lanes); });
      const Lattice lattice(run.size, v.lanes);
      return {};
    }
    const std::string why =
        run.precision == Precision::double_ ? why_not_compiled<double>(v) : why_not_compiled<float>(v);
    if (!why.empty()) return why;
    bench::study::require_tile(v, run.size);
  } catch (const InputError& e) {
    return e.what();
  }
  return {};
}

DslashRun dslash_run(const DslashOptions& options, const Coordinate& size, Precision precision, LinkFormat links,
                     int vectors) {
  DslashRun run;
  run.size = size;
  run.precision = precision;
  run.vectors = vectors;
  WilsonVariant& v = run.variant;
  v.filling = choice(dslash_command, "filling", options.filling, filling_names);
  v.complex = choice(dslash_command, "complex", options.complex, complex_names);
  v.layout = choice(dslash_command, "layout", options.layout, layout_names);
  v.neighbours = choice(dslash_command, "neighbours", options.neighbours, neighbour_names);
  v.traversal = choice(dslash_command, "traversal", options.traversal, traversal_names);
  v.stores = choice(dslash_command, "stores", options.stores, store_names);
  v.links = links;
  v.team_size = options.team_size;
  v.least_blocks = options.least_blocks;
  v.ahead = untuned_distances(run);
  switch (v.filling) {
    case Filling::scalar:
      if (options.lanes > 1)
        fail_input("{}: --filling scalar has one lane; found --lanes {}", dslash_command, options.lanes);
      v.lanes = 1;
      break;
    case Filling::virtual_nodes:
      v.lanes = options.lanes > 0 ? options.lanes : tuning::best_lanes(size, precision, vectors);
      break;
    case Filling::right_hand_sides:
      if (options.lanes > 0 && options.lanes != vectors)
        fail_input(
            "{}: with --filling right-hand-sides there are as many lanes as right-hand sides; found --lanes {} "
            "and --rhs {}",
            dslash_command, options.lanes, vectors);
      v.lanes = vectors;
      break;
  }
  const int threads = fields_on_host && options.threads > 0 ? options.threads : bench::study::largest_team(v);
  if (options.team_size > threads)
    fail_input("{}: --team: found {}; there are {} threads for a team", dslash_command, options.team_size, threads);
  // Lane counts that the operators do not have may still belong to a variant.
  const bool variant_has = (precision == Precision::double_ && is_compiled<double>(v)) ||
                           (precision == Precision::single && is_compiled<float>(v));
  run.production = is_like_operators(v) && (has_lanes(precision, v.lanes) || !variant_has);
  if (!run.production && v.filling != Filling::right_hand_sides && vectors != 1)
    fail_input(
        "{}: --rhs {} needs --filling right-hand-sides, or the defaults of --filling, --complex, "
        "--layout, --neighbours and --traversal",
        dslash_command, vectors);
  const Coordinate tile = parse_tile(options.tile);
  v.tile = options.has("--tile") ? tile : bench::study::default_tile(v, size);
  return run;
}

Precision parse_precision(const std::string& where, const std::string& word) {
  return choice(where, "precision", word, precision_names);
}

LinkFormat parse_links(const std::string& where, int reals) {
  if (reals != 18 && reals != 12 && reals != 8)
    fail_input("{}: --links: found {}, expected 18, 12 or 8 reals", where, reals);
  return LinkFormat(reals);
}

void require_range(const std::string& where, const std::string& option, double value, double low, double high) {
  if (!(value >= low && value <= high))
    fail_input("{}: --{}: found {:g}, expected {:g} to {:g}", where, option, value, low, high);
}

std::vector<DslashRun> dslash_runs(const DslashOptions& options) {
  require_valid(options);
  const bool production = dslash_run(options, {4, 4, 4, 4}, Precision::double_, LinkFormat::two_rows,
                                     options.right_hand_sides.empty() ? 1 : options.right_hand_sides[0])
                              .production;
  std::vector<DslashRun> runs;
  const auto add = [&](const std::vector<int>& links, const std::vector<int>& vectors,
                       const std::vector<std::string>& words) {
    for (const auto& lattice : or_else<std::string>(options.lattices, {"16,16,16,16", "32,32,32,32"}))
      for (const auto& precision : or_else(options.precisions, words))
        for (const LinkFormat format : formats_of(or_else(options.links, links)))
          for (const int count : or_else(options.right_hand_sides, vectors)) {
            const auto size = parse_size(lattice, "--lattice");
            const auto stored = parse_precision(dslash_command, precision);
            require_memory("bench dslash: --lattice", size, least_bytes_per_site(stored, format, count, production));
            runs.push_back(dslash_run(options, size, stored, format, count));
            runs.back().why_not = why_not_runnable(runs.back());
          }
  };
  if (production) {
    add({18, 12}, {1}, {"double", "single", "16-bit"});
    // Several vectors hide the cost of reading links: one format is enough.
    if (options.right_hand_sides.empty() && options.links.empty()) {
      add({18}, {8, 16}, {"single"});
    }
  } else {
    const bool vectors = options.filling == "right-hand-sides";
    add({fields_on_host ? 12 : 18}, {vectors ? native_lanes<float>() : 1}, {"single"});
  }
  // What was asked for must run; in a sweep over all precisions, in one of them.
  for (const DslashRun& run : runs) {
    if (run.why_not.empty()) continue;
    const bool elsewhere = std::any_of(runs.begin(), runs.end(), [&](const DslashRun& other) {
      return other.why_not.empty() && other.size == run.size && other.variant.links == run.variant.links &&
             other.vectors == run.vectors;
    });
    if (!options.precisions.empty() || !elsewhere) fail_input("{}: {}", dslash_command, run.why_not);
  }
  require_effects(options, runs);
  return runs;
}

std::string name_of(Filling filling) {
  if (filling == Filling::virtual_nodes) return "virtual nodes";
  if (filling == Filling::right_hand_sides) return "right-hand sides";
  return std::string(name_in(filling_names, filling));
}
std::string name_of(ComplexForm form) { return std::string(name_in(complex_names, form)); }
std::string name_of(SiteLayout layout) { return std::string(name_in(layout_names, layout)); }
std::string name_of(NeighbourSource source) { return std::string(name_in(neighbour_names, source)); }
std::string name_of(Traversal traversal) { return std::string(name_in(traversal_names, traversal)); }

}  // namespace trellis::app
