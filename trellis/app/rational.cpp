// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis rational: best rational approximations of products of powers, with the numbers that other programs need.
#include "trellis/hmc/rational.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "trellis/app/command.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

struct RationalOptions {
  std::string power, interval;
  std::vector<std::string> factors;
  std::optional<double> ratio, error;
  std::optional<std::int64_t> order, digits;
  bool json = false;
};

double plain_number(std::string_view text, const std::string& option, std::string_view whole) {
  double number = 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size() || !std::isfinite(number))
    fail_input("{}: found '{}', expected numbers such as 0.25, 4e-7 or -1/4", option, whole);
  return number;
}

// "-0.25" or "-1/4".
double number_or_fraction(std::string_view text, const std::string& option) {
  const auto slash = text.find('/');
  if (slash == text.npos) return plain_number(text, option, text);
  const double below = plain_number(text.substr(slash + 1), option, text);
  if (below == 0) fail_input("{}: found '{}', which divides by 0", option, text);
  return plain_number(text.substr(0, slash), option, text) / below;
}

// The two parts of "a,b" or "offset:power".
std::pair<std::string_view, std::string_view> parts(std::string_view text, char between, const std::string& option,
                                                    const char* expected) {
  const auto at = text.find(between);
  if (at == text.npos) fail_input("{}: found '{}', expected {}", option, text, expected);
  return {text.substr(0, at), text.substr(at + 1)};
}

std::vector<hmc::PowerFactor> function_of(const RationalOptions& options) {
  std::vector<hmc::PowerFactor> f;
  if (!options.power.empty()) f.push_back({0, number_or_fraction(options.power, "--power")});
  if (options.ratio) {
    if (options.power.empty()) fail_input("--ratio: needs --power, the power of x / (x + D)");
    if (!(*options.ratio > 0)) fail_input("--ratio: found {}, expected a number above 0", *options.ratio);
    f.push_back({*options.ratio, -f.front().power});
  }
  for (const auto& factor : options.factors) {
    const auto [offset, power] = parts(factor, ':', "--factor", "OFFSET:POWER, such as 0.01:1/4");
    f.push_back({plain_number(offset, "--factor", factor), number_or_fraction(power, "--factor")});
  }
  if (f.empty()) fail_input("which function? --power P is x^P, --factor OFFSET:POWER is a factor (x + OFFSET)^POWER");
  return f;
}

std::string text_of(const std::vector<hmc::PowerFactor>& f, double sign) {
  std::vector<std::string> factors;
  for (const auto& factor : f)
    factors.push_back(factor.offset == 0 ? fmt::format("x^{}", sign * factor.power)
                                         : fmt::format("(x + {})^{}", factor.offset, sign * factor.power));
  return joined(factors, " ");
}

// Numbers as they are printed: in double precision with the 17 digits that read back as the same, or with more digits.
struct Printed {
  std::string constant;
  std::vector<std::string> residues, poles;
};

std::vector<std::string> doubles(const std::vector<double>& numbers) {
  std::vector<std::string> texts;
  for (const double number : numbers) texts.push_back(fmt::format("{:.16e}", number));
  return texts;
}

Printed in_double(const hmc::RationalApproximation& r) {
  return {fmt::format("{:.16e}", r.constant), doubles(r.residues), doubles(r.poles)};
}

std::string table(const std::string& title, const Printed& r) {
  const auto width = r.residues.empty() ? 0 : r.residues[0].size() + 1;
  auto text =
      fmt::format("\n{}\nconstant {}\n{:>3} {:>{}} {:>{}}\n", title, r.constant, "i", "residue", width, "pole", width);
  for (std::size_t i = 0; i < r.poles.size(); ++i)
    text += fmt::format("{:>3} {:>{}} {:>{}}\n", i + 1, r.residues[i], width, r.poles[i], width);
  return text;
}

nlohmann::ordered_json json_of(const hmc::RationalApproximation& r) {
  return {{"constant", r.constant}, {"residues", r.residues}, {"poles", r.poles}, {"error", r.error}};
}

std::string as_json(const std::vector<hmc::PowerFactor>& f, const hmc::RationalInFull& full, bool has_digits) {
  nlohmann::ordered_json j;
  j["factors"] = nlohmann::ordered_json::array();
  for (const auto& factor : f) j["factors"].push_back({{"offset", factor.offset}, {"power", factor.power}});
  j["lower"] = full.r.lower;
  j["upper"] = full.r.upper;
  j["order"] = full.r.order();
  j["levelled_error"] = full.levelled_error;
  j["r"] = json_of(full.r);
  j["inverse"] = json_of(full.inverse);
  if (has_digits)
    j["digits"] = {{"constant", full.constant},
                   {"zeros", full.zeros},
                   {"poles", full.poles},
                   {"residues", full.residues},
                   {"inverse_constant", full.inverse_constant},
                   {"inverse_residues", full.inverse_residues}};
  return j.dump(2) + "\n";
}

