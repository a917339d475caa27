// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/report/html.hpp"

#include <fmt/format.h>

#include "trellis/plot/svg_page.hpp"

namespace trellis::app::html {
namespace {

// Neither & nor < may be in here: the page is XML, too.
constexpr const char* kStyle = R"(
  :root { color-scheme: light dark; --page: #ffffff; --text: #24292f; --faint: #57606a; --line: #d8dee4;
    --soft: #f6f8fa; --good: #1a7f37; --bad: #b35900; --link: #0969da; }
  @media screen and (prefers-color-scheme: dark) {
    :root { --page: #0d1117; --text: #e6edf3; --faint: #9198a1; --line: #2a3038; --soft: #161b22; --good: #3fb950;
      --bad: #f0883e; --link: #58a6ff; }
  }
  body { margin: 0 auto; max-width: 1240px; padding: 1rem 1.5rem 3rem; background: var(--page); color: var(--text);
    font: 15px/1.5 system-ui, "DejaVu Sans", Helvetica, Arial, sans-serif; }
  h1 { font-size: 1.6rem; margin: 0.5rem 0; } h2 { font-size: 1.25rem; margin: 2.2rem 0 0.6rem;
    border-bottom: 1px solid var(--line); padding-bottom: 0.2rem; } h3 { font-size: 1rem; margin: 1.4rem 0 0.4rem; }
  a { color: var(--link); } p { margin: 0.5rem 0; } .faint { color: var(--faint); }
  .state { padding: 0.5rem 0.9rem; margin: 0.6rem 0; background: var(--soft); border-left: 4px solid var(--bad); }
  .state.good { border-left-color: var(--good); }
  .scroll { overflow-x: auto; }
  table { border-collapse: collapse; font-size: 0.9rem; margin: 0.4rem 0 0.8rem; }
  caption { text-align: left; color: var(--faint); padding: 0.2rem 0; }
  th, td { padding: 0.16rem 0.8rem 0.16rem 0; text-align: right; white-space: nowrap;
    border-bottom: 1px solid var(--line); font-variant-numeric: tabular-nums; }
  th { font-weight: 600; } th:first-child, td:first-child, .text { text-align: left; }
  tbody th { font-weight: 400; } .remark { text-align: left; color: var(--faint); white-space: normal; }
  dl { display: grid; grid-template-columns: max-content auto; gap: 0.1rem 1rem; margin: 0.4rem 0; }
  dt { color: var(--faint); } dd { margin: 0; overflow-wrap: anywhere; }
  .figures { display: flex; flex-wrap: wrap; gap: 0.4rem 1rem; align-items: flex-start; }
  figure { margin: 0.4rem 0; max-width: 100%; }
  figure > svg { display: block; max-width: 100%; height: auto; }
  figcaption { color: var(--faint); font-size: 0.85rem; max-width: 62em; }
  pre { background: var(--soft); padding: 0.7rem 0.9rem; font-size: 0.82rem; line-height: 1.4; white-space: pre-wrap;
    overflow-wrap: anywhere; }
  progress { width: 100%; height: 1rem; accent-color: var(--good); }
  @media print { body { max-width: none; padding: 0; font-size: 10pt; } figure, table, .state { break-inside: avoid; }
    h2, h3 { break-after: avoid; } .few { flex-wrap: nowrap; break-inside: avoid; } .few > figure { min-width: 0; }
    nav { display: none; } .scroll { overflow: visible; } }
)";

}  // namespace

std::string escaped(const std::string& text) { return plot::svg_escaped(text); }

std::string element(const std::string& tag, const std::string& text) {
  return fmt::format("<{0}>{1}</{0}>\n", tag, escaped(text));
}

std::string page(const std::string& title, int refresh, const std::string& html) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n{}<title>{}</title>\n"
      "<style>{}{}</style>\n</head>\n<body>\n<main>\n{}</main>\n</body>\n</html>\n",
      refresh > 0 ? fmt::format("<meta http-equiv=\"refresh\" content=\"{}\"/>\n", refresh) : "", escaped(title),
      kStyle, plot::svg_style(), html);
}

std::string section(const std::string& id, const std::string& heading, const std::string& html) {
  return fmt::format("<section aria-labelledby=\"{0}\">\n<h2 id=\"{0}\">{1}</h2>\n{2}</section>\n", escaped(id),
                     escaped(heading), html);
}

std::string table(const std::string& caption, const ResultTable& table) {
  const auto columns = table.heading.size();
  const bool ends_in_text = columns > 0 && table.heading.back().empty();
  std::string out = fmt::format("<div class=\"scroll\"><table>\n<caption>{}</caption>\n<thead><tr>", escaped(caption));
  for (const auto& cell : table.heading)
    out += cell.empty() ? "<td></td>" : fmt::format("<th scope=\"col\">{}</th>", escaped(cell));
  out += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c == 0)
        out += fmt::format("<th scope=\"row\">{}</th>", escaped(row[c]));
      else if (row.size() == 2 && columns > 2)
        out += fmt::format("<td class=\"remark\" colspan=\"{}\">{}</td>", columns - 1, escaped(row[c]));
      else
        out += fmt::format("<td{}>{}</td>", ends_in_text && c + 1 == columns ? " class=\"text\"" : "", escaped(row[c]));
    }
    out += "</tr>\n";
  }
  return out + "</tbody>\n</table></div>\n";
}

std::string facts(const std::vector<std::pair<std::string, std::string>>& all) {
  std::string out = "<dl>\n";
  for (const auto& [name, value] : all) out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escaped(name), escaped(value));
  return out + "</dl>\n";
}

std::string figure(const std::string& svg, const std::string& caption) {
  return "<figure>\n" + svg + (caption.empty() ? "" : element("figcaption", caption)) + "</figure>\n";
}

std::string figures(const std::vector<std::string>& all) {
  // On paper a few of them stay side by side, and become smaller.
  std::string out = all.size() <= 3 ? "<div class=\"figures few\">\n" : "<div class=\"figures\">\n";
  for (const auto& one : all) out += one;
  return out + "</div>\n";
}

std::string preformatted(const std::string& text) {
  // Line breaks are all that escaping would lose.
  std::string out = "<pre>";
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    out += escaped(text.substr(begin, end - begin)) + "\n";
    begin = end + 1;
  }
  return out + "</pre>\n";
}

}  // namespace trellis::app::html
