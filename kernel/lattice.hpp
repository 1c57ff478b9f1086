// The generalisation lattice: a node is a level for each quasi column.
//
// Nodes are visited depth first, column by column, each from a table that is one step below it in one column. Levels are taken
// from the highest down, so that all nodes above a node come before it. Where too many records are in groups that no
// generalisation below can make larger, everything below is left out: a node is hopeless when one above it is, and so
// is every node under a prefix of levels whose groups are too small even with all other columns at their top.
#pragma once

#include <atomic>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "cells.hpp"
#include "roll_up.hpp"
#include "rules.hpp"

namespace biombo {

// The steps of one column's hierarchy.
struct Steps {
    std::vector<std::vector<std::uint32_t>> up;  // per level: the next level's code of each code, in ascending order
    std::vector<std::vector<double>> share;      // per level: the share of the domain under each code

    int height() const { return static_cast<int>(up.size()); }
};

// Nodes are numbered by their levels, the last column's turning fastest.
class LevelVectors {
public:
    explicit LevelVectors(const std::vector<Steps>& steps) : weights_(steps.size()) {
        for (std::size_t column = steps.size(); column-- > 0;) {
            weights_[column] = nodes_;
            nodes_ *= static_cast<std::uint64_t>(steps[column].height() + 1);
        }
    }

    std::uint64_t nodes() const { return nodes_; }
    std::uint64_t weight(std::size_t column) const { return weights_[column]; }

private:
    std::uint64_t nodes_ = 1;
    std::vector<std::uint64_t> weights_;
};

// One node under one requirement.
struct NodeOutcome {
    std::uint64_t suppressed = 0;  // records of the groups that fail
    std::uint64_t groups = 0;      // groups that are kept
    double squares = 0;            // Σ size² over kept groups
};

// What is asked of a sweep.
struct LatticeQuestion {
    std::vector<Requirement> requirements;
    std::vector<Rule> rules;
    std::uint64_t limit;            // records that may be suppressed
    bool describe;                  // say what the suppressed records would have been
    bool tops;                      // say how frequent the targets' top values are
    std::vector<bool> wanted;       // per node; none: all
    std::vector<bool> hopeless;     // per node: known from before; none: nothing is known
    double seconds;                 // after which no new node is begun; 0: never
};

enum NodeState : std::uint8_t { unknown_node, checked_node, hopeless_node };

struct LatticeResult {
    std::size_t requirements, columns, targets;
    std::vector<std::uint8_t> state;         // per node
    std::vector<NodeOutcome> outcomes;       // per node and requirement
    std::vector<std::uint64_t> tops;         // per node, requirement and target: Σ top count over kept groups
    std::vector<double> suppressed_share;    // per node, requirement and column: Σ share of the domain
    std::vector<double> suppressed_entropy;  // per node, requirement and column: −Σ c log2(c / suppressed)

    LatticeResult(std::uint64_t nodes, const LatticeQuestion& question, std::size_t column_count, std::size_t target_count)
        : requirements(question.requirements.size()),
          columns(column_count),
          targets(question.tops ? target_count : 0),
          state(nodes),
          outcomes(nodes * requirements),
          tops(nodes * requirements * targets),
          suppressed_share(question.describe ? nodes * requirements * columns : 0),
          suppressed_entropy(suppressed_share.size()) {}
};

// Which nodes are asked for, and which are known to be hopeless. Shared by all threads.
class Pruning {
public:
    Pruning(const std::vector<Steps>& steps, const LatticeQuestion& question)
        : steps_(steps), vectors_(steps), hopeless_(std::make_unique<std::atomic<bool>[]>(vectors_.nodes())) {
        wanted_before_.push_back(0);
        for (std::uint64_t node = 0; node < vectors_.nodes(); ++node) {
            wanted_before_.push_back(wanted_before_.back() + (question.wanted.empty() || question.wanted[node]));
            hopeless_[node] = !question.hopeless.empty() && question.hopeless[node];
        }
    }

    bool any_wanted(std::uint64_t first, std::uint64_t number) const {
        return wanted_before_[first + number] != wanted_before_[first];
    }

    void give_up(std::uint64_t node) { hopeless_[node].store(true, std::memory_order_relaxed); }

