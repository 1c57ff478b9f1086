// Every node of the generalisation lattice: a level for each quasi column.
//
// Codes are given out so that a step up a hierarchy keeps their order. Rows sorted by all columns therefore stay sorted
// before the column that takes the step: only runs that the step brings together must be merged, and behind the last column
// there is nothing to sort. Nodes are visited depth first, each from the node one step below it in the column that was
// raised last, so a node costs as much as that one has distinct tuples.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "cells.hpp"

namespace biombo {

// What a group must be, or else its records are suppressed.
struct Requirement {
    std::uint64_t k;   // records, at least
    std::uint64_t l;   // distinct values of the target, at least
    double entropy;    // of the target's values in bits, at least
    double top_share;  // of the target's most frequent value, at most
    double distance;   // total variation from the target's distribution in the table, at most
};

// One node under one requirement.
struct NodeOutcome {
    std::uint64_t suppressed = 0;  // records of the groups that fail
    std::uint64_t groups = 0;      // groups that are kept
    std::uint64_t top = 0;         // Σ top count of the target over kept groups
    double squares = 0;            // Σ size² over kept groups
};

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

// All nodes, each under all requirements. Of nodes that suppress no more than the limit, also what their suppressed
// records would have been, per column.
struct LatticeResult {
    std::size_t requirements;
    std::size_t columns;
    std::vector<NodeOutcome> outcomes;       // per node and requirement
    std::vector<double> suppressed_share;    // per node, requirement and column: Σ share of the domain
    std::vector<double> suppressed_entropy;  // per node, requirement and column: −Σ c log2(c / suppressed)

    LatticeResult(std::uint64_t nodes, std::size_t requirement_count, std::size_t column_count)
        : requirements(requirement_count),
          columns(column_count),
          outcomes(nodes * requirement_count),
          suppressed_share(nodes * requirement_count * column_count),
          suppressed_entropy(nodes * requirement_count * column_count) {}
};

// What one thread needs to visit nodes. Different nodes write to different places of the result.
template <int W>
class LatticeWorker {
public:
    LatticeWorker(const Layout& layout, const std::vector<Steps>& steps, const std::vector<Requirement>& requirements,
                  const std::vector<double>& target_shares, std::uint64_t limit, LatticeResult& result, Monitor& monitor)
        : layout_(layout),
          steps_(steps),
          vectors_(steps),
          requirements_(requirements),
          target_shares_(target_shares),
          limit_(limit),
          result_(result),
          monitor_(monitor),
          levels_(steps.size()) {
        Row<W> bits{};
        for (const Field& field : layout.quasi) {
            include(bits, field);
            up_to_.push_back(bits);
        }
        quasi_bits_ = bits;
        for (const Field& field : layout.target) include(bits, field);
        all_bits_ = bits;
        std::size_t depth = 2, most_codes = 1;
        for (const Steps& column : steps) {
            depth += column.up.size();
            most_codes = std::max(most_codes, column.share[0].size());
        }
        buffers_.resize(depth);
        histogram_.resize(most_codes);
        failing_.resize(requirements.size());
    }

    // Visits all nodes whose first columns have the levels given.
    void visit_from(const Row<W>* base, std::size_t n, const std::vector<int>& first_levels) {
        std::fill(levels_.begin(), levels_.end(), 0);
        Row<W>* rows = buffers_[0].reserve(n);
        std::copy_n(base, n, rows);
        std::uint64_t node = 0;
        for (std::size_t column = 0; column < first_levels.size(); ++column) {
            for (; levels_[column] < first_levels[column]; ++levels_[column]) n = raise(rows, n, column, rows);
            node += vectors_.weight(column) * static_cast<std::uint64_t>(levels_[column]);
        }
        visit(rows, n, node, first_levels.size(), 1);
    }

private:
    const Layout& layout_;
    const std::vector<Steps>& steps_;
    LevelVectors vectors_;
    const std::vector<Requirement>& requirements_;
    const std::vector<double>& target_shares_;
    std::uint64_t limit_;
    LatticeResult& result_;
    Monitor& monitor_;
    std::vector<int> levels_;
    std::vector<Row<W>> up_to_;  // per column: its bits and those of all before it
    Row<W> quasi_bits_;
    Row<W> all_bits_;
    std::vector<Buffer<W>> buffers_;
    Buffer<W> scratch_;
    std::vector<double> histogram_;
    std::vector<std::vector<const Row<W>*>> failing_;  // per requirement: the first row of each group that fails

