// Groups that have records near to those of a cell, or the same.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "near_cells.hpp"
#include "recoded_groups.hpp"

namespace biombo {

class NearGroups {
public:
    NearGroups(const NearCells& near, const RecodedGroups& groups) : near_(near), groups_(groups) {}

    // Calls with each of them and a cell of it that is near; some come more than once.
    template <class Look>
    void look_at_cells(std::uint32_t cell, std::uint32_t besides, const Look& look) const {
        for (std::uint32_t group : groups_.with_cell(cell))
            if (group != besides) look(group, cell);
        const NearCell* near = near_.of(cell);
        for (std::size_t i = 0; i < near_.most() && near[i].cell != NearCells::none; ++i)
            for (std::uint32_t group : groups_.with_cell(near[i].cell))
                if (group != besides) look(group, near[i].cell);
    }

    // The same, each group once.
    template <class Look>
    void look(std::uint32_t cell, std::uint32_t besides, const Look& look) {
        begin();
        look_further(cell, besides, look);
    }

    // Each group that is near to any record of a group, once.
    template <class Look>
    void look_from(std::uint32_t group, const Look& look) {
        begin();
        for (const Member& each : groups_[group].members) look_further(groups_.cell_of(each.element), group, look);
    }

    void add(std::uint32_t) {}

private:
    const NearCells& near_;
    const RecodedGroups& groups_;
    std::uint32_t glance_ = 0;
    std::vector<std::uint32_t> last_glance_;  // by group

    void begin() {
        if (++glance_ == 0) last_glance_.assign(last_glance_.size(), 0), glance_ = 1;
        last_glance_.resize(groups_.size());
    }

    template <class Look>
    void look_further(std::uint32_t cell, std::uint32_t besides, const Look& look) {
        look_at_cells(cell, besides, [&](std::uint32_t group, std::uint32_t) {
            if (std::exchange(last_glance_[group], glance_) != glance_) look(group);
        });
    }
};

}  // namespace biombo
