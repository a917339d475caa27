// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/bench/study/variants.hpp"

#include "trellis/bench/study/variant_module.hpp"
#include "trellis/bench/study/variant_storage.hpp"
#include "trellis/core/base/joined.hpp"

namespace trellis::bench::study {

namespace {

constexpr Index largest_block = 1024;  // of an MDRangePolicy on a GPU

template <class T>
CompiledBodies<T> all_bodies() {
  if constexpr (is_single<T>)
    return wilson_variant_module().single;
  else
    return wilson_variant_module().double_;
}

// One lane is a scalar, whatever its filling.
BodyChoice choice_of(const WilsonVariant& v) {
  const bool one = v.lanes == 1;
  return {.filling = one ? Filling::scalar : v.filling,
          .lanes = v.lanes,
          .layout = v.layout,
          .complex = one ? ComplexForm::split : v.complex,
          .links = v.links,
          .neighbours = v.neighbours,
          .least_blocks = v.least_blocks};
}

WilsonVariant variant_of(const BodyChoice& c) {
  return {.filling = c.filling,
          .lanes = c.lanes,
          .complex = c.complex,
          .layout = c.layout,
          .neighbours = c.neighbours,
          .links = c.links,
          .least_blocks = c.least_blocks};
}

std::string description_of(const BodyChoice& c) {
  constexpr const char* fillings[] = {"scalar", "virtual nodes", "right-hand sides"};
  constexpr const char* forms[] = {"split", "interleaved"};
  constexpr const char* layouts[] = {"right", "left", "tiled"};
  const std::string filling =
      c.filling == Filling::scalar ? fillings[0] : fmt::format("{} {}", c.lanes, fillings[int(c.filling)]);
  std::string words =
      fmt::format("{}, {}, layout {}, {} reals", filling, forms[int(c.complex)], layouts[int(c.layout)], int(c.links));
  if (c.neighbours == NeighbourSource::computed) words += ", computed neighbours";
  if (c.least_blocks > 0) words += fmt::format(", at least {} blocks", c.least_blocks);
  return words;
}

template <class T>
const CompiledBody<T>* find(const CompiledBodies<T>& bodies, const WilsonVariant& variant) {
  if (variant.filling == Filling::scalar && variant.lanes != 1) return nullptr;
  for (const CompiledBody<T>& body : bodies)
    if (body.choice == choice_of(variant))
      return body.all_traversals || variant.traversal == Traversal::flat ? &body : nullptr;
  return nullptr;
}

// The grid of virtual nodes is used only by these; columns are used by all.
Lattice lattice_of(const WilsonVariant& variant, const Coordinate& size) {
  const int lanes = variant.filling == Filling::virtual_nodes ? variant.lanes : 1;
  const Lattice usual(size, lanes, SiteOrder::even_odd, variant.shape);
  if (fields_on_host || variant.shape.brick != Coordinate{}) return usual;
  // Operators on a GPU visit bricks; here that is left to the traversal.
  LatticeShape rows = variant.shape;
  rows.lane_grid = usual.lane_grid();
  rows.column = usual.column();
  rows.brick = {usual.block()[0], 1, 1, 1};
  return Lattice(size, lanes, SiteOrder::even_odd, rows);
}

// Tiles of one parity in each direction of a virtual node.
Coordinate extents_of(const Lattice& lattice) {
  Coordinate extents = lattice.block();
  extents[0] /= 2;
  return extents;
}

std::array<Index, 4> block_of(const WilsonVariant& variant, const Lattice& lattice) {
  constexpr const char* names[] = {"x/2", "y", "z", "t"};
  const Coordinate extents = extents_of(lattice);
  std::array<Index, 4> block;
  for (std::size_t mu = 0; mu < 4; ++mu) {
    const int asked = variant.tile[mu];
    if (asked < 0 || asked > extents[mu])
      fail_input("Wilson kernel: blocks of {} in {}; virtual nodes have {} there (0 is all of it)", asked, names[mu],
                 extents[mu]);
    block[mu] = asked == 0 ? extents[mu] : asked;
  }
  if constexpr (!fields_on_host) {
    const Index all = block[0] * block[1] * block[2] * block[3] * (backend::lanes_are_threads ? variant.lanes : 1);
    if (all > largest_block) fail_input("Wilson kernel: blocks of {} lanes; at most {} on a GPU", all, largest_block);
  }
  return block;
}

bool fits(const WilsonVariant& variant, const Lattice& lattice) {
  try {
    block_of(variant, lattice);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

std::string description(const WilsonVariant& v) {
  std::string words = description_of(choice_of(v));
  if (v.traversal == Traversal::team) words += v.team_size == 0 ? ", teams" : fmt::format(", teams of {}", v.team_size);
  if (v.traversal == Traversal::blocked) words += fmt::format(", blocks of {}", joined(v.tile, "x"));
  return words;
}

template <class T>
int native_lanes() {
  return backend::lanes_are_threads ? 16 : backend::most_lane_bytes / int(sizeof(T));
}

template <class T>
std::vector<WilsonVariant> compiled_variants() {
  std::vector<WilsonVariant> variants;
  for (const CompiledBody<T>& body : all_bodies<T>()) variants.push_back(variant_of(body.choice));
  return variants;
}

std::string why_no_variants() { return wilson_variant_module().why_none; }

Coordinate default_tile(const WilsonVariant& variant, const Coordinate& size) {
  Coordinate tile = fields_on_host ? Coordinate{0, 2, 2, 0} : Coordinate{4, 2, 2, 2};
  const int lanes = variant.filling == Filling::virtual_nodes ? variant.lanes : 1;
  if (!Lattice::divides(size, lanes)) return tile;  // which will be refused
  const Coordinate extents = extents_of(lattice_of(variant, size));
  for (std::size_t mu = 0; mu < 4; ++mu) tile[mu] = std::min(tile[mu], extents[mu]);
  return tile;
}

int largest_team(const WilsonVariant& variant) {
  return fields_on_host ? concurrency() : largest_block / variant.lanes;
}

std::vector<WilsonVariant> orders_around(const WilsonVariant& variant, const Coordinate& size) {
  std::vector<WilsonVariant> orders;
  const auto add = [&](int WilsonVariant::* member, int value) {
    orders.push_back(variant);
    orders.back().*member = value;
  };
  if (variant.traversal == Traversal::team) {
    add(&WilsonVariant::team_size, 0);
    for (int threads = 1; threads <= largest_team(variant); threads *= 2) add(&WilsonVariant::team_size, threads);
  }
  if (variant.traversal == Traversal::blocked) {
    const Lattice lattice = lattice_of(variant, size);
    const Coordinate extents = extents_of(lattice);
    for (const std::size_t mu : {1u, 2u, 3u, 0u})
      for (int extent = 1; extent < 2 * extents[mu]; extent *= 2) {
        orders.push_back(variant);
        orders.back().tile[mu] = extent < extents[mu] ? extent : 0;
      }
    std::erase_if(orders, [&](const WilsonVariant& v) { return !fits(v, lattice); });
  }
  std::erase(orders, variant);
  return orders;
}

void require_tile(const WilsonVariant& variant, const Coordinate& size) {
  const Lattice lattice = lattice_of(variant, size);
  if (variant.traversal == Traversal::blocked) block_of(variant, lattice);
}

template <class T>
bool is_compiled(const WilsonVariant& variant) {
  return find(all_bodies<T>(), variant) != nullptr;
}

namespace {

template <class T>
CompiledBody<T> body_of(const WilsonVariant& variant) {
  const CompiledBodies<T> bodies = all_bodies<T>();
  if (const CompiledBody<T>* body = find(bodies, variant)) return *body;
  if (bodies.empty()) fail_input("Wilson kernel: {}", why_no_variants());
  std::vector<std::string> choices;
  for (const CompiledBody<T>& body : bodies)
    if (body.choice.filling == variant.filling) choices.push_back(description_of(body.choice));
  fail_input("Wilson kernel: no variant '{}' of {} lanes was compiled in {} precision; of its filling there are: {}",
             description(variant), variant.lanes, is_single<T> ? "single" : "double", joined(choices, "; "));
}

// The hops of a tile by registers, as a body for launch().
template <class T>
struct HostBody {
  typename CompiledBody<T>::Run run;
  const BodyArguments<T>* arguments;
  void operator()(int tile) const { run(*arguments, tile); }
};

}  // namespace

template <class T>
WilsonVariantRun<T>::WilsonVariantRun(const WilsonVariant& variant, const GaugeField<T, 1>& u,
                                      const HopWeights& weights)
    : variant_(variant) {
  if (u.lattice().has_ghosts()) fail("Wilson kernel: its variants are for lattices of one rank");
  const CompiledBody<T> body = body_of<T>(variant);
  const Lattice lattice = lattice_of(variant, u.lattice().size());
  if (variant.traversal == Traversal::blocked) block_of(variant, lattice);
  storage_ = std::make_shared<VariantStorage<T>>(body, lattice, u.lattice());
  storage_->place(WilsonLinks<T, 1>(u, variant.links, weights));
}

template <class T>
const Lattice& WilsonVariantRun<T>::lattice() const {
  return storage_->lattice();
}

template <class T>
void WilsonVariantRun<T>::set_order(const WilsonVariant& other) {
  WilsonVariant changed = variant_;
  changed.tile = other.tile;
  changed.team_size = other.team_size;
  if (changed.traversal == Traversal::blocked) block_of(changed, lattice());
  variant_ = changed;
}

template <class T>
void WilsonVariantRun<T>::set_source(const SpinorField<T, 1>& psi) {
  storage_->place(psi);
}

template <class T>
SpinorField<T, 1> WilsonVariantRun<T>::result(int parity) const {
  return storage_->vectors(parity);
}

template <class T>
void WilsonVariantRun<T>::apply(int out_parity, HopSign sign) {
  if (out_parity != 0 && out_parity != 1) fail("Wilson kernel: parity {}; it must be 0 or 1", out_parity);
  BodyArguments<T> arguments = storage_->arguments(out_parity);
  arguments.streaming = passes_caches(variant_.stores, bytes());
  arguments.ahead = variant_.ahead;
  Walk walk = storage_->walk();
  walk.traversal = variant_.traversal;
  walk.team_size = variant_.team_size;
  if (walk.traversal == Traversal::blocked) walk.block = block_of(variant_, lattice());
  const Kernel cost("Wilson variant", bytes(), flops(), is_single<T>);
  const CompiledBody<T>& body = storage_->body();
  arguments.adjoint = sign == HopSign::adjoint;
  if constexpr (fields_on_host)
    launch<1>(cost, walk, HostBody<T>{body.run[out_parity][arguments.adjoint ? 1 : 0], &arguments});
  else
    body.launch(cost, walk, arguments);
}

template <class T>
double WilsonVariantRun<T>::bytes() const {
  const double sites = double(storage_->sites().volume()) / 2;
  return sites * sizeof(T) * (8 * int(variant_.links) + 48 * right_hand_sides());
}

template <class T>
double WilsonVariantRun<T>::flops() const {
  return wilson_flops * double(storage_->sites().volume()) / 2 * right_hand_sides();
}

template <class T>
std::span<const T> WilsonVariantRun<T>::link_numbers(int out_parity) const {
  const auto& view = storage_->links(out_parity);
  return {view.data(), std::size_t(view.size())};
}

template <class T>
std::span<T> WilsonVariantRun<T>::spinor_numbers(int parity) const {
  const auto& view = storage_->spinors(parity);
  return {view.data(), std::size_t(view.size())};
}

#define TRELLIS_INSTANTIATE_RUN(T) template class WilsonVariantRun<T>;
TRELLIS_INSTANTIATE_RUN(float)
TRELLIS_INSTANTIATE_RUN(double)

#define TRELLIS_INSTANTIATE(T)                                \
  template int native_lanes<T>();                             \
  template std::vector<WilsonVariant> compiled_variants<T>(); \
  template bool is_compiled<T>(const WilsonVariant&);
TRELLIS_INSTANTIATE(float)
TRELLIS_INSTANTIATE(double)
#undef TRELLIS_INSTANTIATE_RUN
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::bench::study