    struct Features {
        std::uint64_t size = 0;
        std::uint64_t distinct = 0;
        std::uint64_t top = 0;
        double entropy = 0;
        double distance = 0;
    };

    void visit(const Row<W>* rows, std::size_t n, std::uint64_t node, std::size_t first, std::size_t depth) {
        monitor_.check();
        evaluate(rows, n, node);
        for (std::size_t column = first; column < steps_.size(); ++column) {
            if (levels_[column] == steps_[column].height()) continue;
            Row<W>* raised = buffers_[depth].reserve(n);
            const std::size_t fewer = raise(rows, n, column, raised);
            ++levels_[column];
            visit(raised, fewer, node + vectors_.weight(column), column, depth + 1);
            --levels_[column];
        }
    }

    // Takes one step in one column and merges what becomes equal; `out` may be the rows themselves.
    std::size_t raise(const Row<W>* rows, std::size_t n, std::size_t column, Row<W>* out) {
        const Field& field = layout_.quasi[column];
        const auto& up = steps_[column].up[levels_[column]];
        const bool last = column + 1 == steps_.size() && layout_.target.empty();
        std::size_t kept = 0;
        for (std::size_t i = 0; i < n;) {
            const std::uint64_t lowest = field.get(rows[i]);
            const Row<W> head = stepped(rows[i], field, up);
            std::uint64_t highest = lowest;
            std::size_t j = i;
            for (; j < n; ++j) {
                const Row<W> row = stepped(rows[j], field, up);
                if (!equal_in(row, head, up_to_[column])) break;
                highest = field.get(rows[j]);
                out[kept + j - i] = row;
            }
            const std::size_t run = j - i;
            if (lowest != highest) {
                if (!last) sort_rows(out + kept, scratch_.reserve(run), run, all_bits_);
                kept += merge_sorted(out + kept, run, all_bits_, layout_.count);
            } else {
                kept += run;
            }
            i = j;
        }
        return kept;
    }

    static Row<W> stepped(Row<W> row, const Field& field, const std::vector<std::uint32_t>& up) {
        const std::uint64_t code = up[field.get(row)];
        row.word[W == 1 ? 0 : field.word] &= ~field.mask();
        field.put(row, code);
        return row;
    }

    void evaluate(const Row<W>* rows, std::size_t n, std::uint64_t node) {
        for (auto& rows_of : failing_) rows_of.clear();
        NodeOutcome* outcomes = result_.outcomes.data() + node * requirements_.size();
        const Row<W>* end = rows + n;
        for (const Row<W>* first = rows; first != end;) {
            const Row<W>* next = first;
            const Features group = features(first, end, next);
            for (std::size_t r = 0; r < requirements_.size(); ++r) {
                if (!fulfils(group, requirements_[r])) {
                    outcomes[r].suppressed += group.size;
                    if (outcomes[r].suppressed <= limit_) failing_[r].push_back(first);
                    continue;
                }
                ++outcomes[r].groups;
                outcomes[r].top += group.top;
                outcomes[r].squares += static_cast<double>(group.size) * static_cast<double>(group.size);
            }
            first = next;
        }
        for (std::size_t r = 0; r < requirements_.size(); ++r)
            if (outcomes[r].suppressed > 0 && outcomes[r].suppressed <= limit_)
                describe_suppressed(r, node, outcomes[r].suppressed, end);
    }

    static bool fulfils(const Features& group, const Requirement& asked) {
        return group.size >= asked.k && group.distinct >= asked.l && group.entropy >= asked.entropy &&
               static_cast<double>(group.top) <= asked.top_share * static_cast<double>(group.size) &&
               group.distance <= asked.distance;
    }

    // The group that begins at `first`; `next` becomes the first row behind it.
    Features features(const Row<W>* first, const Row<W>* end, const Row<W>*& next) const {
        Features group;
        if (layout_.target.empty()) {
            for (next = first; next != end && equal_in(*next, *first, quasi_bits_); ++next)
                group.size += layout_.count.get(*next);
            group.distinct = 1;
            group.top = group.size;
            return group;
        }
        const Field& target = layout_.target[0];
        double logs = 0, covered = 0;
        for (next = first; next != end && equal_in(*next, *first, quasi_bits_);) {
            const std::uint64_t value = target.get(*next);
            std::uint64_t count = 0;
            for (; next != end && equal_in(*next, *first, quasi_bits_) && target.get(*next) == value; ++next)
                count += layout_.count.get(*next);
            group.size += count;
            ++group.distinct;
            group.top = std::max(group.top, count);
            logs += static_cast<double>(count) * std::log2(static_cast<double>(count));
            covered += target_shares_[value];
        }
        const double size = static_cast<double>(group.size);
        group.entropy = std::log2(size) - logs / size;
        group.distance = distance(first, next, size, covered);
        return group;
    }

