// What local recoding is asked, and what it gives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "recoding_space.hpp"

namespace biombo {

// How groups come about: gathered as they are (local_recoding.hpp), or as regions that are cut from the top down
// (top_down.hpp).
enum class Recoding { local, strict, relaxed };

struct LocalEffort {
    std::size_t near;      // cells to look at from each
    std::size_t window;    // cells to compare with on either side, in each order in which they are sorted
    std::size_t passes;    // over all groups, at most
    std::size_t renewals;  // groups from which neighbours are gathered anew, at most
    std::uint64_t steps;   // by which groups become better, at most
    double seconds;        // after which no further one is made; 0: no limit
};

struct LocalQuestion {
    std::vector<RecodingColumn> columns;  // by cell
    std::vector<std::uint32_t> cell_of;   // by element
    std::vector<std::uint32_t> counts;    // by element
    LocalEffort effort;
};

struct LocalGroups {
    std::vector<std::uint32_t> element, group, count;  // shares: so many records of an element are in a group
    std::vector<std::uint8_t> levels;                  // per group and column
    std::vector<std::uint8_t> meets;                   // per group: is it what it must be?
    std::uint64_t steps = 0;                           // that were made
    bool is_cut = false;                               // were there more to make?
};

}  // namespace biombo