    // Is the node, or one a step above it, known to be hopeless?
    bool hopeless(std::uint64_t node) {
        if (hopeless_[node].load(std::memory_order_relaxed)) return true;
        for (std::size_t column = 0; column < steps_.size(); ++column) {
            const std::uint64_t weight = vectors_.weight(column);
            const auto levels = static_cast<std::uint64_t>(steps_[column].height() + 1);
            if (node / weight % levels + 1 == levels) continue;
            if (hopeless_[node + weight].load(std::memory_order_relaxed)) {
                give_up(node);
                return true;
            }
        }
        return false;
    }

    // Says of the nodes that were not checked whether it is because they are hopeless.
    void conclude(std::vector<std::uint8_t>& state) {
        for (std::uint64_t node = vectors_.nodes(); node-- > 0;)
            if (hopeless(node) && state[node] == unknown_node) state[node] = hopeless_node;
    }

private:
    const std::vector<Steps>& steps_;
    LevelVectors vectors_;
    std::unique_ptr<std::atomic<bool>[]> hopeless_;
    std::vector<std::uint64_t> wanted_before_;
};

// What holds under every requirement and can only get better with generalisation.
struct Floor {
    std::uint64_t k = ~std::uint64_t{0};
    std::vector<int> distinct;  // rules

    explicit Floor(const LatticeQuestion& question) {
        for (const auto& requirement : question.requirements) k = std::min(k, requirement.k);
        for (std::size_t rule = 0; rule < question.rules.size(); ++rule)
            if (in_all(question, question.rules[rule])) distinct.push_back(static_cast<int>(rule));
    }

private:
    static bool in_all(const LatticeQuestion& question, const Rule& rule) {
        if (rule.kind != RuleKind::distinct) return false;
        for (const auto& requirement : question.requirements) {
            bool as_strict = false;
            for (int other : requirement.rules) {
                const Rule& asked = question.rules[other];
                as_strict |= asked.kind == rule.kind && asked.target == rule.target && asked.bound >= rule.bound;
            }
            if (!as_strict) return false;
        }
        return true;
    }
};

// What one thread needs to visit nodes. Different nodes write to different places of the result.
template <int W>
class LatticeWorker {
public:
    LatticeWorker(const Layout& layout, const std::vector<Steps>& steps, const std::vector<TargetValues>& targets,
                  const LatticeQuestion& question, Pruning& pruning, LatticeResult& result, Monitor& monitor)
        : layout_(layout),
          steps_(steps),
          vectors_(steps),
          question_(question),
          floor_(question),
          pruning_(pruning),
          result_(result),
          monitor_(monitor),
          judge_(layout.target, layout.count, targets, question.rules),
          levels_(steps.size()),
          tables_(steps.size()),
          failing_(question.requirements.size()) {
        Row<W> bits{};
        std::size_t most_codes = 1;
        for (std::size_t column = 0; column < steps.size(); ++column) {
            include(bits, layout.quasi[column]);
            up_to_.push_back(bits);
            tables_[column].resize(steps[column].up.size());
            most_codes = std::max(most_codes, steps[column].share[0].size());
        }
        quasi_bits_ = bits;
        for (const Field& field : layout.target) include(bits, field);
        roll_up_ = RollUp<W>(bits, layout.count);
        histogram_.resize(most_codes);
    }

    // Visits all nodes whose first columns have the levels given.
    void visit_from(const Row<W>* base, std::size_t n, const std::vector<int>& first_levels) {
        std::fill(levels_.begin(), levels_.end(), 0);
        std::uint64_t node = 0;
        for (std::size_t column = 0; column < first_levels.size(); ++column)
            node += vectors_.weight(column) * static_cast<std::uint64_t>(first_levels[column]);
        const std::uint64_t below = first_levels.empty() ? vectors_.nodes() : vectors_.weight(first_levels.size() - 1);
        if (!pruning_.any_wanted(node, below) || pruning_.hopeless(node + below - 1)) return;
        const Row<W>* rows = base;
        for (std::size_t column = 0; column < first_levels.size(); ++column)
            for (; levels_[column] < first_levels[column]; ++levels_[column]) {
                Row<W>* raised = start_.reserve(rows == base ? n : 0);
                n = raise(rows, n, column, raised);
                rows = raised;
            }
        if (first_levels.empty()) {
            visit(rows, n, node, 0);
        } else {
            enter(rows, n, node, first_levels.size() - 1);
        }
    }

private:
    struct Level {
        Buffer<W> rows;
        std::size_t n = 0;
    };

