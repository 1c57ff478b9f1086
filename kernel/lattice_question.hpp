// What is asked of a lattice of generalisations, and the answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

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
    std::uint64_t unique = 0;      // records of kept groups with one member: a record or, where people count, a person
    double picked = 0;             // Σ size / members over kept groups
    double squares = 0;            // Σ size² over kept groups
};

// How many groups have so many members.
struct SizeCount {
    std::uint64_t size, groups;
};

// What the kept groups of one node stand for. The volume of a group is the share of all combinations of values that it
// might be.
struct Volumes {
    double volume = 0;   // Σ size · volume
    double density = 0;  // Σ size · log2(size / volume)

    void operator+=(const Volumes& other) {
        volume += other.volume;
        density += other.density;
    }
};

// How likely the people of the population are in the table, by the kept groups of one node.
struct Presences {
    double likely = 0;          // Σ members · members / population
    std::uint64_t members = 0;  // Σ members
    double least = 1;           // the lowest members / population, 0 where a group of the population has nobody who is kept
};

// What is asked of a sweep.
struct LatticeQuestion {
    std::vector<Requirement> requirements;
    std::vector<Rule> rules;
    std::uint64_t limit;            // records that may be suppressed
    bool describe;                  // say what the suppressed records would have been
    bool tops;                      // say how frequent the targets' top values are
    int people;                     // the target whose different values are a group's members; -1: its records are
    bool sizes;                     // say how many members kept groups have, of nodes that do with the limit
    bool volumes;                   // say what the kept groups stand for
    bool presences;                 // say how likely people of the population are in the table
    std::vector<bool> wanted;       // per node; none: all
    std::vector<bool> hopeless;     // per node: known from before; none: nothing is known
    double seconds;                 // after which no new node is begun; 0: never
};

enum NodeState : std::uint8_t { unknown_node, checked_node, hopeless_node };

struct LatticeResult {
    std::size_t requirements, columns, targets;
    std::vector<std::uint8_t> state;         // per node
    std::vector<NodeOutcome> outcomes;       // per node and requirement
    std::vector<Volumes> volumes;            // per node and requirement, where asked for
    std::vector<Presences> presences;        // per node and requirement, where asked for
    std::vector<std::uint64_t> tops;         // per node, requirement and target: Σ top count over kept groups
    std::vector<std::vector<SizeCount>> sizes;  // per node and requirement, ascending
    std::vector<double> suppressed_share;    // per node, requirement and column: Σ share of the domain
    std::vector<double> suppressed_entropy;  // per node, requirement and column: −Σ c log2(c / suppressed)

    LatticeResult(std::uint64_t nodes, const LatticeQuestion& question, std::size_t column_count, std::size_t target_count)
        : requirements(question.requirements.size()),
          columns(column_count),
          targets(question.tops ? target_count : 0),
          state(nodes),
          outcomes(nodes * requirements),
          volumes(question.volumes ? nodes * requirements : 0),
          presences(question.presences ? nodes * requirements : 0),
          tops(nodes * requirements * targets),
          sizes(question.sizes ? nodes * requirements : 0),
          suppressed_share(question.describe ? nodes * requirements * columns : 0),
          suppressed_entropy(suppressed_share.size()) {}
};

}  // namespace biombo
