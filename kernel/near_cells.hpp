// For each cell, others that are near to it: records that cost little to be made alike.
//
// Cells are sorted in many orders, in each of which some columns come last, and those that stand side by side are compared.
// Whoever differs in two columns only stands near in the order in which these are the last ones; cells without such
// neighbours are found by orders that look at all columns coarsely first. So most of the nearest are found in n log n.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "parallel.hpp"
#include "recoding_space.hpp"

namespace biombo {

struct NearCell {
    float distance;
    std::uint32_t cell;

    bool operator<(const NearCell& other) const {
        return distance < other.distance || (distance == other.distance && cell < other.cell);
    }
};

class NearCells {
public:
    static constexpr std::uint32_t none = UINT32_MAX;

    NearCells(const RecodingSpace& space, std::size_t most, std::size_t window, int threads, Monitor& monitor)
        : space_(space), most_(most), window_(window), threads_(threads), monitor_(monitor), near_(space.cells() * most, {far, none}) {
        for (std::size_t column = 0; column < space.columns(); ++column) rank_.push_back(ranks(column));
        auto orders = with_pairs_last();
        for (std::size_t first = 0; first < space.columns(); ++first) orders.push_back(coarse_first(first));
        for (std::size_t next = 0; next < orders.size(); next += static_cast<std::size_t>(threads_)) {
            const std::size_t now = std::min(orders.size() - next, static_cast<std::size_t>(threads_));
            std::vector<std::vector<std::uint32_t>> sorted(now);
            for_each_task(threads_, now, monitor_, [&](int, std::size_t i) { sorted[i] = in_order(orders[next + i]); });
            for (const auto& order : sorted) compare(order);
        }
    }

    std::size_t most() const { return most_; }
    // The nearest that were found, nearest first, `none` where there are fewer.
    const NearCell* of(std::uint32_t cell) const { return &near_[cell * most_]; }

private:
    static constexpr float far = 1e30f;
    static constexpr std::size_t most_orders = 48;

    // What an order looks at, one after the other.
    struct Key {
        std::size_t column;
        int level;  // -1: the place of the value in an order that keeps groups together
    };
    using Order = std::vector<Key>;

    const RecodingSpace& space_;
    std::size_t most_, window_;
    int threads_;
    Monitor& monitor_;
    std::vector<NearCell> near_;
    std::vector<std::vector<std::uint32_t>> rank_;  // per column and code

    std::vector<std::uint32_t> ranks(std::size_t column) const {
        std::vector<std::uint32_t> codes(space_.values(column)), rank(codes.size());
        std::iota(codes.begin(), codes.end(), 0u);
        std::sort(codes.begin(), codes.end(), [&](std::uint32_t a, std::uint32_t b) {
            for (int level = space_.levels(column); level-- > 0;)
                if (space_.group(column, a, level) != space_.group(column, b, level))
                    return space_.group(column, a, level) < space_.group(column, b, level);
            return a < b;
        });
        for (std::uint32_t place = 0; place < codes.size(); ++place) rank[codes[place]] = place;
        return rank;
    }

    // Pairs of columns that are few steps apart come first, so that where there are too many all columns have their turn.
    std::vector<Order> with_pairs_last() const {
        std::vector<Order> orders;
        const std::size_t columns = space_.columns();
        if (columns == 1) return {{{0, -1}}};
        for (std::size_t step = 1; step <= columns / 2; ++step)
            for (std::size_t one = 0; one < columns; ++one) {
                const std::size_t other = (one + step) % columns;
                if ((2 * step == columns && one >= other) || orders.size() == most_orders) continue;
                Order order;
                for (std::size_t column = 0; column < columns; ++column)
                    if (column != one && column != other) order.push_back({column, -1});
                order.push_back({one, -1});
                order.push_back({other, -1});
                orders.push_back(std::move(order));
            }
        return orders;
    }

    Order coarse_first(std::size_t first) const {
        Order order;
        for (int level = 1; level >= -1; level -= 2)
            for (std::size_t step = 0; step < space_.columns(); ++step) {
                const std::size_t column = (first + step) % space_.columns();
                order.push_back({column, std::min(level, space_.levels(column) - 1)});
            }
        return order;
    }

    std::uint32_t key(const Key& key, const std::uint32_t* codes) const {
        const std::uint32_t code = codes[key.column];
        return key.level < 0 ? rank_[key.column][code] : space_.group(key.column, code, key.level);
    }

    // Keys are packed into two words as far as they fit; the order of what does not fit hardly matters.
    std::vector<std::uint32_t> in_order(const Order& order) const {
        struct Packed {
            std::uint64_t high, low;
            std::uint32_t cell;
        };
        std::vector<Packed> packed(space_.cells());
        for (std::uint32_t cell = 0; cell < packed.size(); ++cell) {
            std::uint64_t words[2] = {0, 0};
            int word = 0, left = 64;
            for (const Key& next : order) {
                const int bits = std::bit_width(space_.values(next.column));
                if (bits > left && word == 0) word = 1, left = 64;
                if (bits > left) break;
                left -= bits;
                words[word] |= static_cast<std::uint64_t>(key(next, space_.codes(cell))) << left;
            }
            packed[cell] = {words[0], words[1], cell};
        }
        std::sort(packed.begin(), packed.end(), [](const Packed& a, const Packed& b) {
            return a.high != b.high ? a.high < b.high : a.low != b.low ? a.low < b.low : a.cell < b.cell;
        });
        std::vector<std::uint32_t> cells;
        for (const Packed& each : packed) cells.push_back(each.cell);
        return cells;
    }

    void compare(const std::vector<std::uint32_t>& order) {
        constexpr std::size_t piece = 1 << 13;
        for_each_task(threads_, (order.size() + piece - 1) / piece, monitor_, [&](int, std::size_t task) {
            for (std::size_t i = task * piece; i < std::min(order.size(), (task + 1) * piece); ++i) {
                const std::size_t last = std::min(order.size(), i + 1 + window_);
                for (std::size_t j = i < window_ ? 0 : i - window_; j < last; ++j)
                    if (j != i) consider(order[i], order[j]);
            }
        });
    }

    void consider(std::uint32_t cell, std::uint32_t other) {
        NearCell* near = &near_[cell * most_];
        const NearCell found{space_.distance(cell, other, near[most_ - 1].distance), other};
        if (!(found < near[most_ - 1])) return;
        for (std::size_t i = 0; i < most_ && near[i].distance <= found.distance; ++i)
            if (near[i].cell == other) return;
        std::size_t place = most_ - 1;
        for (; place > 0 && found < near[place - 1]; --place) near[place] = near[place - 1];
        near[place] = found;
    }
};

}  // namespace biombo
