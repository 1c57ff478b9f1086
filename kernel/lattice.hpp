// The generalisation lattice of a table: every combination of levels of its quasi columns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "cells.hpp"
#include "family_worker.hpp"
#include "lattice_worker.hpp"
#include "rules.hpp"

namespace biombo {

// The groups of the lowest node, and what each rule finds in them.
struct JudgedGroups {
    std::vector<std::uint32_t> codes;  // per group and column
    std::vector<std::uint64_t> size;
    std::vector<double> value;         // per group and rule
    std::vector<std::uint8_t> holds;   // per group and rule
    std::vector<std::uint64_t> top;    // per group and target
    std::vector<std::uint64_t> population;  // per group: people of the population who look so
};

class Lattice {
public:
    virtual ~Lattice() = default;
    virtual std::size_t size() const = 0;
    virtual std::size_t columns() const = 0;
    virtual const std::vector<TargetValues>& targets() const = 0;
    virtual std::uint64_t nodes() const = 0;
    virtual std::vector<int> heights() const = 0;
    virtual LatticeResult sweep(const LatticeQuestion& question, int threads, Monitor& monitor) const = 0;
    virtual LatticeResult check(const NodeFamilies& families, const LatticeQuestion& question, int threads,
                                Monitor& monitor) const = 0;
    virtual JudgedGroups judge(const std::vector<Rule>& rules, Monitor& monitor) const = 0;
};

template <int W>
class LatticeOf final : public Lattice {
public:
    // `population` is the target that marks rows of the population, -1 where there are none.
    LatticeOf(const Layout& layout, std::vector<Steps> steps, std::vector<TargetValues> targets, Buffer<W> rows,
              int population)
        : layout_(layout),
          steps_(std::move(steps)),
          targets_(std::move(targets)),
          rows_(std::move(rows)),
          first_(RowTable<W>{rows_.data(), rows_.size()}) {
        if (population >= 0) layout_.population = layout_.target[static_cast<std::size_t>(population)];
        if (steps_.size() > 1) make_first_tables();
    }

    std::size_t size() const override { return distinct(layout_, rows_); }
    std::size_t columns() const override { return steps_.size(); }
    const std::vector<TargetValues>& targets() const override { return targets_; }
    std::uint64_t nodes() const override { return LevelVectors(steps_).nodes(); }
    std::vector<int> heights() const override {
        std::vector<int> found;
        for (const Steps& column : steps_) found.push_back(column.height());
        return found;
    }

    LatticeResult sweep(const LatticeQuestion& question, int threads, Monitor& monitor) const override {
        LatticeResult result(nodes(), question, steps_.size(), targets_.size());
        Pruning pruning(steps_, question);
        const auto tasks = first_levels(static_cast<std::size_t>(16 * threads));
        std::vector<std::unique_ptr<LatticeWorker<W>>> workers;
        for (int i = 0; i < threads; ++i)
            workers.push_back(
                std::make_unique<LatticeWorker<W>>(layout_, steps_, targets_, first_, question, pruning, result, monitor));
        if (question.seconds > 0) monitor.expire_in(question.seconds);
        for_each_task(threads, tasks.size(), monitor, [&](int worker, std::size_t task) {
            if (!monitor.expired()) workers[worker]->visit_from(tasks[task]);
            monitor.advance(1.0 / static_cast<double>(tasks.size()));
        });
        pruning.conclude(result.state);
        return result;
    }

    LatticeResult check(const NodeFamilies& families, const LatticeQuestion& question, int threads,
                        Monitor& monitor) const override {
        std::call_once(codes_made_, [&] { codes_ = std::make_unique<LevelCodes>(steps_); });
        LatticeResult result(families.nodes.size(), question, steps_.size(), targets_.size());
        const RowTable<W> table{rows_.data(), rows_.size()};
        threads = std::min(threads, static_cast<int>(std::max<std::size_t>(families.ends.size(), 1)));
        std::vector<std::unique_ptr<FamilyWorker<W>>> workers;
        for (int i = 0; i < threads; ++i)
            workers.push_back(std::make_unique<FamilyWorker<W>>(layout_, steps_, targets_, table, *codes_, question, result,
                                                                monitor));
        if (question.seconds > 0) monitor.expire_in(question.seconds);
        for_each_task(threads, families.ends.size(), monitor,
                      [&](int worker, std::size_t family) { workers[worker]->visit(families, family); });
        return result;
    }

    JudgedGroups judge(const std::vector<Rule>& rules, Monitor& monitor) const override {
        JudgedGroups groups;
        GroupJudge<W> judge(layout_, targets_, rules);
        const Records records = layout_.records();
        Row<W> bits{};
        for (const Field& field : layout_.quasi) include(bits, field);
        const Row<W>* end = rows_.data() + rows_.size();
        for (const Row<W>*first = rows_.data(), *next; first != end; first = next) {
            monitor.check();
            std::uint64_t size = 0;
            for (next = first; next != end && equal_in(*next, *first, bits); ++next) size += records.get(*next);
            judge.open(first, next);
            groups.size.push_back(size);
            for (const Field& field : layout_.quasi) groups.codes.push_back(static_cast<std::uint32_t>(field.get(*first)));
            for (int rule = 0; rule < static_cast<int>(rules.size()); ++rule) {
                groups.value.push_back(judge.value(rule));
                groups.holds.push_back(judge.holds(rule));
            }
            for (int target = 0; target < static_cast<int>(targets_.size()); ++target) groups.top.push_back(judge.top(target));
            if (layout_.has_population()) groups.population.push_back(judge.in_population());
        }
        return groups;
    }

private:
    Layout layout_;
    std::vector<Steps> steps_;
    std::vector<TargetValues> targets_;
    Buffer<W> rows_;
    LevelTables<W> first_;  // of the first column: they serve all sweeps
    mutable std::once_flag codes_made_;
    mutable std::unique_ptr<LevelCodes> codes_;  // once single nodes are asked for

    void make_first_tables() {
        Row<W> first{}, all{};
        include(first, layout_.quasi[0]);
        for (const Field& field : layout_.quasi) include(all, field);
        for (const Field& field : layout_.target) include(all, field);
        RollUp<W> roll_up(all, layout_.count);
        first_.make(first_.at(0), layout_.quasi[0], steps_[0].up, first, steps_[0].height(), roll_up);
        first_.shrink();
    }

    // The levels of as many first columns as it takes to make enough tasks, the highest first: what they find to be hopeless
    // spares the others work.
    std::vector<std::vector<int>> first_levels(std::size_t enough) const {
        std::vector<std::vector<int>> tasks = {{}};
        for (std::size_t column = 0; column + 1 < steps_.size() && tasks.size() < enough; ++column) {
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
                                              int population, int threads, Monitor& monitor) {
    const Layout layout = layout_of(table);
    return with_width(layout.words, [&](auto width) -> std::unique_ptr<Lattice> {
        constexpr int W = width();
        auto rows = count_rows<W>(table, layout, threads, monitor);
        return std::make_unique<LatticeOf<W>>(layout, std::move(steps), std::move(targets), std::move(rows), population);
    });
}

}  // namespace biombo
