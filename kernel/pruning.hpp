// Which nodes of a lattice need not be looked at.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "lattice_question.hpp"

namespace biombo {

// Which nodes are still asked for, and which are known to be hopeless. Shared by all threads.
class Pruning {
public:
    Pruning(const std::vector<Steps>& steps, const LatticeQuestion& question)
        : steps_(steps), vectors_(steps), hopeless_(std::make_unique<std::atomic<bool>[]>(vectors_.nodes())) {
        wanted_before_.push_back(0);
        for (std::uint64_t node = 0; node < vectors_.nodes(); ++node) {
            const bool known = !question.hopeless.empty() && question.hopeless[node];
            const bool wanted = question.wanted.empty() || question.wanted[node];
            hopeless_[node] = known;
            wanted_before_.push_back(wanted_before_.back() + (wanted && !known));
        }
    }

    bool any_wanted(std::uint64_t first, std::uint64_t number) const {
        return wanted_before_[first + number] != wanted_before_[first];
    }

    void give_up(std::uint64_t node) { hopeless_[node].store(true, std::memory_order_relaxed); }

    // Is the node, or one a step above it, known to be hopeless?
    bool hopeless(std::uint64_t node) {
        if (hopeless_[node].load(std::memory_order_relaxed)) return true;
        if (!any_above_hopeless(node)) return false;
        give_up(node);
        return true;
    }

    // Says which nodes are hopeless since one above them is, and of those that were not checked whether they are hopeless
    // themselves. Which of the former were checked, before that was known, depends on how threads took turns: none counts.
    void conclude(std::vector<std::uint8_t>& state) {
        for (std::uint64_t node = vectors_.nodes(); node-- > 0;) {
            const bool by_itself = state[node] == checked_node && !any_above_hopeless(node);
            if (hopeless(node) && !by_itself) state[node] = hopeless_node;
        }
    }

private:
    const std::vector<Steps>& steps_;
    LevelVectors vectors_;
    std::unique_ptr<std::atomic<bool>[]> hopeless_;
    std::vector<std::uint64_t> wanted_before_;

    bool any_above_hopeless(std::uint64_t node) const {
        for (std::size_t column = 0; column < steps_.size(); ++column) {
            const std::uint64_t weight = vectors_.weight(column);
            const auto levels = static_cast<std::uint64_t>(steps_[column].height() + 1);
            if (node / weight % levels + 1 == levels) continue;
            if (hopeless_[node + weight].load(std::memory_order_relaxed)) return true;
        }
        return false;
    }
};

// What every requirement asks and can only get better with generalisation: the number of records, of different values and of
// people in the population.
// Where nothing may be suppressed that is all that is asked, since groups that hold still hold when they are brought together.
struct Floor {
    std::uint64_t k = ~std::uint64_t{0};
    std::vector<int> rules;

    explicit Floor(const LatticeQuestion& question) {
        for (const auto& requirement : question.requirements) k = std::min(k, requirement.k);
        for (std::size_t rule = 0; rule < question.rules.size(); ++rule)
            if (in_all(question, question.rules[rule])) rules.push_back(static_cast<int>(rule));
    }

private:
    static bool in_all(const LatticeQuestion& question, const Rule& rule) {
        if (question.limit > 0 && !fails_in_parts(rule)) return false;
        for (const auto& requirement : question.requirements) {
            bool asked = false;
            for (int other : requirement.rules) asked |= implies(question.rules[other], rule);
            if (!asked) return false;
        }
        return true;
    }
};

}  // namespace biombo
