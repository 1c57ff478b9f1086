// Checks nodes of a lattice: which groups fail each requirement, and what their records would have been.
//
// Groups come one after the other, from whoever has them: next() goes on to the next one, of which there are its size(), its
// codes() at the levels of the node, and its rows from first() to end().
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "last_column.hpp"
#include "level_tables.hpp"
#include "pruning.hpp"
#include "rules.hpp"

namespace biombo {

// The groups of a table that is sorted by all columns and has the last one at level 0. `Count` says how many records a row
// stands for.
template <int W, class Count>
class SortedGroups {
public:
    SortedGroups(const RowTable<W>& table, const LastColumn<W>& last_column, const Count& count)
        : next_(table.rows), end_(table.rows + table.n), last_column_(last_column), count_(count) {}

    bool next() {
        if (next_ == end_) return false;
        first_ = next_;
        codes_ = last_column_.codes_of(*first_);
        size_ = count_.get(*first_);
        for (next_ = first_ + 1; next_ != end_ && last_column_.has(*next_, codes_); ++next_) size_ += count_.get(*next_);
        return true;
    }

    std::uint64_t size() const { return size_; }
    const Row<W>& codes() const { return codes_; }
    const Row<W>* first() const { return first_; }
    const Row<W>* end() const { return next_; }

private:
    const Row<W>*first_ = nullptr, *next_, *end_;
    const LastColumn<W>& last_column_;
    const Count& count_;
    Row<W> codes_{};
    std::uint64_t size_ = 0;
};

// What one thread needs to check nodes. Different nodes write to different places of the result.
template <int W>
class NodeCheck {
public:
    NodeCheck(const Layout& layout, const std::vector<Steps>& steps, const std::vector<TargetValues>& targets,
              const LatticeQuestion& question, LatticeResult& result)
        : layout_(layout),
          steps_(steps),
          question_(question),
          floor_(question),
          result_(result),
          last_column_(layout, steps),
          records_(layout.records()),
          judge_(layout, targets, question.rules),
          by_k_(question.requirements.size()),
          failing_(question.requirements.size()),
          kept_sizes_(question.requirements.size()) {
        std::iota(by_k_.begin(), by_k_.end(), std::size_t{0});
        std::stable_sort(by_k_.begin(), by_k_.end(), [&](std::size_t a, std::size_t b) {
            return question.requirements[a].k < question.requirements[b].k;
        });
        for (std::size_t requirement : by_k_) {
            k_.push_back(question.requirements[requirement].k);
            only_k_ = only_k_ && question.requirements[requirement].rules.empty();
        }
    }

    // Checks the node with the levels given, from a table that has the last column at level 0. Says whether it can do with
    // the limit under any requirement.
    bool run(const RowTable<W>& table, std::uint64_t node, const std::vector<int>& levels) {
        last_column_.set_level(levels.empty() ? 0 : levels.back());
        if (layout_.has_population()) {
            SortedGroups<W, Records> groups(table, last_column_, records_);
            return run_over(groups, node, levels);
        }
        SortedGroups<W, Field> groups(table, last_column_, layout_.count);
        return run_over(groups, node, levels);
    }

    // The same from groups that are there already.
    template <class Groups>
    bool run_over(Groups& groups, std::uint64_t node, const std::vector<int>& levels) {
        levels_ = levels;
        for (auto& found : failing_) found.clear();
        for (auto& sizes : kept_sizes_) sizes.clear();
        const std::uint64_t small = only_k_ ? sort_by_size(groups, node) : judge_groups(groups, node);
        if (question_.describe)
            for (std::size_t column = 0; column < steps_.size(); ++column)
                describe_suppressed(node, column, steps_[column].share[levels[column]]);
        if (question_.sizes)
            for (std::size_t place = 0; place < k_.size(); ++place) tell_sizes(node, place);
        result_.state[node] = checked_node;
        return small <= question_.limit;
    }

    bool only_k() const { return only_k_; }
    std::uint64_t smallest_k() const { return floor_.k; }

