// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/random_kernels/emitter.hpp"

#include <cstdio>
#include <cstring>
#include <set>

namespace trellis::random_kernels {
namespace {

std::string text(std::uint64_t n) { return std::to_string(n); }
std::string text(int n) { return std::to_string(n); }

const char* const type_names[] = {"u8", "u16", "u32", "u64", "float"};
std::string name(Type type) { return type_names[static_cast<int>(type)]; }

const char* const operation_names[] = {"add",  "subtract", "multiply", "lower", "higher", "less",     "equal",
                                       "both", "either",   "differ",   "left",  "right",  "quotient", "remainder"};

// What every function is given, in one order.
const char* const common_parameters =
    "const nd_item<D>& item, u32 p0, u32 p1, u32 p2, u32 p3, const u32* in, u32* out, u32* s0, u32* s1, u32* s2, "
    "u32 lid, u32 n, u32 gid";
const char* const common_members =
    "const nd_item<D>& item; u32 p0, p1, p2, p3; const u32* in; u32 *out, *s0, *s1, *s2; u32 lid, n, gid;";
const char* const common = "item, p0, p1, p2, p3, in, out, s0, s1, s2, lid, n, gid";

class Emitter {
 public:
  explicit Emitter(const Kernel& kernel) : kernel_(kernel) {}

  std::string kernel(const std::vector<int>& dropped) {
    const std::string space = "kernel_" + text(kernel_.seed);
    out_ += "namespace " + space + " {\n";
    out_ += "constexpr int D = " + text(kernel_.dimensions) + ";\n";
    const int last = static_cast<int>(kernel_.functions.size()) - 1;
    for (int k = 0; k < last; ++k) {
      if (kernel_.functions[static_cast<std::size_t>(k)].form != Function::Form::lambda) function(k);
    }
    launcher(last);
    std::string list;
    for (const int d : dropped) list += (list.empty() ? "" : ", ") + text(d);
    const auto entry = [&](const std::string& way) {
      out_ += "[[maybe_unused]] const bool with_" + way + " = add_entry(" + text(kernel_.seed) + "U, {" + list +
              "}, \"" + way + "\", &run<WorkItems::" + way + ">);\n";
    };
    // The interpreter judges: of the library's ways, which are the same for every kernel, some kernels are enough.
    if (kernel_.seed % 3 == 0) entry("fibers");
    if (kernel_.size() <= 16 && kernel_.seed % 4 == 0) entry("threads");
    out_ += "#if defined(TRELLIS_SPMD_PLUGIN)\n";
    entry("continuations");
    if (kernel_.for_fission) entry("fission");
    if (kernel_.seed % 5 == 0) entry("fission_or_continuations");
    out_ += "#endif\n}  // namespace " + space + "\n\n";
    return out_;
  }

 private:
  void line(const std::string& s) { out_ += std::string(static_cast<std::size_t>(2 * depth_), ' ') + s + "\n"; }
  void open(const std::string& s) {
    line(s);
    ++depth_;
  }
  void close(const std::string& s = "}") {
    --depth_;
    line(s);
  }

  std::string size() const {
    return kernel_.literal_size ? text(std::uint64_t{kernel_.size()}) + "U" : std::string("n");
  }
  const Variable& variable(int index) const {
    return kernel_.functions[static_cast<std::size_t>(function_)].variables[static_cast<std::size_t>(index)];
  }
  std::string name_of(int index) const { return "f" + text(function_) + variable(index).name; }

  // ---- functions
  std::string own_parameters(int k) {
    const auto& f = kernel_.functions[static_cast<std::size_t>(k)];
    const int outer = function_;
    function_ = k;
    std::string list;
    for (const int p : f.parameters) {
      list += (list.empty() ? "" : ", ") + std::string("[[maybe_unused]] ") + name(variable(p).type) + " " + name_of(p);
    }
    for (const int r : f.references) {
      list += (list.empty() ? "" : ", ") + std::string("[[maybe_unused]] u32& ") + name_of(r);
    }
    function_ = outer;
    return list;
  }

  void function(int k) {
    const auto own = own_parameters(k);
    const bool member = kernel_.functions[static_cast<std::size_t>(k)].form == Function::Form::member;
    if (member) {
      open("struct F" + text(k) + " {");
      line(common_members);
      open("u32 operator()(" + own + ") const noexcept {");
    } else {
      open("u32 f" + text(k) + "(" + std::string(common_parameters) + ", " + own + ") noexcept {");
    }
    body(k);
    close();
    if (member) close("};");
  }

  void find_calls(const Block& block, std::set<int>& found) const {
    for (const auto& s : block) {
      if (s.kind == Statement::Kind::call) found.insert(s.index);
      for (const auto& b : s.blocks) find_calls(b, found);
    }
  }

  void body(int k) {
    const int outer = function_;
    const auto& f = kernel_.functions[static_cast<std::size_t>(k)];
    std::set<int> calls;
    find_calls(f.body, calls);
    for (const int c : calls) {
      if (kernel_.functions[static_cast<std::size_t>(c)].form != Function::Form::lambda) continue;
      open("const auto f" + text(c) + " = [&](" + own_parameters(c) + ") noexcept -> u32 {");
      body(c);
      close("};");
    }
    function_ = k;
    block(f.body);
    function_ = outer;
  }

