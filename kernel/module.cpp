// What Python sees of the kernel. No rules of privacy here, nor in the headers: only counting.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <optional>

#include "cells.hpp"
#include "lattice.hpp"
#include "local_recoding.hpp"
#include "packed_tuples.hpp"
#include "patterns.hpp"
#include "row_groups.hpp"
#include "sampled_cells.hpp"
#include "top_down.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace biombo {
namespace {

using Codes = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Keep = nb::ndarray<bool, nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Counts = nb::ndarray<std::uint64_t, nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<double, nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Places = nb::ndarray<std::int64_t, nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Levels = nb::ndarray<std::uint16_t, nb::ro, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class Number>
auto to_array(std::vector<Number>&& values, std::size_t columns = 1) {
    auto* owned = new std::vector<Number>(std::move(values));
    nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<Number>*>(p); });
    return nb::ndarray<nb::numpy, Number, nb::ndim<2>>(owned->data(), {owned->size() / columns, columns}, owner);
}

Column column_of(const Codes& codes, std::uint64_t cardinality, std::size_t rows) {
    const auto type = codes.dtype();
    if (type.code != static_cast<std::uint8_t>(nb::dlpack::dtype_code::UInt) || type.bits > 32)
        throw nb::type_error("codes must be unsigned integers of 8, 16 or 32 bits");
    if (codes.shape(0) != rows) throw nb::value_error("all columns must have as many rows");
    const Column column{codes.data(), type.bits / 8, cardinality};
    if (!column.within_cardinality(rows)) throw nb::value_error("a code is not below its column's cardinality");
    return column;
}

const bool* kept_rows(const std::optional<Keep>& keep, std::size_t rows) {
    if (keep && keep->shape(0) != rows) throw nb::value_error("keep must have as many rows as the columns");
    return keep ? keep->data() : nullptr;
}

// The table with a count for each row.
Table with_counts(Table table, const std::optional<Counts>& counts) {
    if (!counts) return table;
    if (counts->shape(0) != table.rows) throw nb::value_error("counts must have as many rows as the columns");
    table.counts = counts->data();
    return table;
}

int checked_size(int max_size, std::size_t columns) {
    if (max_size < 0 || static_cast<std::size_t>(max_size) > columns)
        throw nb::value_error("max_size must be between 0 and the number of quasi columns");
    return max_size;
}

std::vector<Column> columns_of(const std::vector<Codes>& codes, const std::vector<std::uint64_t>& cardinality,
                               std::size_t rows) {
    if (codes.size() != cardinality.size()) throw nb::value_error("one cardinality for each column");
    if (codes.size() > 64) throw nb::value_error("at most 64 columns");
    std::vector<Column> columns;
    for (std::size_t i = 0; i < codes.size(); ++i) columns.push_back(column_of(codes[i], cardinality[i], rows));
    return columns;
}

// Runs `work` on a thread of its own, so that Python can show progress and be interrupted meanwhile.
template <class Work>
auto watched(const nb::object& progress, const Work& work) {
    using Result = decltype(work(std::declval<Monitor&>()));
    Monitor monitor;
    std::optional<Result> result;
    std::exception_ptr failure;
    std::mutex guard;
    std::condition_variable finished;
    bool done = false;
    std::thread worker([&] {
        try {
            result.emplace(work(monitor));
        } catch (...) {
            failure = std::current_exception();
        }
        const std::lock_guard<std::mutex> lock(guard);
        done = true;
        finished.notify_one();
    });
    bool interrupted = false;
    while (!interrupted) {
        {
            nb::gil_scoped_release release;
            std::unique_lock<std::mutex> lock(guard);
            if (finished.wait_for(lock, std::chrono::milliseconds(50), [&] { return done; })) break;
        }
        interrupted = PyErr_CheckSignals() != 0;
        if (!interrupted && !progress.is_none()) {
            PyObject* answer = PyObject_CallFunction(progress.ptr(), "d", monitor.done());
            interrupted = answer == nullptr;
            Py_XDECREF(answer);
        }
    }
    if (interrupted) monitor.stop();
    {
        nb::gil_scoped_release release;
        worker.join();
    }
    if (interrupted) throw nb::python_error();
    if (failure) std::rethrow_exception(failure);
    return std::move(*result);
}

