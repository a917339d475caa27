// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The complete programming model: spaces, Views with subviews and copies, containers, policies and dispatch, graphs of
// tasks, work-group kernels, reducers, atomics, random numbers, profiles. A file that needs little of it compiles
// faster with only the headers it needs.

#include "trellis/core/atomic.hpp"
#include "trellis/core/containers/crs_graph.hpp"
#include "trellis/core/containers/dual_view.hpp"
#include "trellis/core/containers/scatter_view.hpp"
#include "trellis/core/containers/sort.hpp"
#include "trellis/core/containers/unordered_map.hpp"
#include "trellis/core/device/graph.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/mdspan.hpp"
#include "trellis/core/mirror.hpp"
#include "trellis/core/nd_range.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/profile/profile.hpp"
#include "trellis/core/profile/profile_listener.hpp"
#include "trellis/core/random/random_numbers.hpp"
#include "trellis/core/reducers.hpp"
#include "trellis/core/runtime/binding.hpp"
#include "trellis/core/runtime/runtime.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/core/subview.hpp"
#include "trellis/core/sums/exact_sum.hpp"
#include "trellis/core/tasks/task_graph.hpp"
#include "trellis/core/team_policy.hpp"
#include "trellis/core/view.hpp"
