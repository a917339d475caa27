// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The algorithm of a run, chosen by trying (hmc/tuning/tune_integrator.hpp): levels, integrators, steps, and the masses
// that split the lightest quarks' determinants. It is done before a chain begins, with links and random numbers of its
// own, so that the chain is an ordinary one, which depends on nothing but the choice; and the choice is written into
// the resolved input. Residuals and rational approximations follow from the lattice's size (input.cpp).

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "trellis/app/input/input.hpp"
#include "trellis/app/results/folder_lock.hpp"
#include "trellis/hmc/tuning/tune_integrator.hpp"

namespace trellis::app {

// Called on all ranks with a sentence for the user.
using Tell = std::function<void(const std::string&)>;

// By a signal or the stop file; the message is for the user.
class ChoiceStopped final : public Error {
 public:
  ChoiceStopped(const std::string& message, int code) : Error(message), code_(code) {}
  int exit_code() const override { return code_; }  // as that of a run that is stopped

 private:
  int code_;
};

struct ChosenAlgorithm {
  RunInput input;       // of a chain; the given one if nothing better was found
  bool better = false;  // than the levels of the input; always, if these only began the choice
  hmc::TuningResult result;
  hmc::TriedIntegrator given;  // what was measured first: the input's own levels, unless these only began the choice
};

// Throws InputError for a heatbath, ChoiceStopped on all ranks. before_trying: called on all ranks when the links of
// the start are there and the trajectories are about to begin.
ChosenAlgorithm choose_algorithm(const RunInput& input, const Tell& tell,
                                 const std::function<void()>& before_trying = {});

// For `[algorithm] kind = "auto"`: with the algorithm that was chosen for the chain in the run's folder, if there is
// one.
std::optional<RunInput> with_earlier_algorithm(const RunInput& input);
std::optional<RunInput> with_earlier_algorithm_by_one_rank(const RunInput& input);  // which others need not call

struct InputToRun {
  RunInput input;
  std::unique_ptr<FolderLock> lock;  // on the first rank, if an algorithm was chosen
};
// The same, or with a new choice, which is written there as the resolved input; the lock of the run's folder is taken
// before the first trajectory of the choice and stays for the chain. Other inputs are returned as they are. Throws
// InputError if another process holds the lock.
InputToRun with_chosen_algorithm(const RunInput& input, const Tell& tell);

// What the chain of an input with an automatic algorithm runs with, and whether no trajectory of it is left. Throws
// InputError for another input, if there is no checkpoint, or if that is of another chain.
struct ChainToChooseAgain {
  RunInput input;
  bool complete = false;
};
ChainToChooseAgain chain_to_choose_again(const RunInput& input);

// Steps, integrators and levels of a chain that was begun with `asked`, whose algorithm is automatic, chosen again from
// its checkpoint: what fits links that have not thermalised need not fit others. Splitting and length stay, and nobody
// may hold the lock. `chain` is what the chain runs with, seconds_spent what it has taken of its time budget.
InputToRun with_algorithm_chosen_again(const RunInput& asked, const RunInput& chain, double seconds_spent,
                                       const Tell& tell);

}  // namespace trellis::app