    const Layout& layout_;
    const std::vector<Steps>& steps_;
    LevelVectors vectors_;
    const LatticeQuestion& question_;
    Floor floor_;
    Pruning& pruning_;
    LatticeResult& result_;
    Monitor& monitor_;
    GroupJudge<W> judge_;
    std::vector<int> levels_;
    std::vector<Row<W>> up_to_;  // per column: its bits and those of all before it
    Row<W> quasi_bits_;
    RollUp<W> roll_up_{Row<W>{}, Field{}};
    Buffer<W> start_;
    std::vector<std::vector<Level>> tables_;  // per column and level above 0, while deeper columns are visited
    std::vector<double> histogram_;
    std::vector<std::vector<const Row<W>*>> failing_;  // per requirement: the first row of each group that fails

    // All nodes whose columns before `column` have the levels of now; `rows` have all others at level 0.
    void visit(const Row<W>* rows, std::size_t n, std::uint64_t node, std::size_t column) {
        if (column == steps_.size()) {
            evaluate(rows, n, node);
            return;
        }
        const std::uint64_t weight = vectors_.weight(column);
        int highest = steps_[column].height();
        while (highest >= 0 && !pruning_.any_wanted(node + weight * static_cast<std::uint64_t>(highest), weight)) --highest;
        auto& above = tables_[column];
        for (levels_[column] = 0; levels_[column] < highest; ++levels_[column]) {
            const int level = levels_[column];
            const Row<W>* from = level == 0 ? rows : above[level - 1].rows.data();
            const std::size_t size = level == 0 ? n : above[level - 1].n;
            above[level].n = raise(from, size, column, above[level].rows.reserve(size));
        }
        for (int level = highest; level >= 0; --level) {
            levels_[column] = level;
            const Row<W>* table = level == 0 ? rows : above[level - 1].rows.data();
            const std::size_t size = level == 0 ? n : above[level - 1].n;
            if (!enter(table, size, node + weight * static_cast<std::uint64_t>(level), column)) break;
        }
        levels_[column] = 0;
    }

    // All nodes with the levels of now up to `column`; false when they and all with a lower level are hopeless.
    bool enter(const Row<W>* rows, std::size_t n, std::uint64_t node, std::size_t column) {
        const std::uint64_t below = vectors_.weight(column);
        if (!pruning_.any_wanted(node, below)) return true;
        monitor_.check();
        if (monitor_.expired()) return false;
        const std::uint64_t top = node + below - 1;
        if (pruning_.hopeless(top)) return false;
        if (below > 1 && too_small(rows, n, up_to_[column])) {
            pruning_.give_up(top);
            return false;
        }
        visit(rows, n, node, column + 1);
        return true;
    }

    std::size_t raise(const Row<W>* rows, std::size_t n, std::size_t column, Row<W>* out) {
        return roll_up_.run(rows, n, layout_.quasi[column], steps_[column].up[levels_[column]], up_to_[column], out);
    }

    // The group that begins at `first`: its records, and in `next` the first row behind it.
    std::uint64_t group(const Row<W>* first, const Row<W>* end, const Row<W>& bits, const Row<W>*& next) const {
        std::uint64_t size = 0;
        for (next = first; next != end && equal_in(*next, *first, bits); ++next) size += layout_.count.get(*next);
        return size;
    }

    // Is more than the limit in groups that fail what every requirement asks?
    bool too_small(const Row<W>* rows, std::size_t n, const Row<W>& bits) {
        std::uint64_t small = 0;
        const Row<W>* end = rows + n;
        for (const Row<W>*first = rows, *next; first != end && small <= question_.limit; first = next) {
            const std::uint64_t size = group(first, end, bits, next);
            if (!reaches_floor(first, next, size)) small += size;
        }
        return small > question_.limit;
    }

