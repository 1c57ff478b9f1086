// Counting equal rows: scatter them by their leading bits, then sort and merge each bucket on its own.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "buffer.hpp"
#include "parallel.hpp"
#include "sort.hpp"

namespace biombo {

// Rows on their way from where they lie to where they are counted.
template <int W>
class Block {
public:
    explicit Block(std::size_t room) : rows_(room) {}

    std::size_t size() const { return size_; }
    Row<W>* begin() { return rows_.data(); }
    Row<W>* end() { return rows_.data() + size_; }
    Row<W>& operator[](std::size_t i) { return rows_[i]; }
    void cut(std::size_t size) { size_ = size; }

    // Room for `n` more rows, which hold anything; what `begin` gave before is lost.
    Row<W>* extend(std::size_t n) {
        if (size_ + n > rows_.size()) rows_.resize(std::max(size_ + n, 2 * rows_.size()));
        size_ += n;
        return end() - n;
    }

private:
    std::vector<Row<W>> rows_;
    std::size_t size_ = 0;
};

// Appends rows `begin` to `begin + n`, without those that do not count; one whose count is too large for its field takes
// several.
template <int W>
using Producer = std::function<void(std::size_t begin, std::size_t n, Block<W>& out)>;

// Rows that are in memory already.
template <int W>
Producer<W> copy_of(const Row<W>* rows) {
    return [rows](std::size_t begin, std::size_t n, Block<W>& out) { std::copy_n(rows + begin, n, out.extend(n)); };
}

// The bits to sort by, and the leading ones that choose a bucket.
template <int W>
class Buckets {
public:
    static constexpr int most_bits = 11;

    Buckets(const Row<W>& bits, const Field& count) : bits_(bits) {
        bits_.word[count.word] &= ~count.mask();
        for (word_ = 0; word_ < W - 1 && bits_.word[word_] == 0;) ++word_;
        shift_ = std::max(0, static_cast<int>(std::bit_width(bits_.word[word_])) - most_bits);
        mask_ = bits_.word[word_] >> shift_;
    }

    std::size_t of(const Row<W>& row) const { return (row.word[word_] >> shift_) & mask_; }
    const Row<W>& bits() const { return bits_; }
    static constexpr std::size_t number() { return std::size_t{1} << most_bits; }

private:
    Row<W> bits_;
    int word_;
    int shift_;
    std::uint64_t mask_;
};

template <int W>
class Counting {
public:
    Counting(const Row<W>& bits, const Field& count, int threads, Monitor& monitor)
        : buckets_(bits, count), count_(count), threads_(threads), monitor_(monitor) {}

    // The distinct rows among `n` produced ones, sorted, their counts added up.
    Buffer<W> run(std::size_t n, const Producer<W>& produce) {
        auto starts = count_buckets(n, produce);
        Buffer<W> rows(total_);
        scatter(n, produce, starts, rows.data());
        merge(rows);
        return rows;
    }

    // The same among rows that nobody needs afterwards: they are brought together where they lie, which takes no memory.
    Buffer<W> run(Buffer<W> rows) {
        auto starts = count_buckets(rows.size(), copy_of(rows.data()));
        bring_together(starts[0], rows.data());
        merge(rows);
        return rows;
    }

private:
    static constexpr std::size_t block = 2048;

    Buckets<W> buckets_;
    Field count_;
    int threads_;
    Monitor& monitor_;
    std::vector<std::size_t> bounds_;
    std::size_t total_ = 0;

    // Calls `visit(row)` for every row that chunk `chunk` of the input produces.
    template <class Visit>
    void each_row(std::size_t n, std::size_t chunk, const Producer<W>& produce, const Visit& visit) const {
        Block<W> rows(block);
        const std::size_t end = n * (chunk + 1) / threads_;
        for (std::size_t begin = n * chunk / threads_; begin < end; begin += block) {
            monitor_.check();
            rows.cut(0);
            produce(begin, std::min(block, end - begin), rows);
            for (const Row<W>& row : rows) visit(row);
        }
    }

    // For each chunk of the input, where its rows of each bucket will start.
    std::vector<std::vector<std::size_t>> count_buckets(std::size_t n, const Producer<W>& produce) {
        std::vector<std::vector<std::size_t>> starts(threads_, std::vector<std::size_t>(buckets_.number()));
        for_each_task(threads_, threads_, monitor_, [&](int, std::size_t chunk) {
            auto& counts = starts[chunk];
            each_row(n, chunk, produce, [&](const Row<W>& row) { ++counts[buckets_.of(row)]; });
        });
        bounds_.assign(1, 0);
        total_ = 0;
        for (std::size_t bucket = 0; bucket < buckets_.number(); ++bucket) {
            for (auto& counts : starts) total_ += std::exchange(counts[bucket], total_);
            bounds_.push_back(total_);
        }
        return starts;
    }

    void scatter(std::size_t n, const Producer<W>& produce, std::vector<std::vector<std::size_t>>& starts, Row<W>* out) {
        for_each_task(threads_, threads_, monitor_, [&](int, std::size_t chunk) {
            auto& next = starts[chunk];
            each_row(n, chunk, produce, [&](const Row<W>& row) { out[next[buckets_.of(row)]++] = row; });
        });
    }

    // Moves rows to their buckets, each of which is filled from its start on.
    void bring_together(std::vector<std::size_t>& next, Row<W>* rows) const {
        for (std::size_t bucket = 0; bucket < buckets_.number(); ++bucket) {
            monitor_.check();
            while (next[bucket] < bounds_[bucket + 1]) {
                Row<W>& row = rows[next[bucket]];
                const std::size_t place = next[buckets_.of(row)]++;
                if (place != static_cast<std::size_t>(&row - rows)) std::swap(row, rows[place]);
            }
        }
    }

    void merge(Buffer<W>& rows) {
        std::vector<std::size_t> kept(buckets_.number());
        std::vector<Buffer<W>> scratch(threads_);
        for_each_task(threads_, buckets_.number(), monitor_, [&](int worker, std::size_t bucket) {
            const std::size_t size = bounds_[bucket + 1] - bounds_[bucket];
            if (size == 0) return;
            Row<W>* first = rows.data() + bounds_[bucket];
            sort_rows(first, scratch[worker].reserve(size), size, buckets_.bits());
            kept[bucket] = merge_sorted(first, size, buckets_.bits(), count_);
        });
        std::size_t end = 0;
        for (std::size_t bucket = 0; bucket < buckets_.number(); ++bucket) {
            if (kept[bucket] == 0) continue;
            std::memmove(static_cast<void*>(rows.data() + end), rows.data() + bounds_[bucket], kept[bucket] * sizeof(Row<W>));
            end += kept[bucket];
        }
        rows.shrink(end);
    }
};

}  // namespace biombo