std::string as_text(const std::vector<hmc::PowerFactor>& f, const hmc::RationalInFull& full, bool has_digits) {
  const auto r = has_digits ? Printed{full.constant, full.residues, full.poles} : in_double(full.r);
  const auto inverse =
      has_digits ? Printed{full.inverse_constant, full.inverse_residues, full.zeros} : in_double(full.inverse);
  return fmt::format(
             "r(x) = constant + sum_i residue_i / (x + pole_i) is the best approximation of {} on [{}, {}], of order "
             "{}\nlargest relative error {:.4e}; summed up in double precision {:.4e}, its reciprocal {:.4e}\n",
             text_of(f, 1), full.r.lower, full.r.upper, full.r.order(), full.levelled_error, full.r.error,
             full.inverse.error) +
         table("r(x), for " + text_of(f, 1), r) + table("1/r(x), for " + text_of(f, -1), inverse) +
         "\nr(x) is also the first constant times prod_i (x + pole_i of 1/r) / (x + pole_i of r).\n";
}

// Of numbers with more digits, rounding to double precision does not count.
int order_of_error(const RationalOptions& options, const std::vector<hmc::PowerFactor>& f, double lower, double upper) {
  const double error = *options.error, least = std::pow(10, -double(options.digits.value_or(16)));
  if (error > 0 && error < least)
    fail_input("--error: found {}, expected at least {}, what numbers {} are exact to{}", error, least,
               options.digits ? fmt::format("of {} digits", *options.digits) : "in double precision",
               options.digits ? "" : "; --digits 40 prints more");
  return options.digits ? hmc::order_of_error(f, lower, upper, error)
                        : hmc::rational_approximation(f, lower, upper, error).order();
}

int run(const RationalOptions& options) {
  const auto f = function_of(options);
  const auto [from, to] = parts(options.interval, ',', "--interval", "LOWER,UPPER, such as 4e-7,1");
  const double lower = plain_number(from, "--interval", options.interval),
               upper = plain_number(to, "--interval", options.interval);
  if (options.order.has_value() == options.error.has_value())
    fail_input("expected either --order or --error, {}", options.order ? "not both" : "found neither");
  if (options.order && (*options.order < 0 || *options.order > 1000))
    fail_input("--order: found {}, expected 0 to 40", *options.order);
  constexpr std::int64_t double_digits = 17, most_digits = 40;
  if (options.digits && (*options.digits < double_digits || *options.digits > most_digits))
    fail_input("--digits: found {}, expected {} to {}", *options.digits, double_digits, most_digits);
  const int order = options.order ? static_cast<int>(*options.order) : order_of_error(options, f, lower, upper);
  const auto full =
      hmc::remez_in_full(f, lower, upper, order, static_cast<int>(options.digits.value_or(double_digits)));
  fmt::print(
      "{}", options.json ? as_json(f, full, options.digits.has_value()) : as_text(f, full, options.digits.has_value()));
  return 0;
}

}  // namespace

void add_rational(const Command& program, Action& action) {
  auto options = std::make_shared<RationalOptions>();
  const auto command =
      program.add_subcommand("rational", "Compute a rational approximation, with poles and residues of r and 1/r");
  command.add_option("--power", options->power, "x^P; a number or a fraction: --power=-1/4").option_text("P");
  command.add_option("--ratio", options->ratio, "(x / (x + D))^P instead, D a difference of squared masses")
      .option_text("D");
  command
      .add_option("--factor", options->factors,
                  "a factor (x + OFFSET)^POWER; several make a product, also with --power")
      .option_text("OFFSET:POWER");
  command.add_option("--interval", options->interval, "the range of x").option_text("LOWER,UPPER").required();
  command.add_option("--order", options->order, "the order of numerator and denominator, up to 40");
  command.add_option("--error", options->error, "the largest relative error, instead of the order");
  command.add_option(
      "--digits", options->digits,
      "17 to 40 significant digits, more than double precision has; default: numbers in double precision");
  command.add_flag("--json", options->json, "print JSON");
  command.footer("Example: trellis rational --power=-1/4 --interval 4e-7,1 --order 19");
  command.callback([options, &action] { action = [options] { return by_first_rank([&] { return run(*options); }); }; });
}

}  // namespace trellis::app
