#pragma once
// A tree search on a mock backend and a fake clock, in one line.
//
//   SearchFixture f(kMateInTwoFen);
//   f.Run(Nodes(800));
//   EXPECT_EQ(f.best(), "a1a7");

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/fake_clock.h"
#include "chess/notation.h"
#include "mcts/mcts_search.h"
#include "mcts/worker.h"
#include "support/mock_backend.h"
#include "support/positions.h"
#include "support/recording_sink.h"
#include "support/tree_check.h"

namespace plexus {

inline SearchLimits Nodes(int64_t nodes) {
  SearchLimits limits;
  limits.nodes = nodes;
  return limits;
}
inline SearchLimits Infinite() {
  SearchLimits limits;
  limits.infinite = true;
  return limits;
}

inline PositionHistory Game(const std::string& fen, const std::vector<std::string>& moves = {}) {
  PositionHistory history(fen);
  for (const std::string& move : moves) history.Append(ParseUci(history.Last().board, move, false));
  return history;
}

struct SearchFixture {
  explicit SearchFixture(const std::string& fen = kStartFen,
                         MockBackend::Evaluation evaluation = HashEvaluation)
      : backend(std::make_shared<MockBackend>(std::move(evaluation))) {
    params.threads = 1;
    params.minibatch_size = 16;
    params.seed = 1;
    search = std::make_unique<MctsSearch>(backend, &clock, &params, &stop_params);
    history = Game(fen);
    search->SetPosition(history);
  }

  // A whole search; its tree is checked.
  void Run(const SearchLimits& limits) {
    sink = std::make_unique<RecordingSink>();
    search->Start(limits, sink.get());
    search->Wait();
    EXPECT_EQ(CheckTree(search->tree()), "");
    EXPECT_EQ(sink->best().size(), 1u);
    EXPECT_EQ(sink->infos_after_best(), 0);
  }
  void Go(const SearchLimits& limits) {
    sink = std::make_unique<RecordingSink>();
    search->Start(limits, sink.get());
  }
  void SetGame(const std::string& fen, const std::vector<std::string>& moves) {
    history = Game(fen, moves);
    search->SetPosition(history);
  }
  std::string best() const { return ToUci(history.Last().board, sink->best().at(0).move, false); }
  SearchInfo last_info() const { return sink->infos().back(); }
  // Of the root's move, or null.
  const RootMove* Find(const SearchSnapshot& snapshot, const std::string& move) const {
    for (const RootMove& root_move : snapshot.moves) {
      if (ToUci(history.Last().board, root_move.move, false) == move) return &root_move;
    }
    return nullptr;
  }

  FakeClock clock;
  SearchParams params;
  StopParams stop_params;
  std::shared_ptr<MockBackend> backend;
  std::unique_ptr<MctsSearch> search;
  std::unique_ptr<RecordingSink> sink = std::make_unique<RecordingSink>();
  PositionHistory history;
};

// A tree and what workers share, for tests that call the phases one by one.
struct PhaseFixture {
  explicit PhaseFixture(const std::string& fen = kStartFen,
                        MockBackend::Evaluation evaluation = HashEvaluation)
      : backend(std::move(evaluation)) {
    params.minibatch_size = 8;
    TreeWriteLock lock(tree.nodes_mutex());
    tree.SetPosition(lock, Game(fen));
  }
  SearchShared* shared() {
    if (shared_ == nullptr)
      shared_ = std::make_unique<SearchShared>(&tree, &backend, &clock, params);
    return shared_.get();
  }
  // Iterations of one worker.
  void Grow(int iterations) {
    SearchWorker worker(shared());
    for (int i = 0; i < iterations; ++i) worker.RunOneIteration();
  }
  uint32_t root_visits() const {
    TreeReadLock lock(tree.nodes_mutex());
    return tree.node(tree.root()).n;
  }

  FakeClock clock;
  SearchParams params;
  MockBackend backend;
  Tree tree;

 private:
  std::unique_ptr<SearchShared> shared_;
};

}  // namespace plexus
