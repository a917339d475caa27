// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/random_kernels/expression_text.hpp"

#include <cstdio>
#include <cstring>

namespace trellis::random_kernels {
namespace {

const char* const type_names[] = {"u8", "u16", "u32", "u64", "float"};

const char* const operation_names[] = {"add",  "subtract", "multiply", "lower", "higher", "less",     "equal",
                                       "both", "either",   "differ",   "left",  "right",  "quotient", "remainder"};

std::string constant(const Expression& e) {
  if (!is_float(e.type)) {
    const std::string digits = text(e.value) + (e.type == Type::u64 ? "ULL" : "U");
    return e.type == Type::u32 ? digits : name(e.type) + "{" + digits + "}";
  }
  const auto bits = static_cast<std::uint32_t>(e.value);
  float x = 0;
  std::memcpy(&x, &bits, sizeof x);
  char number[40];
  std::snprintf(number, sizeof number, "%aF", static_cast<double>(x));
  return number;
}

std::string id(const Expression& e) {
  const std::string d = text(e.value);
  switch (static_cast<Id>(e.index)) {
    case Id::local:
      return "static_cast<u32>(item.local_id(" + d + "))";
    case Id::global:
      return "static_cast<u32>(item.global_id(" + d + "))";
    case Id::group:
      return "static_cast<u32>(item.group_id(" + d + "))";
    case Id::local_range:
      return "static_cast<u32>(item.local_range(" + d + "))";
    default:
      return "lid";
  }
}

}  // namespace

std::string name(Type type) { return type_names[static_cast<int>(type)]; }

std::string ExpressionText::size() const {
  return kernel_.literal_size ? text(std::uint64_t{kernel_.size()}) + "U" : std::string("n");
}

std::string ExpressionText::expression(const Expression& e) const {
  using Kind = Expression::Kind;
  const auto a = [&](std::size_t k) { return expression(e.arguments[k]); };
  switch (e.kind) {
    case Kind::constant:
      return constant(e);
    case Kind::variable:
      return name_of(e.index);
    case Kind::element:
      return name_of(e.index) + "[(" + a(0) + ") % " + text(variable(e.index).length) + "U]";
    case Kind::pointee:
      return "*" + name_of(e.index);
    case Kind::parameter:
      return "p" + text(e.index);
    case Kind::id:
      return id(e);
    case Kind::input:
      return "in[(" + a(0) + ") % 256U]";
    case Kind::shared:
      return "s" + text(e.index) + "[(" + a(0) + ") % (" + size() + " * " +
             text(kernel_.shared[static_cast<std::size_t>(e.index)].slots) + "U)]";
    case Kind::own:
      return own(e);
    case Kind::output:
      return "out[gid * " + text(outputs) + "U + " + text(e.index) + "U]";
    case Kind::witness:
      return "witness";
    case Kind::convert:
      return "convert<" + name(e.type) + ">(" + a(0) + ")";
    case Kind::operation:
      break;
  }
  switch (static_cast<Operation>(e.index)) {
    case Operation::select:
      return "(" + condition(e.arguments[0]) + " ? " + a(1) + " : " + a(2) + ")";
    case Operation::and_then:
      return "(" + condition(e.arguments[0]) + " && " + condition(e.arguments[1]) + " ? 1U : 0U)";
    case Operation::outside:
      return "outside(" + a(0) + ", " + a(1) + ")";
    default:
      return std::string(operation_names[e.index]) + "<" + name(e.arguments[0].type) + ">(" + a(0) + ", " + a(1) + ")";
  }
}

std::string ExpressionText::own(const Expression& e) const {
  std::string slot = "lid";
  if (e.scale != 1 && e.scale == e.shift && e.scale + 1 == kernel_.size()) {
    slot = size() + " - 1U - lid";
  } else if (e.scale != 1) {
    slot = "(lid * " + text(std::uint64_t{e.scale}) + "U + " + text(std::uint64_t{e.shift}) + "U) % " + size();
  } else if (e.shift != 0) {
    slot = "(lid + " + text(std::uint64_t{e.shift}) + "U) % " + size();
  }
  return "s" + text(e.index) + "[" + slot + (e.value > 0 ? " + " + size() + " * " + text(e.value) + "U" : "") + "]";
}

}  // namespace trellis::random_kernels