    bool reaches_floor(const Row<W>* first, const Row<W>* next, std::uint64_t size) {
        if (size < floor_.k) return false;
        if (floor_.distinct.empty()) return true;
        judge_.open(first, next);
        for (int rule : floor_.distinct)
            if (!judge_.holds(rule)) return false;
        return true;
    }

    void evaluate(const Row<W>* rows, std::size_t n, std::uint64_t node) {
        for (auto& rows_of : failing_) rows_of.clear();
        NodeOutcome* outcomes = result_.outcomes.data() + node * result_.requirements;
        std::uint64_t small = 0;
        const Row<W>* end = rows + n;
        for (const Row<W>*first = rows, *next; first != end; first = next) {
            const std::uint64_t size = group(first, end, quasi_bits_, next);
            if (!reaches_floor(first, next, size)) {
                small += size;
                for (std::size_t r = 0; r < result_.requirements; ++r) suppress(outcomes, r, first, size);
                continue;
            }
            if (floor_.distinct.empty()) judge_.open(first, next);
            for (std::size_t r = 0; r < result_.requirements; ++r) {
                if (fulfils(size, question_.requirements[r])) {
                    keep(outcomes[r], r, node, size);
                } else {
                    suppress(outcomes, r, first, size);
                }
            }
        }
        if (small > question_.limit) pruning_.give_up(node);
        if (question_.describe)
            for (std::size_t r = 0; r < result_.requirements; ++r)
                if (outcomes[r].suppressed > 0 && outcomes[r].suppressed <= question_.limit)
                    describe_suppressed(r, node, outcomes[r].suppressed, end);
        result_.state[node] = checked_node;
    }

    bool fulfils(std::uint64_t size, const Requirement& asked) {
        if (size < asked.k) return false;
        for (int rule : asked.rules)
            if (!judge_.holds(rule)) return false;
        return true;
    }

    void keep(NodeOutcome& outcome, std::size_t requirement, std::uint64_t node, std::uint64_t size) {
        ++outcome.groups;
        outcome.squares += static_cast<double>(size) * static_cast<double>(size);
        auto* tops = result_.tops.data() + (node * result_.requirements + requirement) * result_.targets;
        for (std::size_t target = 0; target < result_.targets; ++target) tops[target] += judge_.top(static_cast<int>(target));
    }

    void suppress(NodeOutcome* outcomes, std::size_t requirement, const Row<W>* first, std::uint64_t size) {
        outcomes[requirement].suppressed += size;
        if (question_.describe && outcomes[requirement].suppressed <= question_.limit) failing_[requirement].push_back(first);
    }

    void describe_suppressed(std::size_t requirement, std::uint64_t node, std::uint64_t suppressed, const Row<W>* end) {
        const std::size_t place = (node * result_.requirements + requirement) * steps_.size();
        for (std::size_t column = 0; column < steps_.size(); ++column) {
            const Field& field = layout_.quasi[column];
            const auto& share = steps_[column].share[levels_[column]];
            double shares = 0;
            const Row<W>* next;
            for (const Row<W>* first : failing_[requirement]) {
                const auto size = static_cast<double>(group(first, end, quasi_bits_, next));
                shares += size * share[field.get(*first)];
                histogram_[field.get(*first)] += size;
            }
            double entropy = 0;
            for (const Row<W>* first : failing_[requirement]) {
                double& count = histogram_[field.get(*first)];
                if (count > 0) entropy -= count * std::log2(count / static_cast<double>(suppressed));
                count = 0;
            }
            result_.suppressed_share[place + column] = shares;
            result_.suppressed_entropy[place + column] = entropy;
        }
    }
};

// The groups of the lowest node, and what each rule finds in them.
struct JudgedGroups {
    std::vector<std::uint32_t> codes;  // per group and column
    std::vector<std::uint64_t> size;
    std::vector<double> value;         // per group and rule
    std::vector<std::uint8_t> holds;   // per group and rule
    std::vector<std::uint64_t> top;    // per group and target
};

class Lattice {
public:
    virtual ~Lattice() = default;
    virtual std::size_t size() const = 0;
    virtual std::size_t columns() const = 0;
    virtual std::size_t targets() const = 0;
    virtual std::uint64_t nodes() const = 0;
    virtual LatticeResult sweep(const LatticeQuestion& question, int threads, Monitor& monitor) const = 0;
    virtual JudgedGroups judge(const std::vector<Rule>& rules, Monitor& monitor) const = 0;
};

template <int W>
class LatticeOf final : public Lattice {
public:
    LatticeOf(const Layout& layout, std::vector<Steps> steps, std::vector<TargetValues> targets, Buffer<W> rows)
        : layout_(layout), steps_(std::move(steps)), targets_(std::move(targets)), rows_(std::move(rows)) {}