    // Is more than the limit in groups by the columns of `bits` that fail what every requirement asks?
    bool too_small(const RowTable<W>& table, const Row<W>& bits) {
        std::uint64_t small = 0;
        const Row<W>* end = table.rows + table.n;
        for (const Row<W>*first = table.rows, *next; first != end && small <= question_.limit; first = next) {
            std::uint64_t size = 0;
            for (next = first; next != end && equal_in(*next, *first, bits); ++next) size += records_.get(*next);
            if (!floor_.rules.empty()) judge_.open(first, next);
            if (size > 0 && !reaches_floor(size)) small += size;
        }
        return small > question_.limit;
    }

private:
    struct Group {
        Row<W> codes;
        std::uint64_t size;
    };

    // Groups of one range of sizes.
    struct SizeClass {
        std::uint64_t groups = 0, records = 0;
        double squares = 0;
        Volumes volumes;
    };

    const Layout& layout_;
    const std::vector<Steps>& steps_;
    const LatticeQuestion& question_;
    Floor floor_;
    LatticeResult& result_;
    LastColumn<W> last_column_;
    Records records_;
    GroupJudge<W> judge_;
    bool only_k_ =  // does nothing but the limits of sizes matter?
        !question_.tops && !question_.sizes && question_.people < 0 && !question_.presences;
    std::vector<std::size_t> by_k_;            // the requirements, by ascending k
    std::vector<std::uint64_t> k_;             // of each of them
    std::vector<SizeClass> classes_;           // below the first k, from there to the second, …
    std::vector<std::vector<Group>> failing_;  // by place in by_k_: groups that fail; if only size matters, the first time
    std::vector<std::vector<std::uint64_t>> kept_sizes_;  // by place in by_k_, where sizes are asked for
    std::vector<std::uint64_t> records_of_;    // per code of a column, among suppressed ones
    std::vector<int> levels_;                  // of the node in hand

    std::size_t place_in_result(std::uint64_t node, std::size_t place) const {
        return node * result_.requirements + by_k_[place];
    }

    NodeOutcome& outcome(std::uint64_t node, std::size_t place) { return result_.outcomes[place_in_result(node, place)]; }

    // Where nothing but size matters, a group that fails one k fails all larger ones.
    template <class Groups>
    std::uint64_t sort_by_size(Groups& groups, std::uint64_t node) {
        classes_.assign(k_.size() + 1, SizeClass{});
        std::uint64_t unique = 0;
        while (groups.next()) {
            const std::uint64_t size = groups.size();
            if (size == 0) continue;  // of the population alone
            std::size_t place = 0;
            for (std::uint64_t k : k_) place += size >= k;
            unique += size == 1;
            SizeClass& of_size = classes_[place];
            ++of_size.groups;
            of_size.records += size;
            of_size.squares += square(size);
            if (question_.volumes) of_size.volumes += volumes_of({groups.codes(), size});
            if (place < k_.size() && question_.describe && of_size.records <= question_.limit)
                failing_[place].push_back({groups.codes(), size});
        }
        SizeClass below, above;
        for (std::size_t place = 0; place < k_.size(); ++place)
            outcome(node, place).suppressed = below.records += classes_[place].records;
        for (std::size_t place = k_.size(); place-- > 0;) {
            outcome(node, place).groups = above.groups += classes_[place + 1].groups;
            outcome(node, place).unique = k_[place] <= 1 ? unique : 0;
            outcome(node, place).picked = static_cast<double>(above.groups);
            outcome(node, place).squares = above.squares += classes_[place + 1].squares;
            above.volumes += classes_[place + 1].volumes;
            if (question_.volumes) result_.volumes[place_in_result(node, place)] = above.volumes;
        }
        return classes_[0].records;
    }

    static double square(std::uint64_t size) { return static_cast<double>(size) * static_cast<double>(size); }

    Volumes volumes_of(const Group& group) const {
        const auto size = static_cast<double>(group.size);
        double volume = 1;
        for (std::size_t column = 0; column < steps_.size(); ++column)
            volume *= steps_[column].share[levels_[column]][layout_.quasi[column].get(group.codes)];
        return {size * volume, size * std::log2(size / volume)};
    }

