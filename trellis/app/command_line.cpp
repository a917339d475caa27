// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/command_line.hpp"

#include <CLI/CLI.hpp>

namespace trellis::app {

Option Option::required() const { return Option(option_->required()); }
Option Option::capture_default_str() const { return Option(option_->capture_default_str()); }
Option Option::delimiter(char between) const { return Option(option_->delimiter(between)); }
Option Option::option_text(const std::string& text) const { return Option(option_->option_text(text)); }

Command Command::add_subcommand(const std::string& name, const std::string& description) const {
  return Command(*app_->add_subcommand(name, description), called_as_);
}
Option Command::add_flag(const std::string& name, bool& value, const std::string& description) const {
  return Option(app_->add_flag(name, value, description));
}
template <class T>
Option Command::add_option(const std::string& name, T& value, const std::string& description) const {
  return Option(app_->add_option(name, value, description));
}
void Command::footer(const std::string& text) const { app_->footer(text); }
void Command::callback(std::function<void()> f) const { app_->callback(std::move(f)); }
bool Command::has_subcommand() const { return !app_->get_subcommands().empty(); }

#define TRELLIS_INSTANTIATE(T) template Option Command::add_option(const std::string&, T&, const std::string&) const;
TRELLIS_INSTANTIATE(std::string)
TRELLIS_INSTANTIATE(int)
TRELLIS_INSTANTIATE(std::int64_t)
TRELLIS_INSTANTIATE(double)
TRELLIS_INSTANTIATE(std::vector<std::string>)
TRELLIS_INSTANTIATE(std::vector<int>)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::app