    std::size_t size() const override { return rows_.size(); }
    std::size_t columns() const override { return steps_.size(); }
    std::size_t targets() const override { return targets_.size(); }
    std::uint64_t nodes() const override { return LevelVectors(steps_).nodes(); }

    LatticeResult sweep(const LatticeQuestion& question, int threads, Monitor& monitor) const override {
        LatticeResult result(nodes(), question, steps_.size(), targets_.size());
        Pruning pruning(steps_, question);
        const auto tasks = first_levels(static_cast<std::size_t>(16 * threads));
        std::vector<std::unique_ptr<LatticeWorker<W>>> workers;
        for (int i = 0; i < threads; ++i)
            workers.push_back(
                std::make_unique<LatticeWorker<W>>(layout_, steps_, targets_, question, pruning, result, monitor));
        if (question.seconds > 0) monitor.expire_in(question.seconds);
        for_each_task(threads, tasks.size(), monitor, [&](int worker, std::size_t task) {
            if (!monitor.expired()) workers[worker]->visit_from(rows_.data(), rows_.size(), tasks[task]);
            monitor.advance(1.0 / static_cast<double>(tasks.size()));
        });
        pruning.conclude(result.state);
        return result;
    }

    JudgedGroups judge(const std::vector<Rule>& rules, Monitor& monitor) const override {
        JudgedGroups groups;
        GroupJudge<W> judge(layout_.target, layout_.count, targets_, rules);
        Row<W> bits{};
        for (const Field& field : layout_.quasi) include(bits, field);
        const Row<W>* end = rows_.data() + rows_.size();
        for (const Row<W>*first = rows_.data(), *next; first != end; first = next) {
            monitor.check();
            std::uint64_t size = 0;
            for (next = first; next != end && equal_in(*next, *first, bits); ++next) size += layout_.count.get(*next);
            judge.open(first, next);
            groups.size.push_back(size);
            for (const Field& field : layout_.quasi) groups.codes.push_back(static_cast<std::uint32_t>(field.get(*first)));
            for (int rule = 0; rule < static_cast<int>(rules.size()); ++rule) {
                groups.value.push_back(judge.value(rule));
                groups.holds.push_back(judge.holds(rule));
            }
            for (int target = 0; target < static_cast<int>(targets_.size()); ++target) groups.top.push_back(judge.top(target));
        }
        return groups;
    }

private:
    Layout layout_;
    std::vector<Steps> steps_;
    std::vector<TargetValues> targets_;
    Buffer<W> rows_;

    // The levels of as many first columns as it takes to make enough tasks, the highest first: what they find to be hopeless
    // spares the others work.
    std::vector<std::vector<int>> first_levels(std::size_t enough) const {
        std::vector<std::vector<int>> tasks = {{}};
        for (std::size_t column = 0; column < steps_.size() && tasks.size() < enough; ++column) {
            std::vector<std::vector<int>> longer;
            for (const auto& levels : tasks)
                for (int level = steps_[column].height(); level >= 0; --level) {
                    longer.push_back(levels);
                    longer.back().push_back(level);
                }
            tasks = std::move(longer);
        }
        return tasks;
    }
};

inline std::unique_ptr<Lattice> count_lattice(const Table& table, std::vector<Steps> steps, std::vector<TargetValues> targets,
                                              int threads, Monitor& monitor) {
    const Layout layout(cardinalities(table.quasi), cardinalities(table.targets));
    return with_width(layout.words, [&](auto width) -> std::unique_ptr<Lattice> {
        constexpr int W = width();
        auto rows = count_rows<W>(table, layout, threads, monitor);
        return std::make_unique<LatticeOf<W>>(layout, std::move(steps), std::move(targets), std::move(rows));
    });
}

}  // namespace biombo
