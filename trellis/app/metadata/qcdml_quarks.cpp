// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/metadata/qcdml_quarks.hpp"

#include "trellis/app/metadata/xml_elements.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"
#include "trellis/gauge/smearing/improved/coefficients.hpp"

namespace trellis::app {
namespace {

void add_staples(pugi::xml_node node, const gauge::FatLinkCoefficients& c) {
  add(node, "c1Link", c.one_link);
  add(node, "c3Link", c.three_links);
  add(node, "c5LinkChair", c.five_links);
  add(node, "c7LinkTwist", c.seven_links);
}

// Coefficients at u0 = 1; readers divide a path of n links by u0^(n-1).
void add_asqtad(pugi::xml_node node, const gauge::ImprovedCoefficients& c, double u0) {
  add(node, "cNaik", c.naik);
  add_staples(node, c.fat);
  add(node, "cLepage", c.fat.lepage);
  add(node, "u0", u0);
}

void add_hisq(pugi::xml_node action, double epsilon) {
  auto treatment = action.append_child("LinkTreatment");
  auto first = treatment.append_child("fat7QuarkLinkTreatment");
  add(first, "glossary", action_glossary("fat7QuarkLinkTreatment"));
  add_staples(first, gauge::fat7_coefficients.fat);
  add(first, "u0", 1);
  auto projection = treatment.append_child("projectGroupLinkTreatment");
  add(projection, "glossary", action_glossary("projectGroupLinkTreatment"));
  add(projection, "group", "U(3)");
  auto second = treatment.append_child("asqTadQuarkLinkTreatment");
  add(second, "glossary", action_glossary("asqTadQuarkLinkTreatment"));
  if (epsilon != 0) {
    auto correction = second.append_child("epsilon");
    add(correction, "method", "of the Naik term, a number given in the input");
    add(correction, "value", epsilon);
  }
  add_asqtad(second, gauge::hisq_coefficients, 1);
}

// Of one level: what D sees of thin or stout links is the links themselves.
gauge::ImprovedCoefficients coefficients_of(const std::string& smearing) {
  if (smearing == "asqtad") return gauge::asqtad_coefficients(1);
  if (smearing == "naik") return gauge::naik_coefficients(1);
  if (smearing == "fat7") return gauge::fat7_coefficients;
  if (smearing == "stout") return {};
  fail_input("smearing.kind = \"{}\": QCDml 2.0.0 has no element for such quarks", smearing);
}

std::string annotation_of(const FlavourInput& flavour, const gauge::SmearingParameters& smearing, bool is_stout) {
  std::string text = fmt::format("flavour {}: {} tastes", flavour.name, flavour.tastes);
  if (smearing.kind != "hisq" && smearing.kind != "asqtad")
    text += fmt::format("; staggered quarks on {} links, whose paths have these coefficients",
                        is_stout                   ? "stout"
                        : smearing.kind == "stout" ? "thin"
                                                   : smearing.kind);
  if (flavour.charge != 0) text += fmt::format("; charge {} e/3", flavour.charge);
  if (flavour.imaginary_mu != 0) text += fmt::format("; imaginary chemical potential {} pi T", flavour.imaginary_mu);
  if (flavour.space_angles_over_pi != std::array<double, 3>{})
    text += fmt::format("; phases exp(i pi a) around the lattice, a = {}", joined(flavour.space_angles_over_pi, ", "));
  if (smearing.kind != "hisq" && flavour.naik_epsilon != 0)
    text += fmt::format("; correction {} of the Naik term", flavour.naik_epsilon);
  return text;
}

}  // namespace

void add_quarks(pugi::xml_node quark, const QuarkInput& quarks) {
  const auto& smearing = quarks.smearing;
  const bool is_hisq = smearing.kind == "hisq";
  const auto value = [&](const char* key, double fallback) {
    const auto found = smearing.values.find(key);
    return found == smearing.values.end() ? fallback : found->second;
  };
  const bool is_stout = smearing.kind == "stout" && value("levels", 0) > 0 && value("rho", 0) != 0;
  for (const auto& flavour : quarks.flavours) {
    const char* const name = is_hisq ? "hisqQuarkAction" : "asqTadQuarkAction";
    auto action = quark.append_child(name);
    add(action, "annotation", annotation_of(flavour, smearing, is_stout));
    add(action, "glossary", action_glossary(name));
    auto field = action.append_child("quarkField");
    add(field, "annotation", "psibar (m + 1/2 sum_mu eta_mu (U_mu - U_mu^+)) psi for one link");
    add(field, "normalisation", "1");
    add_boundary(field, quarks.boundary == TimeBoundary::antiperiodic ? "antiperiodic" : "periodic");
    add(action, "numberOfFlavours", flavour.tastes);
    if (is_stout) {
      auto links = action.append_child("linkSmearing");
      auto staples = links.append_child("apeLinkBlocking");
      add(staples, "rho0", 0);
      add(staples, "rho1", value("rho", 0));
      add(links, "linkUnitarization", "stout");
      add(links, "numSmear", value("levels", 0));
    }
    add(action, "mass", flavour.mass);
    if (is_hisq)
      add_hisq(action, flavour.naik_epsilon);
    else
      add_asqtad(action, coefficients_of(smearing.kind), value("u0", 1));
  }
}

}  // namespace trellis::app