int threads_or_all(int threads) {
    return threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

nb::dict to_dict(SweepResult&& result, std::size_t targets) {
    const std::size_t nodes = result.subset.size();
    std::vector<std::uint64_t> groups, records, top;
    for (std::size_t node = 0; node < nodes; ++node) {
        for (std::size_t c = 0; c < Tally::classes; ++c) {
            groups.push_back(result.tally.groups(node, c));
            records.push_back(result.tally.records(node, c));
        }
        for (std::size_t target = 0; target < targets; ++target) top.push_back(result.tally.top(node, target));
    }
    nb::dict dict;
    dict["subset"] = to_array(std::move(result.subset));
    dict["groups"] = to_array(std::move(groups), Tally::classes);
    dict["records"] = to_array(std::move(records), Tally::classes);
    dict["top"] = to_array(std::move(top), std::max<std::size_t>(targets, 1));
    return dict;
}

// The sums of every node, a column of numbers each.
nb::dict to_dict(MembershipResult&& result) {
    nb::dict dict;
    const std::size_t nodes = result.subset.size();
    const auto column = [&]<class Number>(const char* name, Number Membership::*member) {
        std::vector<Number> values;
        for (std::size_t node = 0; node < nodes; ++node) values.push_back(result.tally.of(node).*member);
        dict[name] = to_array(std::move(values));
    };
    column("groups", &Membership::groups);
    column("found", &Membership::found);
    column("not_found", &Membership::not_found);
    column("absent", &Membership::absent);
    column("right", &Membership::right);
    column("certain", &Membership::certain);
    column("unique", &Membership::unique);
    column("unique_found", &Membership::unique_found);
    column("unique_both", &Membership::unique_both);
    column("contradictions", &Membership::contradictions);
    column("share", &Membership::share);
    column("published", &Membership::published);
    column("worst", &Membership::worst);
    dict["subset"] = to_array(std::move(result.subset));
    return dict;
}

nb::dict to_dict(LatticeResult&& result) {
    nb::dict dict;
    const auto column = [&]<class Number>(const char* name, Number NodeOutcome::*member) {
        std::vector<Number> values;
        for (const auto& outcome : result.outcomes) values.push_back(outcome.*member);
        dict[name] = to_array(std::move(values), result.requirements);
    };
    column("suppressed", &NodeOutcome::suppressed);
    column("groups", &NodeOutcome::groups);
    column("unique", &NodeOutcome::unique);
    column("picked", &NodeOutcome::picked);
    column("squares", &NodeOutcome::squares);
    std::vector<std::uint64_t> ends, sizes, with_size;
    for (const auto& of_node : result.sizes) {
        for (const auto& [size, groups] : of_node) {
            sizes.push_back(size);
            with_size.push_back(groups);
        }
        ends.push_back(sizes.size());
    }
    dict["size_ends"] = to_array(std::move(ends));
    dict["sizes"] = to_array(std::move(sizes));
    dict["groups_of_size"] = to_array(std::move(with_size));
    const auto volume = [&](const char* name, double Volumes::*member) {
        std::vector<double> values;
        for (const auto& volumes : result.volumes) values.push_back(volumes.*member);
        dict[name] = to_array(std::move(values), result.requirements);
    };
    volume("volume", &Volumes::volume);
    volume("density", &Volumes::density);
    const auto presence = [&]<class Number>(const char* name, Number Presences::*member) {
        std::vector<Number> values;
        for (const auto& presences : result.presences) values.push_back(presences.*member);
        dict[name] = to_array(std::move(values), result.requirements);
    };
    presence("likely", &Presences::likely);
    presence("members", &Presences::members);
    presence("least_present", &Presences::least);
    dict["state"] = to_array(std::move(result.state));
    dict["tops"] = to_array(std::move(result.tops), std::max<std::size_t>(1, result.requirements * result.targets));
    const std::size_t width = std::max<std::size_t>(1, result.requirements * result.columns);
    dict["suppressed_share"] = to_array(std::move(result.suppressed_share), width);
    dict["suppressed_entropy"] = to_array(std::move(result.suppressed_entropy), width);
    return dict;
}

std::vector<bool> per_node(const std::optional<Keep>& flags, std::uint64_t nodes) {
    if (!flags) return {};
    if (flags->shape(0) != nodes) throw nb::value_error("one flag for each node");
    return std::vector<bool>(flags->data(), flags->data() + nodes);
}

// Nodes of a lattice as lists of levels, none of which is above the head of its family.
NodeFamilies families_of(const Levels& heads, const Levels& nodes, const Places& ends, const std::vector<int>& heights) {
    const auto listed = [&](const Levels& levels) {
        if (levels.shape(1) != heights.size()) throw nb::value_error("a level for each column");
        std::vector<std::vector<int>> found;
        for (std::size_t node = 0; node < levels.shape(0); ++node) {
            auto& own = found.emplace_back();
            for (std::size_t column = 0; column < heights.size(); ++column) {
                own.push_back(levels(node, column));
                if (own.back() > heights[column]) throw nb::value_error("there is no such level");
            }
        }
        return found;
    };
    NodeFamilies families{listed(heads), listed(nodes), {ends.data(), ends.data() + ends.shape(0)}};
    if (families.ends.size() != families.heads.size() || !std::is_sorted(families.ends.begin(), families.ends.end()) ||
        (families.ends.empty() ? 0 : families.ends.back()) != families.nodes.size())
        throw nb::value_error("every node is in one family");
    for (std::size_t family = 0, node = 0; family < families.ends.size(); ++family)
        for (; node < families.ends[family]; ++node)
            for (std::size_t column = 0; column < heights.size(); ++column)
                if (families.nodes[node][column] > families.heads[family][column])
                    throw nb::value_error("a node is above the head of its family");
    return families;
}

void check_rules(const std::vector<Rule>& rules, const std::vector<TargetValues>& targets) {
    for (const auto& rule : rules) {
        if (rule.target < 0 || static_cast<std::size_t>(rule.target) >= targets.size())
            throw nb::value_error("a rule is about a target that is not there");
        for (auto code : rule.codes)
            if (code >= targets[rule.target].cardinality) throw nb::value_error("a rule is about a value that is not there");
        if (rule.kind == RuleKind::presence && rule.tail >= static_cast<int>(targets.size()))
            throw nb::value_error("people are a target that is not there");
    }
}

void check_requirements(const LatticeQuestion& question) {
    if (question.requirements.empty()) throw nb::value_error("at least one requirement");
    for (const auto& requirement : question.requirements)
        for (int rule : requirement.rules)
            if (rule < 0 || static_cast<std::size_t>(rule) >= question.rules.size())
                throw nb::value_error("a requirement names a rule that is not there");
}

std::vector<std::uint32_t> numbers_of(const Codes& codes, std::uint64_t below) {
    const Column column = column_of(codes, below, codes.shape(0));
    std::vector<std::uint32_t> numbers(codes.shape(0));
    for (std::size_t row = 0; row < numbers.size(); ++row) numbers[row] = column.at(row);
    return numbers;
}

std::vector<RecodingColumn> recoding_columns(const std::vector<Codes>& codes,
                                             const std::vector<std::vector<std::vector<std::uint32_t>>>& group,
                                             const std::vector<std::vector<std::vector<double>>>& cost) {
    if (codes.empty() || group.size() != codes.size() || cost.size() != codes.size())
        throw nb::value_error("levels and costs for each column");
    std::vector<RecodingColumn> columns;
    for (std::size_t column = 0; column < codes.size(); ++column) {
        if (group[column].empty() || cost[column].size() != group[column].size())
            throw nb::value_error("a cost for each level");
        const std::size_t values = group[column][0].size();
        for (std::size_t level = 0; level < group[column].size(); ++level)
            if (group[column][level].size() != values || cost[column][level].size() != values)
                throw nb::value_error("a group and a cost for each code");
        columns.push_back({numbers_of(codes[column], values), group[column], cost[column]});
    }
    return columns;
}

nb::dict to_dict(LocalGroups&& groups, std::size_t columns) {
    nb::dict dict;
    dict["element"] = to_array(std::move(groups.element));
    dict["group"] = to_array(std::move(groups.group));
    dict["count"] = to_array(std::move(groups.count));
    dict["levels"] = to_array(std::move(groups.levels), columns);
    dict["meets"] = to_array(std::move(groups.meets));
    dict["steps"] = groups.steps;
    dict["is_cut"] = groups.is_cut;
    return dict;
}

std::vector<std::int64_t> list_of(const Places& places) { return {places.data(), places.data() + places.shape(0)}; }

// Cells of a table, none of which is beyond it.
CellList cells_of(const Places& places, const Patterns& patterns) {
    CellList cells = list_of(places);
    for (const std::int64_t cell : cells)
        if (cell < 0 || static_cast<std::size_t>(cell) >= patterns.size()) throw nb::value_error("there is no such cell");
    return cells;
}

// Patterns, with the arrays that they look into.
struct PatternsOfArrays {
    std::vector<std::vector<Numbers>> arrays;
    Numbers prices;
    Patterns patterns;

    PatternsOfArrays(const std::vector<std::pair<Places, Places>>& trees, Numbers given_prices, const Keep& hidden,
                     const Keep& alone, std::vector<std::vector<Numbers>> given)
        : arrays(std::move(given)),
          prices(std::move(given_prices)),
          patterns(trees_of(trees), {checked(trees, hidden, alone), prices.data(), hidden.data(), alone.data(), amounts()}) {}

private:
    static std::vector<CategoryTree> trees_of(const std::vector<std::pair<Places, Places>>& trees) {
        std::vector<CategoryTree> found;
        for (const auto& [ancestors, levels] : trees) found.emplace_back(list_of(ancestors), list_of(levels));
        return found;
    }

    // How many categories each column has.
    std::vector<std::int64_t> checked(const std::vector<std::pair<Places, Places>>& trees, const Keep& hidden,
                                      const Keep& alone) const {
        std::vector<std::int64_t> shape;
        std::size_t cells = 1;
        for (const auto& tree : trees) {
            shape.push_back(static_cast<std::int64_t>(tree.second.shape(0)));
            cells *= tree.second.shape(0);
        }
        bool fits = prices.shape(0) == cells && hidden.shape(0) == cells && alone.shape(0) == cells;
        for (const auto& each : arrays) {
            fits = fits && each.size() == 4;
            for (const auto& array : each) fits = fits && array.shape(0) == cells;
        }
        if (!fits || shape.empty() || arrays.empty())
            throw nb::value_error("every array must have as many numbers as there are cells");
        return shape;
    }

    std::vector<Amounts> amounts() const {
        std::vector<Amounts> found;
        for (const auto& each : arrays) found.push_back({each[0].data(), each[1].data(), each[2].data(), each[3].data()});
        return found;
    }
};

}  // namespace

