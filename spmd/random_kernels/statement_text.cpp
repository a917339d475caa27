// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/random_kernels/statement_text.hpp"

namespace trellis::random_kernels {

void StatementText::block(const Block& b) {
  for (const auto& s : b) statement(s);
}

void StatementText::statement(const Statement& s) {
  using Kind = Statement::Kind;
  const auto e = [&](std::size_t k) { return expression(s.expressions[k]); };
  switch (s.kind) {
    case Kind::declare:
      return declare(s);
    case Kind::assign:
      return line(e(0) + " = " + e(1) + ";");
    case Kind::point:
      return line(name_of(s.variables[0]) + " = " + condition(s.expressions[0]) + " ? &" + e(1) + " : &" + e(2) + ";");
    case Kind::branch:
      open("if (" + condition(s.expressions[0]) + ") {");
      block(s.blocks[0]);
      if (!s.blocks[1].empty()) {
        --depth_;
        open("} else {");
        block(s.blocks[1]);
      }
      return close();
    case Kind::choose:
      return choose(s);
    case Kind::loop:
      return loop(s);
    case Kind::leave:
      return line("break;");
    case Kind::next:
      return line("continue;");
    case Kind::give_back:
      return line(s.expressions.empty() ? "return;" : "return " + e(0) + ";");
    case Kind::barrier:
      return line("item.barrier();");
    case Kind::call:
      return call(s);
    case Kind::collective:
      return line(e(0) + " = " + collective(s) + ";");
  }
}

void StatementText::declare(const Statement& s) {
  const auto& v = variable(s.variables[0]);
  const std::string first = name_of(s.variables[0]);
  const auto e = [&](std::size_t k) { return expression(s.expressions[k]); };
  if (v.length > 0) return line("[[maybe_unused]] " + name(v.type) + " " + first + "[" + text(v.length) + "] = {};");
  if (v.pointer) {
    return line("[[maybe_unused]] u32* " + first + " = " + condition(s.expressions[0]) + " ? &" + e(1) + " : &" + e(2) +
                ";");
  }
  if (!v.declared_in_struct) return line("[[maybe_unused]] " + name(v.type) + " " + first + " = " + e(0) + ";");
  line("[[maybe_unused]] Three<" + name(v.type) + ", " + name(variable(s.variables[1]).type) + ", " +
       name(variable(s.variables[2]).type) + "> " + first.substr(0, first.find('.')) + "{" + e(0) + ", " + e(1) + ", " +
       e(2) + "};");
}

void StatementText::choose(const Statement& s) {
  open("switch (" + expression(s.expressions[0]) + ") {");
  for (std::size_t k = 0; k < s.blocks.size(); ++k) {
    const bool last = k + 1 == s.blocks.size();
    open(last ? "default: {" : "case " + text(std::uint64_t{k}) + "U: {");
    block(s.blocks[k]);
    close();
    line(!last && ((s.value >> k) & 1) != 0 ? "[[fallthrough]];" : "break;");
  }
  close();
}

void StatementText::loop(const Statement& s) {
  const auto e = [&](std::size_t k) { return expression(s.expressions[k]); };
  const std::string i = name_of(s.variables[0]);
  const std::string holds = i + " < " + e(1), step = i + " += " + e(2);
  if (s.index == 0) {
    std::string head = "for (u32 " + i + " = " + e(0), steps = step;
    if (s.variables.size() > 1) {
      head += ", " + name_of(s.variables[1]) + " = " + e(3);
      steps += ", " + name_of(s.variables[1]) + " += " + e(4);
    }
    open(head + "; " + holds + "; " + steps + ") {");
    block(s.blocks[0]);
    return close();
  }
  open("{");
  line("u32 " + i + " = " + e(0) + ";");
  open(s.index == 1 ? "while (" + holds + ") {" : "do {");
  line(step + ";");
  block(s.blocks[0]);
  close(s.index == 1 ? "}" : "} while (" + holds + ");");
  close();
}

void StatementText::call(const Statement& s) {
  std::string arguments;
  for (std::size_t k = 1; k < s.expressions.size(); ++k) {
    arguments += (arguments.empty() ? "" : ", ") + expression(s.expressions[k]);
  }
  for (const int v : s.variables) arguments += (arguments.empty() ? "" : ", ") + name_of(v);
  const std::string f = text(s.index);
  std::string callee;
  switch (kernel_.functions[static_cast<std::size_t>(s.index)].form) {
    case Function::Form::plain:
      callee = "f" + f + "(" + common_arguments + ", ";
      break;
    case Function::Form::member:
      callee = "F" + f + "{" + common_arguments + "}(";
      break;
    case Function::Form::lambda:
      callee = "f" + f + "(";
      break;
  }
  line(expression(s.expressions[0]) + " = " + callee + arguments + ");");
}

std::string StatementText::collective(const Statement& s) const {
  const std::string x = expression(s.expressions[1]), bit = "((" + x + ") & 1U) != 0";
  switch (static_cast<Collective>(s.index)) {
    case Collective::sum:
      return "item.reduce(" + x + ")";
    case Collective::minimum:
      return "item.reduce(" + x + ", Minimum{})";
    case Collective::maximum:
      return "item.reduce(" + x + ", Maximum{})";
    case Collective::inclusive_sum:
      return "item.inclusive_scan(" + x + ")";
    case Collective::exclusive_sum:
      return "item.exclusive_scan(" + x + ")";
    case Collective::broadcast:
      return "item.broadcast(" + x + ", " + text(s.value) + ")";
    case Collective::any:
      return "item.any(" + bit + ") ? 1U : 0U";
    case Collective::all:
      return "item.all(" + bit + ") ? 1U : 0U";
    case Collective::sub_group_sum:
      return "item.sub_group().reduce(" + x + ")";
    case Collective::sub_group_maximum:
      return "item.sub_group().reduce(" + x + ", Maximum{})";
  }
  return {};
}

}  // namespace trellis::random_kernels