    template <class Groups>
    std::uint64_t judge_groups(Groups& groups, std::uint64_t node) {
        std::uint64_t small = 0;
        while (groups.next()) {
            const Group found{groups.codes(), groups.size()};
            if (found.size == 0) {
                nobody_in(node);
                continue;
            }
            judge_.open(groups.first(), groups.end());
            const bool hopeful = reaches_floor(found.size);
            if (!hopeful) small += found.size;
            for (std::size_t place = 0; place < k_.size(); ++place) {
                if (hopeful && fulfils(found.size, question_.requirements[by_k_[place]])) {
                    keep(node, place, found);
                } else {
                    suppress(node, place, found);
                }
            }
        }
        return small;
    }

    // A group of the population has nobody in the table.
    void nobody_in(std::uint64_t node) {
        if (!question_.presences) return;
        for (std::size_t place = 0; place < k_.size(); ++place) result_.presences[place_in_result(node, place)].least = 0;
    }

    void tell_presence(Presences& told) {
        const std::uint64_t members = judge_.members(question_.people);
        const double present = judge_.presence(question_.people);
        told.likely += static_cast<double>(members) * present;
        told.members += members;
        told.least = std::min(told.least, present);
    }

    bool reaches_floor(std::uint64_t size) {
        if (size < floor_.k) return false;
        for (int rule : floor_.rules)
            if (!judge_.holds(rule)) return false;
        return true;
    }

    bool fulfils(std::uint64_t size, const Requirement& asked) {
        if (size < asked.k) return false;
        for (int rule : asked.rules)
            if (!judge_.holds(rule)) return false;
        return true;
    }

    void keep(std::uint64_t node, std::size_t place, const Group& group) {
        NodeOutcome& kept = outcome(node, place);
        ++kept.groups;
        const std::uint64_t members = question_.people < 0 ? group.size : judge_.distinct(question_.people);
        kept.unique += members == 1 ? group.size : 0;
        kept.picked += static_cast<double>(group.size) / static_cast<double>(members);
        if (question_.sizes) kept_sizes_[place].push_back(members);
        kept.squares += square(group.size);
        if (question_.volumes) result_.volumes[place_in_result(node, place)] += volumes_of(group);
        if (question_.presences) tell_presence(result_.presences[place_in_result(node, place)]);
        auto* tops = result_.tops.data() + place_in_result(node, place) * result_.targets;
        for (std::size_t target = 0; target < result_.targets; ++target) tops[target] += judge_.top(static_cast<int>(target));
    }

    void suppress(std::uint64_t node, std::size_t place, const Group& group) {
        const std::uint64_t suppressed = outcome(node, place).suppressed += group.size;
        if (question_.describe && suppressed <= question_.limit) failing_[place].push_back(group);
        if (question_.presences) result_.presences[place_in_result(node, place)].least = 0;
    }

    void tell_sizes(std::uint64_t node, std::size_t place) {
        if (outcome(node, place).suppressed > question_.limit) return;
        auto& told = result_.sizes[place_in_result(node, place)];
        std::sort(kept_sizes_[place].begin(), kept_sizes_[place].end());
        for (std::uint64_t size : kept_sizes_[place]) {
            if (told.empty() || told.back().size != size) told.push_back({size, 0});
            ++told.back().groups;
        }
    }

    void describe_suppressed(std::uint64_t node, std::size_t column, const std::vector<double>& share) {
        const Field& field = layout_.quasi[column];
        records_of_.assign(share.size(), 0);
        for (std::size_t place = 0; place < k_.size(); ++place) {
            const std::uint64_t suppressed = outcome(node, place).suppressed;
            if (suppressed > question_.limit) continue;
            if (!only_k_) records_of_.assign(share.size(), 0);
            if (share.size() == 1) {
                records_of_[0] = suppressed;
            } else {
                for (const Group& group : failing_[place]) records_of_[field.get(group.codes)] += group.size;
            }
            const std::size_t there = place_in_result(node, place) * steps_.size() + column;
            for (std::size_t code = 0; code < share.size(); ++code) {
                const auto records = static_cast<double>(records_of_[code]);
                if (records == 0) continue;
                result_.suppressed_share[there] += records * share[code];
                result_.suppressed_entropy[there] -= records * std::log2(records / static_cast<double>(suppressed));
            }
        }
    }
};

}  // namespace biombo