  void launcher(int last) {
    const int d = kernel_.dimensions;
    std::string global, local;
    for (int k = 0; k < d; ++k) {
      global += (k > 0 ? ", " : "") + text(std::uint64_t{kernel_.local[k]} * kernel_.groups[k]);
      local += (k > 0 ? ", " : "") + text(std::uint64_t{kernel_.local[k]});
    }
    open("template <WorkItems Way>\nvoid run(const Buffers& buffers) {");
    line("[[maybe_unused]] const u32 p0 = buffers.parameters[0], p1 = buffers.parameters[1];");
    line("[[maybe_unused]] const u32 p2 = buffers.parameters[2], p3 = buffers.parameters[3];");
    line("[[maybe_unused]] const u32* const in = buffers.input;");
    line("u32* const out = buffers.out;");
    line("LocalMemory memory;");
    std::string views;
    for (int k = 0; k < 3; ++k) {
      const std::string s = "[[maybe_unused]] u32* const s" + text(k) + " = ";
      if (k >= static_cast<int>(kernel_.shared.size())) {
        views += s + "nullptr;\n";
        continue;
      }
      const auto& array = kernel_.shared[static_cast<std::size_t>(k)];
      const std::string length = text(std::uint64_t{kernel_.size()} * static_cast<unsigned>(array.slots));
      switch (array.place) {
        case Shared::Place::sized:
          line("const auto a" + text(k) + " = memory.array<u32>(" + length + ");");
          views += s + "item.local(a" + text(k) + ");\n";
          break;
        case Shared::Place::fixed:
          views += s + "item.template local<u32[" + length + "], " + text(k) + ">();\n";
          break;
        case Shared::Place::global:
          line("u32* const g" + text(k) + " = buffers.scratch[" + text(k) + "];");
          views += s + "g" + text(k) + " + item.group_linear_id() * " + length + ";\n";
          break;
      }
    }
    open("parallel_for(\"random " + text(kernel_.seed) + "\", nd_range<" + text(d) + ">{{" + global + "}, {" + local +
         "}}.with(memory).by(work_items<Way>), TRELLIS_LAMBDA(const nd_item<" + text(d) + ">& item) noexcept {");
    line("[[maybe_unused]] const u32 lid = static_cast<u32>(item.local_linear_id());");
    line("[[maybe_unused]] const u32 n = static_cast<u32>(item.local_linear_range());");
    line("[[maybe_unused]] const u32 gid = static_cast<u32>(item.global_linear_id());");
    out_ += views;
    body(last);
    close("});");
    close();
  }

  // ---- statements
  void block(const Block& b) {
    for (const auto& s : b) statement(s);
  }

  void statement(const Statement& s) {
    using Kind = Statement::Kind;
    const auto e = [&](std::size_t k) { return expression(s.expressions[k]); };
    switch (s.kind) {
      case Kind::declare:
        return declare(s);
      case Kind::assign:
        return line(e(0) + " = " + e(1) + ";");
      case Kind::point:
        return line(name_of(s.variables[0]) + " = " + condition(s.expressions[0]) + " ? &" + e(1) + " : &" + e(2) +
                    ";");
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

  void declare(const Statement& s) {
    const auto& v = variable(s.variables[0]);
    const std::string first = name_of(s.variables[0]);
    const auto e = [&](std::size_t k) { return expression(s.expressions[k]); };
    if (v.length > 0) return line("[[maybe_unused]] " + name(v.type) + " " + first + "[" + text(v.length) + "] = {};");
    if (v.pointer) {
      return line("[[maybe_unused]] u32* " + first + " = " + condition(s.expressions[0]) + " ? &" + e(1) + " : &" +
                  e(2) + ";");
    }
    if (!v.declared_in_struct) return line("[[maybe_unused]] " + name(v.type) + " " + first + " = " + e(0) + ";");
    line("[[maybe_unused]] Three<" + name(v.type) + ", " + name(variable(s.variables[1]).type) + ", " +
         name(variable(s.variables[2]).type) + "> " + first.substr(0, first.find('.')) + "{" + e(0) + ", " + e(1) +
         ", " + e(2) + "};");
  }

  void choose(const Statement& s) {
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

  void loop(const Statement& s) {
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

  void call(const Statement& s) {
    std::string arguments;
    for (std::size_t k = 1; k < s.expressions.size(); ++k) {
      arguments += (arguments.empty() ? "" : ", ") + expression(s.expressions[k]);
    }
    for (const int v : s.variables) arguments += (arguments.empty() ? "" : ", ") + name_of(v);
    const std::string f = text(s.index);
    std::string callee;
    switch (kernel_.functions[static_cast<std::size_t>(s.index)].form) {
      case Function::Form::plain:
        callee = "f" + f + "(" + common + ", ";
        break;
      case Function::Form::member:
        callee = "F" + f + "{" + common + "}(";
        break;
      case Function::Form::lambda:
        callee = "f" + f + "(";
        break;
    }
    line(expression(s.expressions[0]) + " = " + callee + arguments + ");");
  }

  std::string collective(const Statement& s) {
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

  // ---- expressions
  std::string condition(const Expression& e) { return "(" + expression(e) + ") != 0"; }

  std::string expression(const Expression& e) {
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
        return std::string(operation_names[e.index]) + "<" + name(e.arguments[0].type) + ">(" + a(0) + ", " + a(1) +
               ")";
    }
  }

  static std::string constant(const Expression& e) {
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

  static std::string id(const Expression& e) {
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

  std::string own(const Expression& e) const {
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

  const Kernel& kernel_;
  std::string out_;
  int depth_ = 0;
  int function_ = -1;
};

}  // namespace

std::string write_kernel(const Kernel& kernel, const std::vector<int>& dropped) {
  return Emitter(kernel).kernel(dropped);
}

std::string file_head() {
  return "// Written by write_kernels; not to be edited.\n"
         "#include \"spmd/random_kernels/launch.hpp\"\n\n"
         "namespace trellis::random_kernels {\nnamespace {\n\n"
         "template <class A, class B, class C>\nstruct Three {\n  A a;\n  B b;\n  C c;\n};\n\n";
}

}  // namespace trellis::random_kernels
