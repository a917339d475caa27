// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// FunctionRef<R(Args...)>: a reference to a functor that is kept alive elsewhere, with a way to call it. Code that
// drives kernels takes one, so that it is compiled once and not for every kernel. Cost: a call through a pointer.

#include <memory>
#include <type_traits>

namespace trellis {

template <class Signature>
class FunctionRef;

template <class R, class... Args>
class FunctionRef<R(Args...)> {
 public:
  template <class F>
    requires(!std::is_same_v<F, FunctionRef> && std::is_invocable_r_v<R, const F&, Args...>)
  FunctionRef(const F& f)  // not explicit, so that functors convert
      : object_(std::addressof(f)),
        call_([](const void* object, Args... args) -> R { return (*static_cast<const F*>(object))(args...); }) {}

  R operator()(Args... args) const { return call_(object_, args...); }

 private:
  const void* object_;
  R (*call_)(const void*, Args...);
};

}  // namespace trellis
