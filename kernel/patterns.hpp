// Patterns for many cells: what they leave out, and which of that is needed.
#pragma once

#include <unordered_map>

#include "parallel.hpp"
#include "pattern_search.hpp"

namespace biombo {

using CellList = std::vector<std::int64_t>;

class Patterns {
public:
    Patterns(std::vector<CategoryTree> trees, PatternPrices prices)
        : trees_(std::move(trees)), prices_(std::move(prices)), search_(trees_, prices_) {}
    Patterns(const Patterns&) = delete;
    Patterns& operator=(const Patterns&) = delete;

    std::size_t size() const { return prices_.size(); }

    std::vector<std::uint8_t> hidden() const {
        std::vector<std::uint8_t> found(size());
        for (std::size_t cell = 0; cell < found.size(); ++cell) found[cell] = prices_.is_hidden(cell);
        return found;
    }

    // Leaves out what patterns for these cells take, one after another; the cells that have none are given back.
    CellList protect(const CellList& cells, Monitor& monitor) {
        CellList without;
        for (const std::int64_t cell : cells) {
            monitor.check();
            CellList pattern = protecting(cell);
            if (pattern.empty())
                without.push_back(cell);
            else if (place_.emplace(cell, cells_.size()).second) {
                cells_.push_back(cell);
                patterns_.push_back(std::move(pattern));
            } else
                patterns_[place_[cell]] = std::move(pattern);
            monitor.advance(1.0 / static_cast<double>(cells.size()));
        }
        return without;
    }

    // Shows each of these cells again, one after another, where all cells in whose patterns it is have others among what
    // is left out. After `most` searches no further ones are looked at; how many were is given back.
    std::size_t tidy(const CellList& cells, std::size_t most, Monitor& monitor) {
        search_.close();
        Users users = users_of(cells);
        std::size_t searches = 0, looked = 0;
        for (const std::int64_t cell : cells) {
            if (searches >= most) break;
            monitor.check();
            try_without(cell, users, searches);
            ++looked;
            monitor.advance(1.0 / static_cast<double>(cells.size()));
        }
        return looked;
    }

private:
    using Users = std::unordered_map<std::int64_t, std::vector<std::size_t>>;

    std::vector<CategoryTree> trees_;
    PatternPrices prices_;
    PatternSearch search_;
    CellList cells_;                                        // those that have a pattern
    std::vector<CellList> patterns_;                        // theirs
    std::unordered_map<std::int64_t, std::size_t> place_;   // of each in these lists

    // Leaves out a pattern for a cell, and gives its cells back; none where there is none. One whose leaf has one person
    // is no doubt for that person, so that another is needed, unless the cell has nobody else.
    CellList protecting(std::int64_t cell) {
        prices_.set_cell(cell);
        CellList found;
        int patterns = 0;
        for (const std::int64_t leaf : leaves(cell)) {
            const CellList best = through(cell, leaf);
            if (best.empty()) continue;
            for (const std::int64_t each : best) prices_.hide(each);
            found.insert(found.end(), best.begin(), best.end());
            if (prices_.is_alone(cell) || !prices_.is_alone(leaf) || ++patterns == 2) return found;
        }
        return {};
    }

    // The leaves of a cell, those that can spare most first: only they have something of their own to be more or less.
    CellList leaves(std::int64_t cell) const {
        CellList found{0};
        const CellList places = search_.places(cell);
        for (std::size_t axis = 0; axis < trees_.size(); ++axis) {
            CellList next;
            for (const std::int64_t before : found)
                for (const std::int64_t leaf : trees_[axis].leaves_under(places[axis]))
                    next.push_back(before * trees_[axis].size() + leaf);
            found = std::move(next);
        }
        std::erase_if(found, [&](std::int64_t leaf) { return prices_.is_fixed(leaf); });
        if (found.size() > 1)
            std::stable_sort(found.begin(), found.end(),
                             [&](std::int64_t a, std::int64_t b) { return prices_.spare(a) > prices_.spare(b); });
        return found;
    }

    // The cheapest pattern of a cell through one of its leaves, of those that change as few totals as can be.
    CellList through(std::int64_t cell, std::int64_t leaf) {
        const CellList at = search_.places(cell), leaves = search_.places(leaf);
        std::vector<int> lowest;
        int most = 0;
        for (std::size_t axis = 0; axis < trees_.size(); ++axis) {
            lowest.push_back(trees_[axis].level(at[axis]) + 1);
            most += trees_[axis].height() + 1 - lowest.back();
        }
        for (int higher = 0; higher <= most; ++higher) {
            std::vector<int> meet = lowest;
            CellList found = raised(leaves, meet, 0, higher);
            if (!found.empty()) return found;
        }
        return {};
    }

    // The cheapest pattern where sides meet `higher` levels above the lowest, all columns from `axis` on together.
    CellList raised(const CellList& leaf, std::vector<int>& meet, std::size_t axis, int higher) {
        if (axis == meet.size()) return higher == 0 ? search_.cheapest(leaf, meet) : CellList{};
        const int lowest = meet[axis];
        for (int more = 0; more <= std::min(higher, trees_[axis].height() + 1 - lowest); ++more) {
            meet[axis] = lowest + more;
            CellList found = raised(leaf, meet, axis + 1, higher - more);
            meet[axis] = lowest;
            if (!found.empty()) return found;
        }
        return {};
    }

    Users users_of(const CellList& cells) const {
        Users users;
        for (const std::int64_t cell : cells) users[cell];
        for (std::size_t place = 0; place < cells_.size(); ++place) note(place, users);
        return users;
    }

    void note(std::size_t place, Users& users) const {
        for (const std::int64_t cell : patterns_[place])
            if (const auto found = users.find(cell); found != users.end()) found->second.push_back(place);
    }

    void try_without(std::int64_t cell, Users& users, std::size_t& searches) {
        std::vector<std::size_t> mine;  // those that need the cell now, those that need most first
        for (const std::size_t place : users[cell])
            if (std::find(patterns_[place].begin(), patterns_[place].end(), cell) != patterns_[place].end())
                mine.push_back(place);
        std::sort(mine.begin(), mine.end());
        mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
        std::vector<CellList> others;
        prices_.show(cell);
        for (const std::size_t place : mine) {
            ++searches;
            others.push_back(protecting(cells_[place]));
            if (others.back().empty()) return prices_.hide(cell);
        }
        for (std::size_t i = 0; i < mine.size(); ++i) {
            patterns_[mine[i]] = std::move(others[i]);
            note(mine[i], users);
        }
        users.erase(cell);
    }
};

}  // namespace biombo
