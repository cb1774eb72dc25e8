// lab::records: one row for each request, as CSV: true_ns,wall_ms,id,outcome. Streamed, nothing is kept.
//
// `true_ns` and `wall_ms` are those of the moment of issue or refusal; a refused request has no id.
//
//     lab::records rows{"out.csv"};                          // or "-": standard output
//     lab::run(scenario, {.rows = &rows});
//     rows.close();
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

#include "firn/id.hpp"

namespace firn::lab {

class records {
  public:
    /// Throws std::runtime_error, naming file and cause, when it cannot be opened.
    explicit records(const std::string& path);
    ~records();
    records(const records&) = delete;
    records& operator=(const records&) = delete;

    void issued(std::int64_t true_ns, std::int64_t wall_ms, firn::id id);
    void refused(std::int64_t true_ns, std::int64_t wall_ms);
    /// Writes what is left. Throws std::runtime_error when not everything could be written.
    void close();

  private:
    void append(std::int64_t number);
    void end_row(const char* outcome);
    void flush();

    std::string path_;
    std::FILE* file_;
    std::string buffer_;
};

}  // namespace firn::lab
