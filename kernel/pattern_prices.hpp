// What it costs to take cells into a pattern.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace biombo {

constexpr double never = std::numeric_limits<double>::infinity();

// One number of each cell, as it may be more or less.
struct Amounts {
    const double* below;  // how much less a cell may have
    const double* slack;  // how much less, in the eyes of whoever has most of it
    const double* down;   // how much less and more it must be possible that the cell itself has
    const double* up;
};

// The price of a cell is that of leaving it out: nothing where it is left out already. All that a search asks of a cell
// lies side by side, since it asks of cells that lie far apart.
class PatternPrices {
public:
    PatternPrices(std::size_t cells, const double* prices, const bool* hidden, const bool* alone,
                  std::vector<Amounts> amounts)
        : amounts_(std::move(amounts)), width_(amounts_.size() + 1), entries_(cells * width_), prices_(prices) {
        for (std::size_t cell = 0; cell < cells; ++cell) {
            double* entry = &entries_[cell * width_];
            entry[0] = hidden[cell] ? 0.0 : prices[cell];
            for (std::size_t i = 0; i < amounts_.size(); ++i) entry[i + 1] = alone[cell] ? -1.0 : amounts_[i].slack[cell];
        }
    }

    std::size_t size() const { return entries_.size() / width_; }
    bool is_hidden(std::int64_t cell) const { return entries_[cell * width_] == 0.0; }
    bool is_fixed(std::int64_t cell) const { return prices_[cell] == never; }
    bool is_alone(std::int64_t cell) const { return entries_[cell * width_ + 1] < 0.0; }
    void hide(std::int64_t cell) { entries_[cell * width_] = 0.0; }
    void show(std::int64_t cell) { entries_[cell * width_] = prices_[cell]; }
    // From now on nothing more is left out.
    void close() { closed_ = true; }

    // What a cell can spare, all its numbers together; less than nothing where somebody is alone in it.
    double spare(std::int64_t cell) const {
        double sum = 0.0;
        for (std::size_t i = 1; i < width_; ++i) sum += entries_[cell * width_ + i];
        return sum;
    }

    // Prices are asked for the sake of this cell.
    void set_cell(std::int64_t cell) {
        cell_ = cell;
        needs_[0].clear();
        needs_[1].clear();
        for (const auto& each : amounts_) {
            needs_[0].push_back(each.down[cell]);
            needs_[1].push_back(each.up[cell]);
        }
    }

    // The price of a cell on whose way a pattern went over to other leaves `crossed` times: an odd number of times, it has
    // less when the cell has more.
    double of(std::int64_t cell, int crossed) const {
        if (crossed == 0) return uncrossed(cell);
        const double* entry = &entries_[cell * width_];
        const auto& need = needs_[crossed % 2];
        for (std::size_t i = 1; i < width_; ++i)
            if (entry[i] < need[i - 1]) return never;
        return closed_ && entry[0] > 0.0 ? never : entry[0];
    }

private:
    std::vector<Amounts> amounts_;
    std::size_t width_;
    std::vector<double> entries_;  // by cell: the price, and what it can spare of each number
    const double* prices_;
    std::vector<double> needs_[2];
    std::int64_t cell_ = -1;
    bool closed_ = false;

    double uncrossed(std::int64_t cell) const {
        if (cell == cell_) return 0.0;
        for (std::size_t i = 0; i + 1 < width_; ++i)
            if (amounts_[i].below[cell] < needs_[0][i]) return never;
        const double price = entries_[cell * width_];
        return closed_ && price > 0.0 ? never : price;
    }
};

}  // namespace biombo
