// The distinct rows of a population and of a sample of it, told apart by a flag, and what is read off them.
#pragma once

#include "cells.hpp"
#include "membership.hpp"

namespace biombo {

// The groups of some quasi columns that have someone of the sample.
struct SampledGroups {
    std::vector<std::uint64_t> n;      // people in the population
    std::vector<std::uint64_t> d;      // people in the sample
    std::vector<std::uint32_t> codes;  // per group and column
};

struct MembershipResult {
    std::vector<std::uint64_t> subset;  // per node; bit i is quasi column i
    MembershipTally tally;
};

class SampledCells {
public:
    virtual ~SampledCells() = default;
    virtual std::size_t size() const = 0;
    virtual std::size_t quasi() const = 0;
    virtual MembershipResult sweep(int max_size, int threads, Monitor& monitor) const = 0;
    virtual SampledGroups groups(const std::vector<int>& quasi, int threads, Monitor& monitor) const = 0;
};

template <int W>
class SampledCellsOf final : public SampledCells {
public:
    SampledCellsOf(const Layout& layout, Buffer<W> rows) : layout_(layout), rows_(std::move(rows)) {}

    std::size_t size() const override { return distinct(layout_, rows_); }
    std::size_t quasi() const override { return layout_.quasi.size(); }

    MembershipResult sweep(int max_size, int threads, Monitor& monitor) const override {
        const SubsetTree tree(static_cast<int>(layout_.quasi.size()), max_size);
        Sweep<W, MembershipFinding<W>> sweep(layout_, tree, threads, monitor,
                                             [&] { return MembershipFinding<W>(layout_, tree); });
        sweep.run(rows_.data(), rows_.size(), {true});
        return {tree.subsets(), sweep.total(MembershipTally(tree.nodes()))};
    }

    SampledGroups groups(const std::vector<int>& quasi, int threads, Monitor& monitor) const override {
        Row<W> group_bits{};
        for (int column : quasi) include(group_bits, layout_.quasi.at(column));
        Row<W> bits = group_bits;
        include(bits, layout_.target[0]);
        const auto rows = Counting<W>(bits, layout_.count, threads, monitor).run(rows_.size(), copy_of(rows_.data()));
        SampledGroups groups;
        const Row<W>* end = rows.data() + rows.size();
        for (const Row<W>* row = rows.data(); row != end;) {
            const Row<W>* first = row;
            std::uint64_t people[2] = {0, 0};
            for (; row != end && equal_in(*row, *first, group_bits); ++row)
                people[layout_.target[0].get(*row)] += layout_.count.get(*row);
            if (people[1] == 0) continue;
            groups.n.push_back(people[0]);
            groups.d.push_back(people[1]);
            for (int column : quasi)
                groups.codes.push_back(static_cast<std::uint32_t>(layout_.quasi[column].get(*first)));
        }
        return groups;
    }

private:
    Layout layout_;
    Buffer<W> rows_;
};

// Counts both tables; the columns of the two agree in order and coding.
inline std::unique_ptr<SampledCells> count_sampled(const Table& population, const Table& sample, int threads,
                                                   Monitor& monitor) {
    const Extent extent{population.rows + sample.rows, checked_sum(records(population), records(sample))};
    const Layout layout(cardinalities(population.quasi), {2}, extent);
    return with_width(layout.words, [&](auto width) -> std::unique_ptr<SampledCells> {
        constexpr int W = width();
        Row<W> bits{};
        for (const Field& field : layout.quasi) include(bits, field);
        include(bits, layout.target[0]);
        const Producer<W> of_population = packed<W>(population, layout);
        const Producer<W> of_sample = packed<W>(sample, layout);
        const Producer<W> both = [&](std::size_t begin, std::size_t n, Block<W>& out) {
            if (begin < population.rows) {
                const std::size_t here = std::min(n, population.rows - begin);
                of_population(begin, here, out);
                begin += here;
                n -= here;
            }
            if (n == 0) return;
            const std::size_t first = out.size();
            of_sample(begin - population.rows, n, out);
            for (std::size_t i = first; i < out.size(); ++i) layout.target[0].put(out[i], 1);
        };
        auto rows = Counting<W>(bits, layout.count, threads, monitor).run(population.rows + sample.rows, both);
        return std::make_unique<SampledCellsOf<W>>(layout, std::move(rows));
    });
}

}  // namespace biombo