NB_MODULE(_core, m) {
    m.attr("size_classes") = nb::cast(std::vector<std::uint64_t>(size_classes.begin(), size_classes.end()));

    nb::class_<Cells>(m, "Cells")
        .def("__len__", &Cells::size)
        .def_prop_ro("nbytes", &Cells::bytes)
        .def(
            "sweep",
            [](const Cells& cells, int max_size, int threads, const nb::object& progress) {
                checked_size(max_size, cells.quasi());
                return to_dict(watched(progress,
                                       [&](Monitor& monitor) {
                                           return cells.sweep(max_size, threads_or_all(threads), monitor);
                                       }),
                               cells.targets());
            },
            "max_size"_a, "threads"_a = 0, "progress"_a.none() = nb::none())
        .def(
            "groups",
            [](const Cells& cells, const std::vector<int>& quasi, int target, int threads) {
                auto list = watched(nb::none(), [&](Monitor& monitor) {
                    return cells.groups(quasi, target, threads_or_all(threads), monitor);
                });
                nb::dict dict;
                dict["size"] = to_array(std::move(list.size));
                dict["top"] = to_array(std::move(list.top));
                dict["ties"] = to_array(std::move(list.ties));
                return dict;
            },
            "quasi"_a, "target"_a, "threads"_a = 0);

    m.def(
        "count_cells",
        [](const std::vector<Codes>& quasi, const std::vector<std::uint64_t>& quasi_cardinality,
           const std::vector<Codes>& targets, const std::vector<std::uint64_t>& target_cardinality, std::size_t rows,
           const std::optional<Keep>& keep, const std::optional<Counts>& counts, int threads) {
            if (targets.size() > most_targets) throw nb::value_error("at most 40 targets");
            const Table table = with_counts({columns_of(quasi, quasi_cardinality, rows),
                                             columns_of(targets, target_cardinality, rows), rows, kept_rows(keep, rows)},
                                            counts);
            return watched(nb::none(), [&](Monitor& monitor) {
                return count_cells(table, threads_or_all(threads), monitor);
            });
        },
        "quasi"_a, "quasi_cardinality"_a, "targets"_a, "target_cardinality"_a, "rows"_a, "keep"_a.none() = nb::none(),
        "counts"_a.none() = nb::none(), "threads"_a = 0);

    nb::class_<PackedTuples>(m, "PackedTuples")
        .def(nb::init<>())
        .def("__len__", &PackedTuples::size)
        .def_prop_ro("nbytes", &PackedTuples::bytes)
        .def(
            "add",
            [](PackedTuples& tuples, const std::vector<Codes>& columns, const std::vector<std::uint64_t>& cardinality,
               std::size_t rows, const std::optional<Counts>& counts, int threads) {
                const Table table = with_counts({columns_of(columns, cardinality, rows), {}, rows}, counts);
                watched(nb::none(), [&](Monitor& monitor) {
                    tuples.add(table, threads_or_all(threads), monitor);
                    return true;
                });
            },
            "columns"_a, "cardinality"_a, "rows"_a, "counts"_a.none() = nb::none(), "threads"_a = 0)
        .def(
            "take",
            [](PackedTuples& packed, int threads) {
                auto tuples = watched(nb::none(), [&](Monitor& monitor) {
                    return packed.take(threads_or_all(threads), monitor);
                });
                nb::list codes;
                for (auto& of_column : tuples.codes)
                    std::visit([&](auto& list) { codes.append(to_array(std::move(list))); }, of_column);
                return nb::make_tuple(codes, to_array(std::move(tuples.counts)));
            },
            "threads"_a = 0);

    m.def(
        "estimate_tuples",
        [](const std::vector<Codes>& columns, const std::vector<std::uint64_t>& cardinality, std::size_t rows, int threads) {
            const Table table{columns_of(columns, cardinality, rows), {}, rows};
            return watched(nb::none(), [&](Monitor& monitor) {
                return estimate_tuples(table, threads_or_all(threads), monitor);
            });
        },
        "columns"_a, "cardinality"_a, "rows"_a, "threads"_a = 0);

    nb::class_<SampledCells>(m, "SampledCells")
        .def("__len__", &SampledCells::size)
        .def(
            "sweep",
            [](const SampledCells& cells, int max_size, int threads, const nb::object& progress) {
                checked_size(max_size, cells.quasi());
                return to_dict(watched(progress, [&](Monitor& monitor) {
                    return cells.sweep(max_size, threads_or_all(threads), monitor);
                }));
            },
            "max_size"_a, "threads"_a = 0, "progress"_a.none() = nb::none())
        .def(
            "groups",
            [](const SampledCells& cells, const std::vector<int>& quasi, int threads) {
                auto groups = watched(nb::none(), [&](Monitor& monitor) {
                    return cells.groups(quasi, threads_or_all(threads), monitor);
                });
                nb::dict dict;
                dict["n"] = to_array(std::move(groups.n));
                dict["d"] = to_array(std::move(groups.d));
                dict["codes"] = to_array(std::move(groups.codes), std::max<std::size_t>(quasi.size(), 1));
                return dict;
            },
            "quasi"_a, "threads"_a = 0);

    m.def(
        "count_sampled",
        [](const std::vector<Codes>& population, std::size_t population_rows, const std::optional<Keep>& population_keep,
           const std::vector<Codes>& sample, std::size_t sample_rows, const std::optional<Keep>& sample_keep,
           const std::vector<std::uint64_t>& cardinality, const std::optional<Counts>& population_counts,
           const std::optional<Counts>& sample_counts, int threads) {
            const Table whole = with_counts({columns_of(population, cardinality, population_rows), {}, population_rows,
                                             kept_rows(population_keep, population_rows)},
                                            population_counts);
            const Table part = with_counts(
                {columns_of(sample, cardinality, sample_rows), {}, sample_rows, kept_rows(sample_keep, sample_rows)},
                sample_counts);
            return watched(nb::none(), [&](Monitor& monitor) {
                return count_sampled(whole, part, threads_or_all(threads), monitor);
            });
        },
        "population"_a, "population_rows"_a, "population_keep"_a.none(), "sample"_a, "sample_rows"_a,
        "sample_keep"_a.none(), "cardinality"_a, "population_counts"_a.none() = nb::none(),
        "sample_counts"_a.none() = nb::none(), "threads"_a = 0);

    nb::enum_<RuleKind>(m, "RuleKind")
        .value("distinct", RuleKind::distinct)
        .value("entropy", RuleKind::entropy)
        .value("recursive", RuleKind::recursive)
        .value("top_share", RuleKind::top_share)
        .value("value_share", RuleKind::value_share)
        .value("distance", RuleKind::distance)
        .value("ordered_distance", RuleKind::ordered_distance)
        .value("gain", RuleKind::gain)
        .value("limited_gain", RuleKind::limited_gain)
        .value("log_ratio", RuleKind::log_ratio)
        .value("population", RuleKind::population)
        .value("presence", RuleKind::presence);
    m.attr("tolerance") = tolerance;

    nb::class_<Rule>(m, "Rule")
        .def(nb::init<RuleKind, int, double, int, std::vector<std::uint32_t>>(), "kind"_a, "target"_a, "bound"_a,
             "tail"_a = 0, "codes"_a = std::vector<std::uint32_t>());
    nb::class_<Requirement>(m, "Requirement")
        .def(nb::init<std::uint64_t, std::vector<int>>(), "k"_a = 1, "rules"_a = std::vector<int>());
    nb::class_<TargetValues>(m, "TargetValues")
        .def(nb::init<std::uint64_t, std::vector<double>, std::vector<std::vector<std::uint32_t>>,
                      std::vector<std::uint32_t>>(),
             "cardinality"_a, "share"_a, "levels"_a, "order"_a);

    nb::class_<Lattice>(m, "Lattice")
        .def("__len__", &Lattice::size)
        .def(
            "sweep",
            [](const Lattice& lattice, const std::vector<Requirement>& requirements, const std::vector<Rule>& rules,
               std::uint64_t limit, bool describe, bool tops, int people, bool sizes, bool volumes, bool presences,
               const std::optional<Keep>& wanted, const std::optional<Keep>& hopeless, double seconds, int threads,
               const nb::object& progress) {
                check_rules(rules, lattice.targets());
                const LatticeQuestion question{requirements,
                                               rules,
                                               limit,
                                               describe,
                                               tops,
                                               people,
                                               sizes,
                                               volumes,
                                               presences,
                                               per_node(wanted, lattice.nodes()),
                                               per_node(hopeless, lattice.nodes()),
                                               seconds};
                check_requirements(question);
                if (people >= static_cast<int>(lattice.targets().size()))
                    throw nb::value_error("people are a target that is not there");
                return to_dict(watched(progress, [&](Monitor& monitor) {
                    return lattice.sweep(question, threads_or_all(threads), monitor);
                }));
            },
            "requirements"_a, "rules"_a, "limit"_a, "describe"_a = true, "tops"_a = false, "people"_a = -1, "sizes"_a = false,
            "volumes"_a = false, "presences"_a = false, "wanted"_a.none() = nb::none(), "hopeless"_a.none() = nb::none(),
            "seconds"_a = 0.0, "threads"_a = 0, "progress"_a.none() = nb::none())
        .def(
            "check",
            [](const Lattice& lattice, const Levels& heads, const Levels& nodes, const Places& ends,
               const std::vector<Requirement>& requirements, const std::vector<Rule>& rules, std::uint64_t limit, bool describe,
               bool tops, int people, bool sizes, bool volumes, bool presences, double seconds, int threads) {
                check_rules(rules, lattice.targets());
                const LatticeQuestion question{requirements, rules,   limit,      describe, tops, people,
                                               sizes,        volumes, presences,  {},       {},   seconds};
                check_requirements(question);
                const NodeFamilies families = families_of(heads, nodes, ends, lattice.heights());
                return to_dict(watched(nb::none(), [&](Monitor& monitor) {
                    return lattice.check(families, question, threads_or_all(threads), monitor);
                }));
            },
            "heads"_a, "nodes"_a, "ends"_a, "requirements"_a, "rules"_a, "limit"_a, "describe"_a = true, "tops"_a = false,
            "people"_a = -1, "sizes"_a = false, "volumes"_a = false, "presences"_a = false, "seconds"_a = 0.0,
            "threads"_a = 0)
        .def(
            "judge",
            [](const Lattice& lattice, const std::vector<Rule>& rules) {
                check_rules(rules, lattice.targets());
                auto groups = watched(nb::none(), [&](Monitor& monitor) { return lattice.judge(rules, monitor); });
                nb::dict dict;
                dict["codes"] = to_array(std::move(groups.codes), std::max<std::size_t>(lattice.columns(), 1));
                dict["size"] = to_array(std::move(groups.size));
                dict["value"] = to_array(std::move(groups.value), std::max<std::size_t>(rules.size(), 1));
                dict["holds"] = to_array(std::move(groups.holds), std::max<std::size_t>(rules.size(), 1));
                dict["top"] = to_array(std::move(groups.top), std::max<std::size_t>(lattice.targets().size(), 1));
                dict["population"] = to_array(std::move(groups.population));
                return dict;
            },
            "rules"_a);

    m.def(
        "count_lattice",
        [](const std::vector<Codes>& quasi, const std::vector<std::uint64_t>& quasi_cardinality,
           const std::vector<Codes>& target_codes, const std::vector<TargetValues>& targets, std::size_t rows,
           const std::vector<std::vector<std::vector<std::uint32_t>>>& up,
           const std::vector<std::vector<std::vector<double>>>& share, const std::optional<Keep>& keep,
           const std::optional<Counts>& counts, int population, int threads) {
            if (population >= static_cast<int>(targets.size()) || (population >= 0 && targets[population].cardinality != 2))
                throw nb::value_error("what marks the population is a target with two values");
            std::vector<std::uint64_t> target_cardinality;
            for (const auto& target : targets) target_cardinality.push_back(target.cardinality);
            const Table table = with_counts({columns_of(quasi, quasi_cardinality, rows),
                                             columns_of(target_codes, target_cardinality, rows), rows, kept_rows(keep, rows)},
                                            counts);
            std::vector<Steps> steps;
            for (std::size_t column = 0; column < up.size(); ++column) steps.push_back({up[column], share[column]});
            return watched(nb::none(), [&](Monitor& monitor) {
                return count_lattice(table, std::move(steps), targets, population, threads_or_all(threads), monitor);
            });
        },
        "quasi"_a, "quasi_cardinality"_a, "target_codes"_a, "targets"_a, "rows"_a, "up"_a, "share"_a,
        "keep"_a.none() = nb::none(), "counts"_a.none() = nb::none(), "population"_a = -1, "threads"_a = 0);

    m.def(
        "row_groups",
        [](const std::vector<Codes>& columns, const std::vector<std::uint64_t>& cardinality, std::size_t rows) {
            const auto packed = columns_of(columns, cardinality, rows);
            auto result = watched(nb::none(), [&](Monitor& monitor) { return row_groups(packed, rows, monitor); });
            return nb::make_tuple(to_array(std::move(result.number)), result.groups);
        },
        "columns"_a, "cardinality"_a, "rows"_a);

    nb::enum_<Recoding>(m, "Recoding")
        .value("local", Recoding::local)
        .value("strict", Recoding::strict)
        .value("relaxed", Recoding::relaxed);

    m.def(
        "recode_locally",
        [](const std::vector<Codes>& codes, const std::vector<std::vector<std::vector<std::uint32_t>>>& group,
           const std::vector<std::vector<std::vector<double>>>& cost, const Codes& cell_of, const Codes& counts,
           std::uint64_t k, const std::vector<Rule>& rules, const std::vector<Codes>& target_codes,
           const std::vector<TargetValues>& targets, const LocalEffort& effort, Recoding recoding, int threads,
           const nb::object& progress) {
            check_rules(rules, targets);
            if (target_codes.size() != targets.size()) throw nb::value_error("codes for each target");
            LocalQuestion question{recoding_columns(codes, group, cost), {}, {}, effort};
            question.cell_of = numbers_of(cell_of, codes[0].shape(0));
            question.counts = numbers_of(counts, std::uint64_t{1} << 32);
            if (question.counts.size() != question.cell_of.size()) throw nb::value_error("a count for each element");
            std::vector<std::vector<std::uint32_t>> values;
            for (std::size_t target = 0; target < targets.size(); ++target) {
                values.push_back(numbers_of(target_codes[target], targets[target].cardinality));
                if (values.back().size() != question.counts.size()) throw nb::value_error("a code for each element");
            }
            GroupDemand demand(k, rules, targets, values);
            return to_dict(watched(progress,
                                   [&](Monitor& monitor) {
                                       if (effort.seconds > 0) monitor.expire_in(effort.seconds);
                                       if (recoding == Recoding::local)
                                           return LocalRecoding(question, demand, threads_or_all(threads), monitor).run();
                                       return TopDown(question, demand, recoding == Recoding::relaxed, monitor).run();
                                   }),
                           codes.size());
        },
        "codes"_a, "group"_a, "cost"_a, "cell_of"_a, "counts"_a, "k"_a, "rules"_a, "target_codes"_a, "targets"_a,
        "effort"_a, "recoding"_a, "threads"_a = 0, "progress"_a.none() = nb::none());

    nb::class_<LocalEffort>(m, "LocalEffort")
        .def(nb::init<std::size_t, std::size_t, std::size_t, std::size_t, std::uint64_t, double>(), "near"_a, "window"_a,
             "passes"_a, "renewals"_a, "steps"_a, "seconds"_a);

    nb::class_<PatternsOfArrays>(m, "Patterns")
        .def(nb::init<const std::vector<std::pair<Places, Places>>&, Numbers, const Keep&, const Keep&,
                      std::vector<std::vector<Numbers>>>(),
             "trees"_a, "prices"_a, "hidden"_a, "alone"_a, "amounts"_a)
        .def("hidden", [](const PatternsOfArrays& of) { return to_array(of.patterns.hidden()); })
        .def(
            "protect",
            [](PatternsOfArrays& of, const Places& cells, const nb::object& progress) {
                const CellList list = cells_of(cells, of.patterns);
                return to_array(watched(progress, [&](Monitor& monitor) { return of.patterns.protect(list, monitor); }));
            },
            "cells"_a, "progress"_a.none() = nb::none())
        .def(
            "tidy",
            [](PatternsOfArrays& of, const Places& cells, std::size_t most, const nb::object& progress) {
                const CellList list = cells_of(cells, of.patterns);
                return watched(progress, [&](Monitor& monitor) { return of.patterns.tidy(list, most, monitor); });
            },
            "cells"_a, "most"_a, "progress"_a.none() = nb::none());
}

}  // namespace biombo
