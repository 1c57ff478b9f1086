// What the values of targets (sensitive columns, people) must be like within a group.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "row.hpp"

namespace biombo {

constexpr double tolerance = 1e-9;  // a bound is met when it is missed by no more than this
constexpr double infinity = std::numeric_limits<double>::infinity();

enum class RuleKind {
    distinct,
    entropy,
    recursive,
    top_share,
    value_share,
    distance,
    ordered_distance,
    gain,
    limited_gain,
    log_ratio,
    population,
    presence
};

struct Rule {
    RuleKind kind;
    int target;  // of no matter to what is asked about the population
    double bound;
    int tail;  // of a recursive rule: how many values an adversary must rule out, plus one; of presence: the target that names
               // people, -1 where each record is about somebody else
    std::vector<std::uint32_t> codes;  // of a value share: the values that it is about
};

inline bool is_lower_bound(const Rule& rule) {
    return rule.kind == RuleKind::distinct || rule.kind == RuleKind::entropy || rule.kind == RuleKind::population;
}

// Do all parts of a group that fails fail as well?
inline bool fails_in_parts(const Rule& rule) {
    return rule.kind == RuleKind::distinct || rule.kind == RuleKind::population;
}

inline bool is_strict(const Rule& rule) { return rule.kind == RuleKind::recursive || rule.kind == RuleKind::log_ratio; }

inline bool meets(const Rule& rule, double value) {
    if (is_lower_bound(rule)) return value >= rule.bound - tolerance;
    return is_strict(rule) ? value < rule.bound - tolerance : value <= rule.bound + tolerance;
}

// Does whatever meets `one` meet `other`?
inline bool implies(const Rule& one, const Rule& other) {
    if (one.kind != other.kind || one.target != other.target || one.tail != other.tail || one.codes != other.codes)
        return false;
    return is_lower_bound(one) ? one.bound >= other.bound : one.bound <= other.bound;
}

// What a group must be, or else its records are suppressed.
struct Requirement {
    std::uint64_t k;         // records, at least
    std::vector<int> rules;  // positions in the list of all rules
};

// A target's values in the whole table, and how far apart they are.
struct TargetValues {
    std::uint64_t cardinality;
    std::vector<double> share;                       // of each code among all records
    std::vector<std::vector<std::uint32_t>> levels;  // per level below the top of its hierarchy: the group of each code
    std::vector<std::uint32_t> order;                // the codes in ascending order; empty where they have none

    std::vector<std::vector<double>> level_shares() const {
        std::vector<std::vector<double>> shares;
        for (const auto& group_of : levels) {
            std::vector<double> of_level(group_of.empty() ? 0 : 1 + *std::max_element(group_of.begin(), group_of.end()));
            for (std::size_t code = 0; code < group_of.size(); ++code) of_level[group_of[code]] += share[code];
            shares.push_back(std::move(of_level));
        }
        return shares;
    }
};

// The values of one target in one group.
class TargetHistogram {
public:
    explicit TargetHistogram(const TargetValues& values)
        : values_(values), level_shares_(values.level_shares()), count_(values.cardinality) {
        std::size_t most = 0;
        for (const auto& shares : level_shares_) most = std::max(most, shares.size());
        in_level_.resize(most);
        for (double share : values.share) held_ += share > 0;
    }

    void clear() {
        for (auto code : present_) count_[code] = 0;
        present_.clear();
        size_ = 0;
    }

    void add(std::uint64_t code, std::uint64_t records) {
        if (count_[code] == 0) present_.push_back(static_cast<std::uint32_t>(code));
        count_[code] += records;
        size_ += records;
    }

    std::uint64_t top() const {
        std::uint64_t most = 0;
        for (auto code : present_) most = std::max(most, count_[code]);
        return most;
    }

    std::uint64_t distinct() const { return present_.size(); }
    std::uint64_t count(std::uint64_t code) const { return count_[code]; }

    double value(const Rule& rule) {
        switch (rule.kind) {
            case RuleKind::distinct:
                return static_cast<double>(distinct());
            case RuleKind::entropy:
                return entropy();
            case RuleKind::recursive:
                return top_to_tail(static_cast<std::size_t>(rule.tail));
            case RuleKind::top_share:
                return static_cast<double>(top()) / size();
            case RuleKind::value_share:
                return static_cast<double>(top_of(rule.codes)) / size();
            case RuleKind::distance:
                return distance();
            case RuleKind::ordered_distance:
                return ordered_distance();
            case RuleKind::gain:
                return gain(false);
            case RuleKind::limited_gain:
                return gain(true);
            default:
                return log_ratio();
        }
    }

private:
    const TargetValues& values_;
    std::vector<std::vector<double>> level_shares_;
    std::vector<std::uint64_t> count_;
    std::vector<std::uint32_t> present_;
    std::size_t held_ = 0;  // values that some record of the whole table has
    std::uint64_t size_ = 0;
    std::vector<double> in_level_;
    std::vector<std::uint64_t> descending_;

    double size() const { return static_cast<double>(size_); }
    double share(std::uint32_t code) const { return static_cast<double>(count_[code]) / size(); }

    std::uint64_t top_of(const std::vector<std::uint32_t>& codes) const {
        std::uint64_t most = 0;
        for (auto code : codes) most = std::max(most, count_[code]);
        return most;
    }