    // Half of Σ |p − q|; values that the group lacks contribute their share in the table.
    double distance(const Row<W>* first, const Row<W>* next, double size, double covered) const {
        const Field& target = layout_.target[0];
        double sum = 1 - covered;
        for (const Row<W>* row = first; row != next;) {
            const std::uint64_t value = target.get(*row);
            double count = 0;
            for (; row != next && target.get(*row) == value; ++row) count += static_cast<double>(layout_.count.get(*row));
            sum += std::abs(count / size - target_shares_[value]);
        }
        return sum / 2;
    }

    void describe_suppressed(std::size_t requirement, std::uint64_t node, std::uint64_t suppressed, const Row<W>* end) {
        const std::size_t place = (node * requirements_.size() + requirement) * steps_.size();
        for (std::size_t column = 0; column < steps_.size(); ++column) {
            const Field& field = layout_.quasi[column];
            const auto& share = steps_[column].share[levels_[column]];
            double shares = 0;
            for (const Row<W>* first : failing_[requirement]) {
                const double size = records_of_group(first, end);
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

    double records_of_group(const Row<W>* first, const Row<W>* end) const {
        std::uint64_t size = 0;
        for (const Row<W>* row = first; row != end && equal_in(*row, *first, quasi_bits_); ++row)
            size += layout_.count.get(*row);
        return static_cast<double>(size);
    }
};

class Lattice {
public:
    virtual ~Lattice() = default;
    virtual std::size_t size() const = 0;
    virtual LatticeResult sweep(const std::vector<Requirement>& requirements, std::uint64_t limit, int threads,
                                Monitor& monitor) const = 0;
};

template <int W>
class LatticeOf final : public Lattice {
public:
    LatticeOf(const Layout& layout, std::vector<Steps> steps, std::vector<double> target_shares, Buffer<W> rows)
        : layout_(layout), steps_(std::move(steps)), target_shares_(std::move(target_shares)), rows_(std::move(rows)) {}

    std::size_t size() const override { return rows_.size(); }

    LatticeResult sweep(const std::vector<Requirement>& requirements, std::uint64_t limit, int threads,
                        Monitor& monitor) const override {
        LatticeResult result(LevelVectors(steps_).nodes(), requirements.size(), steps_.size());
        const auto tasks = first_levels(static_cast<std::size_t>(16 * threads));
        std::vector<LatticeWorker<W>> workers;
        for (int i = 0; i < threads; ++i)
            workers.emplace_back(layout_, steps_, requirements, target_shares_, limit, result, monitor);
        for_each_task(threads, tasks.size(), monitor, [&](int worker, std::size_t task) {
            workers[worker].visit_from(rows_.data(), rows_.size(), tasks[task]);
            monitor.advance(1.0 / static_cast<double>(tasks.size()));
        });
        return result;
    }

private:
    Layout layout_;
    std::vector<Steps> steps_;
    std::vector<double> target_shares_;
    Buffer<W> rows_;

    // The levels of as many first columns as it takes to make enough tasks, the least general, which are the largest, first.
    std::vector<std::vector<int>> first_levels(std::size_t enough) const {
        std::vector<std::vector<int>> tasks = {{}};
        for (std::size_t column = 0; column < steps_.size() && tasks.size() < enough; ++column) {
            std::vector<std::vector<int>> longer;
            for (int level = 0; level <= steps_[column].height(); ++level)
                for (const auto& levels : tasks) {
                    longer.push_back(levels);
                    longer.back().push_back(level);
                }
            tasks = std::move(longer);
        }
        return tasks;
    }
};

inline std::unique_ptr<Lattice> count_lattice(const Table& table, std::vector<Steps> steps,
                                              std::vector<double> target_shares, int threads, Monitor& monitor) {
    const Layout layout(cardinalities(table.quasi), cardinalities(table.targets));
    return with_width(layout.words, [&](auto width) -> std::unique_ptr<Lattice> {
        constexpr int W = width();
        auto rows = count_rows<W>(table, layout, threads, monitor);
        return std::make_unique<LatticeOf<W>>(layout, std::move(steps), std::move(target_shares), std::move(rows));
    });
}

}  // namespace biombo
