// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/random_kernels/emitter.hpp"

#include <set>

#include "spmd/random_kernels/statement_text.hpp"

namespace trellis::random_kernels {
namespace {

class Emitter : private StatementText {
 public:
  explicit Emitter(const Kernel& kernel) : StatementText(kernel) {}

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
    // The interpreter is the judge: a subset of kernels suffices for the library's ways, which are the same for every
    // kernel.
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
    line("u32 witness = gid;");
    out_ += views;
    body(last);
    close("});");
    close();
  }
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