    // The largest (p − q) / q of a value, p its share here and q that in the whole table; `limited`: infinite where it is
    // above −ln q.
    double gain(bool limited) const {
        double most = 0;
        for (auto code : present_) {
            const double of_value = share(code) / values_.share[code] - 1;
            if (limited && of_value > -std::log(values_.share[code]) + tolerance) return infinity;
            most = std::max(most, of_value);
        }
        return most;
    }

    // The largest |log2 p / q| of a value; infinite where the group lacks one that the table has.
    double log_ratio() const {
        if (present_.size() < held_) return infinity;
        double most = 0;
        for (auto code : present_) most = std::max(most, std::abs(std::log2(share(code) / values_.share[code])));
        return most;
    }

    double entropy() const {
        double bits = 0;
        for (auto code : present_) bits -= share(code) * std::log2(share(code));
        return bits;
    }

    // The most frequent value against all from the `tail`-th on.
    double top_to_tail(std::size_t tail) {
        descending_.clear();
        for (auto code : present_) descending_.push_back(count_[code]);
        std::sort(descending_.begin(), descending_.end(), std::greater<>());
        if (descending_.size() < tail) return infinity;
        const auto rest = std::accumulate(descending_.begin() + static_cast<std::ptrdiff_t>(tail) - 1, descending_.end(),
                                          std::uint64_t{0});
        return static_cast<double>(descending_.front()) / static_cast<double>(rest);
    }

    // The earth mover's distance from the whole table where all steps of the hierarchy cost the same: every level below
    // the top adds half of Σ |p − q| over its groups. A single level gives total variation.
    double distance() {
        double sum = 0;
        for (std::size_t level = 0; level < level_shares_.size(); ++level) sum += level_distance(level);
        return sum / (2 * static_cast<double>(std::max<std::size_t>(level_shares_.size(), 1)));
    }

    double level_distance(std::size_t level) {
        const auto& group_of = values_.levels[level];
        for (auto code : present_) in_level_[group_of[code]] += share(code);
        double sum = 1;
        for (auto code : present_) {
            double& here = in_level_[group_of[code]];
            const double whole = level_shares_[level][group_of[code]];
            if (here > 0) sum += std::abs(here - whole) - whole;
            here = 0;
        }
        return sum;
    }

    double ordered_distance() const {
        double ahead = 0, sum = 0;
        for (auto code : values_.order) {
            ahead += share(code) - values_.share[code];
            sum += std::abs(ahead);
        }
        return values_.order.size() < 2 ? 0 : sum / static_cast<double>(values_.order.size() - 1);
    }
};

// Judges one group after the other; a target is only counted for rules that are asked about.
//
// Rows of the population have no values of other targets: they only count as people who might be meant.
template <int W>
class GroupJudge {
public:
    GroupJudge(const Layout& layout, const std::vector<TargetValues>& targets, const std::vector<Rule>& rules)
        : fields_(layout.target),
          count_(layout.count),
          population_(layout.population),
          rules_(rules),
          counted_(targets.size()),
          verdict_(rules.size()) {
        for (const auto& target : targets) histograms_.emplace_back(target);
        while (layout.has_population() && fields_[mark_] != population_) ++mark_;
    }

    void open(const Row<W>* first, const Row<W>* next) {
        first_ = first;
        next_ = next;
        std::fill(counted_.begin(), counted_.end(), false);
        std::fill(verdict_.begin(), verdict_.end(), unknown);
    }

    double value(int rule) {
        const Rule& asked = rules_[rule];
        if (asked.kind == RuleKind::population) return static_cast<double>(in_population());
        if (asked.kind == RuleKind::presence) return presence(asked.tail);
        return histogram(asked.target).value(asked);
    }

    // People of the population who look like the group.
    std::uint64_t in_population() { return histogram(mark_).count(1); }

    // Who is in the group: its records, or its people where a target names them.
    std::uint64_t members(int people) { return people < 0 ? histogram(mark_).count(0) : distinct(people); }

    // The share of those who look like the group who are in it.
    double presence(int people) { return static_cast<double>(members(people)) / static_cast<double>(in_population()); }

    bool holds(int rule) {
        if (verdict_[rule] == unknown) verdict_[rule] = meets(rules_[rule], value(rule)) ? yes : no;
        return verdict_[rule] == yes;
    }

    std::uint64_t top(int target) { return histogram(target).top(); }
    std::uint64_t distinct(int target) { return histogram(target).distinct(); }

private:
    enum Verdict : char { unknown, yes, no };

    const std::vector<Field>& fields_;
    const Field& count_;
    const Field& population_;
    int mark_ = 0;  // the target that marks rows of the population, where there are such
    const std::vector<Rule>& rules_;
    std::vector<TargetHistogram> histograms_;
    std::vector<bool> counted_;
    std::vector<Verdict> verdict_;
    const Row<W>* first_ = nullptr;
    const Row<W>* next_ = nullptr;

    TargetHistogram& histogram(int target) {
        auto& of_target = histograms_[target];
        if (!counted_[target]) {
            of_target.clear();
            const bool all = population_.low == 0 || target == mark_;
            for (const Row<W>* row = first_; row != next_; ++row)
                if (all || population_.get(*row) == 0) of_target.add(fields_[target].get(*row), count_.get(*row));
            counted_[target] = true;
        }
        return of_target;
    }
};

}  // namespace biombo
