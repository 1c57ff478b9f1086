// Work shared between threads, which can be watched and stopped.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace biombo {

// Thrown inside a worker to leave it at once when somebody asked to stop.
struct Stopped : std::exception {};

// How far the work has come, and whether it should go on.
class Monitor {
public:
    void stop() { stop_.store(true, std::memory_order_relaxed); }

    void check() const {
        if (stop_.load(std::memory_order_relaxed)) throw Stopped();
    }

    void advance(double share) {
        double seen = done_.load(std::memory_order_relaxed);
        while (!done_.compare_exchange_weak(seen, seen + share, std::memory_order_relaxed)) {
        }
    }

    double done() const { return done_.load(std::memory_order_relaxed); }

    void expire_in(double seconds) {
        deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    }

    bool expired() const { return deadline_ != Clock::time_point::max() && Clock::now() >= deadline_; }

private:
    using Clock = std::chrono::steady_clock;

    std::atomic<bool> stop_{false};
    std::atomic<double> done_{0.0};
    Clock::time_point deadline_ = Clock::time_point::max();
};

// A part of the work that is done in steps, or in fewer.
class Stage {
public:
    Stage(Monitor& monitor, double share, std::size_t steps)
        : monitor_(monitor), left_(share), step_(share / static_cast<double>(std::max<std::size_t>(steps, 1))) {}
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;
    ~Stage() { monitor_.advance(left_); }

    void step() {
        monitor_.check();
        const double done = std::min(left_, step_);
        monitor_.advance(done);
        left_ -= done;
    }

private:
    Monitor& monitor_;
    double left_, step_;
};

// Calls `work(worker, task)` for every task below `tasks`, in order of the tasks, on `threads` threads. The first
// exception stops all of them and comes back to the caller.
inline void for_each_task(int threads, std::size_t tasks, Monitor& monitor,
                          const std::function<void(int, std::size_t)>& work) {
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex guard;
    const auto worker = [&](int index) {
        try {
            for (std::size_t task; (task = next.fetch_add(1)) < tasks;) {
                monitor.check();
                work(index, task);
            }
        } catch (...) {
            const std::lock_guard<std::mutex> lock(guard);
            if (!failure) failure = std::current_exception();
            monitor.stop();
        }
    };
    std::vector<std::thread> pool;
    try {
        for (int index = 1; index < threads; ++index) pool.emplace_back(worker, index);
    } catch (const std::system_error&) {
        // No more threads to be had: those there are do the work.
    }
    worker(0);
    for (auto& thread : pool) thread.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace biombo
