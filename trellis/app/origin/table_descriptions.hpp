// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The description of all tables of a folder, in the file <name>.csv-metadata.json beside them: for each column what it
// is, its type and its units, and how the results were made (file_origin.hpp). The format is that of the W3C's
// "Metadata Vocabulary for Tabular Data" (2015): a table group, with the origin in its notes. Tables themselves hold
// nothing but a header line and rows, so that anything reads them, and every byte is covered by their checks.
//
// The table of all chains of an ensemble, <name>-ensemble.csv, has one of its own, <name>-ensemble.csv-metadata.json.
//
// No result depends on the description: every call writes it again, from its input.

#include <string>
#include <utility>
#include <vector>

#include "trellis/app/input/observables.hpp"
#include "trellis/app/origin/file_origin.hpp"
#include "trellis/app/results/run_folder.hpp"

namespace trellis::app {

struct DescribedTable {
  std::filesystem::path file;
  std::string what;
  std::vector<std::string> columns;  // without `check`
  bool has_checks = true;
};

// The names in the header of a table that is not checked, the text up to its first line end.
std::vector<std::string> header_of(const std::string& csv);

// The text of the file.
std::string table_descriptions(const FileOrigin& origin, const std::vector<DescribedTable>& tables);

// The main table, the side tables of these columns, and the tables that are written at the end. `number` is the name of
// their first column.
std::vector<DescribedTable> described_tables(const RunFolder& folder, const std::string& number,
                                             const std::vector<std::string>& columns,
                                             const ObservableColumns& observables);

void write_table_descriptions(const RunFolder& folder, const FileOrigin& origin,
                              const std::vector<DescribedTable>& tables);

}  // namespace trellis::app
