// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Logging: spdlog's free functions (spdlog::info and so on), set up once by the program.
// start_logging() sends "[time] level: message" to stderr, at the level that the environment variable
// TRELLIS_LOG names: trace, debug, info (the default), warn, error or off. Throws InputError for any other word.

namespace trellis {

void start_logging();

}  // namespace trellis
