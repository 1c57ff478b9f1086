// What a sweep finds when a sample is held against its population: the groups' people in both, n and d.
//
// Rows carry a flag, their only target: 0 in the population, 1 in the sample. A group without anyone of the sample is closed
// at once: whoever falls into it or into a part of it is absent.
#pragma once

#include <array>
#include <cstdint>

#include "sweep.hpp"

namespace biombo {

// Sums over the groups of a node, and the highest d/n.
struct Membership {
    std::uint64_t groups = 0;         // with someone of the sample
    std::uint64_t found = 0;          // people of the sample whose group is in the population
    std::uint64_t not_found = 0;      // people of the sample whose group is not
    std::uint64_t absent = 0;         // people of the population whose group is not in the sample
    std::uint64_t right = 0;          // people of the population whose being in or out is guessed right: max(d, n − d)
    std::uint64_t certain = 0;        // people of the sample whose whole group is in it: d = n
    std::uint64_t unique = 0;         // people alone in the sample: d = 1
    std::uint64_t unique_found = 0;   // of them, those with n > 0
    std::uint64_t unique_both = 0;    // of them, those with n = 1
    std::uint64_t contradictions = 0; // groups with d > n > 0
    double share = 0;                 // sum of d · d/n
    double published = 0;             // sum of n/d
    double worst = 0;                 // highest d/n

    void add_group(std::uint64_t n, std::uint64_t d) {
        if (d == 0) {
            absent += n;
            right += n;
            return;
        }
        ++groups;
        unique += d == 1;
        if (n == 0) {
            not_found += d;
            return;
        }
        found += d;
        right += std::max(d, n - std::min(n, d));
        certain += d == n ? d : 0;
        unique_found += d == 1;
        unique_both += d == 1 && n == 1;
        contradictions += d > n;
        const double ratio = static_cast<double>(d) / static_cast<double>(n);
        share += static_cast<double>(d) * ratio;
        published += 1 / ratio;
        worst = std::max(worst, ratio);
    }

    void add(const Membership& other) {
        groups += other.groups;
        found += other.found;
        not_found += other.not_found;
        absent += other.absent;
        right += other.right;
        certain += other.certain;
        unique += other.unique;
        unique_found += other.unique_found;
        unique_both += other.unique_both;
        contradictions += other.contradictions;
        share += other.share;
        published += other.published;
        worst = std::max(worst, other.worst);
    }
};

class MembershipTally {
public:
    explicit MembershipTally(std::size_t nodes) : sums_(nodes) {}

    const Membership& of(std::size_t node) const { return sums_[node]; }
    void add_group(std::size_t node, std::uint64_t n, std::uint64_t d) { sums_[node].add_group(n, d); }
    void add(std::size_t node, const MembershipTally& other, std::size_t other_node) {
        sums_[node].add(other.sums_[other_node]);
    }

private:
    std::vector<Membership> sums_;
};

template <int W>
class MembershipFinding {
public:
    // Is anyone of the sample in the group?
    struct Open {
        bool sampled;
        explicit operator bool() const { return sampled; }
    };

    struct Summary {
        std::uint64_t n = 0;
        std::uint64_t d = 0;
    };

    MembershipFinding(const Layout& layout, const SubsetTree& tree)
        : layout_(layout), open_(tree.nodes()), closed_(tree.nodes()) {}

    const MembershipTally& open() const { return open_; }
    const MembershipTally& closed() const { return closed_; }

    void table(const Row<W>* rows, std::size_t n) {
        const Summary summary = people(rows, n);
        open_.add_group(0, summary.n, summary.d);
    }

    void single(const Group<W>& g, Open) {
        const Summary summary = people(g.rows, 1);
        closed_.add_group(g.node, summary.n, summary.d);
    }

    Summary summarise(const Group<W>& g, const Row<W>&, Open& open) {
        const Summary summary = people(g.rows, g.n);
        open.sampled = summary.d > 0;
        return summary;
    }

    void note(std::uint64_t node, const Summary& summary, Open, bool closed) {
        (closed ? closed_ : open_).add_group(node, summary.n, summary.d);
    }

    void include_values(Row<W>& bits, Open) const { include(bits, layout_.target[0]); }

    bool leaves(const Group<W>& g, const Field& field, int, Open) {
        if (field.low >= parts_.size()) return false;
        for (std::size_t i = 0; i < g.n; ++i) count(g.rows[i], parts_[field.get(g.rows[i])]);
        for (std::size_t i = 0; i < g.n; ++i) {
            Summary& part = parts_[field.get(g.rows[i])];
            if (part.n + part.d == 0) continue;
            open_.add_group(g.node, part.n, part.d);
            part = {};
        }
        return true;
    }

private:
    const Layout& layout_;
    MembershipTally open_;
    MembershipTally closed_;
    std::vector<Summary> parts_ = std::vector<Summary>(1 << 16);

    void count(const Row<W>& row, Summary& sums) const {
        (layout_.target[0].get(row) ? sums.d : sums.n) += layout_.count.get(row);
    }

    Summary people(const Row<W>* rows, std::size_t n) const {
        Summary sums;
        for (std::size_t i = 0; i < n; ++i) count(rows[i], sums);
        return sums;
    }
};

}  // namespace biombo
