#include "tools/bench_crew.h"

#include <algorithm>
#include <utility>

#include "base/random.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "net/encoder.h"
#include "net/policy_map.h"

namespace plexus {

std::vector<CrewPosition> MakeCrewPositions(InputFormat format, int count, uint64_t seed) {
  constexpr int kLongestGame = 80;
  Random random(seed);
  std::vector<CrewPosition> positions;
  PositionHistory game{kStartFen};
  while (static_cast<int>(positions.size()) < count) {
    const MoveList moves = LegalMoves(game.Last().board);
    if (moves.empty() || game.size() > kLongestGame) {
      game = PositionHistory(kStartFen);
      continue;
    }
    CrewPosition position;
    const std::span<const Position> tail = game.Tail(8);
    position.history.assign(tail.begin(), tail.end());
    position.legal_moves.assign(moves.begin(), moves.end());
    const int transform =
        EncodePlanes(format, HistoryFill::kFenOnly, position.history, &position.planes);
    position.policy_indices.resize(position.legal_moves.size());
    PolicyIndices(position.legal_moves, game.Last().board.side_to_move(), transform,
                  position.policy_indices);
    positions.push_back(std::move(position));
    game.Append(moves[static_cast<int>(random.Below(moves.size()))]);
  }
  // Neighbours of one game would be alike.
  for (size_t i = positions.size(); i > 1; --i)
    std::swap(positions[i - 1], positions[random.Below(i)]);
  return positions;
}

BenchCrew::BenchCrew(const std::vector<BatchRunnerMaker>& makers)
    : start_(static_cast<std::ptrdiff_t>(makers.size()) + 1),
      end_(static_cast<std::ptrdiff_t>(makers.size()) + 1),
      spans_(makers.size()) {
  for (size_t i = 0; i < makers.size(); ++i) {
    threads_.emplace_back("bench", [this, make = makers[i], i] { Work(make, &spans_[i]); });
  }
  end_.arrive_and_wait();  // all are made
  MutexLock lock(mutex_);
  if (!failure_) return;
  runs_ = -1;
  start_.arrive_and_wait();
  threads_.clear();
  std::rethrow_exception(failure_);
}

BenchCrew::~BenchCrew() {
  if (threads_.empty()) return;
  runs_ = -1;
  start_.arrive_and_wait();
}

double BenchCrew::Time(int batch, int runs) {
  batch_ = batch;
  runs_ = runs;
  start_.arrive_and_wait();
  end_.arrive_and_wait();
  TimePoint begin = spans_[0].begin, end = spans_[0].end;
  for (const Span& span : spans_) {
    begin = std::min(begin, span.begin);
    end = std::max(end, span.end);
  }
  MutexLock lock(mutex_);
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  return std::chrono::duration<double>(end - begin).count();
}

void BenchCrew::Work(const BatchRunnerMaker& make, Span* span) {
  BatchRunner run;
  const auto guarded = [this](const auto& body) {
    try {
      body();
    } catch (...) {
      MutexLock lock(mutex_);
      failure_ = std::current_exception();
    }
  };
  guarded([&] { run = make(); });
  end_.arrive_and_wait();
  while (true) {
    start_.arrive_and_wait();
    if (runs_ < 0) return;
    span->begin = std::chrono::steady_clock::now();
    guarded([&] {
      for (int i = 0; i < runs_; ++i) run(batch_);
    });
    span->end = std::chrono::steady_clock::now();
    end_.arrive_and_wait();
  }
}

BatchRunnerMaker DeviceRunner(DeviceFactory factory, const std::vector<CrewPosition>* positions) {
  return [factory = std::move(factory), positions]() -> BatchRunner {
    struct State {
      std::unique_ptr<Device> device;
      std::vector<InputPlanes> planes;
      std::vector<uint16_t> policy_indices;
      std::vector<uint32_t> policy_begin = {0};
      std::vector<float> policy, value, moves_left;
    };
    auto state = std::make_shared<State>();
    state->device = factory();
    return [state, positions](int batch) {
      const size_t size = static_cast<size_t>(batch);
      if (state->planes.size() < size) {
        for (size_t i = state->planes.size(); i < size; ++i) {
          const CrewPosition& position = (*positions)[i % positions->size()];
          state->planes.push_back(position.planes);
          state->policy_indices.insert(state->policy_indices.end(), position.policy_indices.begin(),
                                       position.policy_indices.end());
          state->policy_begin.push_back(static_cast<uint32_t>(state->policy_indices.size()));
        }
        state->policy.resize(state->policy_indices.size());
        state->value.resize(size * 3);
        state->moves_left.resize(size);
      }
      const DeviceBatch all{state->planes, state->policy_indices, state->policy_begin};
      const LogitBatch logits{state->policy, state->value, state->moves_left};
      state->device->Run(all.Part(0, size), logits.Part(all, 0, size));
    };
  };
}

BatchRunnerMaker ComputationRunner(Backend* backend, const std::vector<CrewPosition>* positions) {
  return [backend, positions]() -> BatchRunner {
    struct State {
      std::vector<EvalOutput> outputs;
      std::vector<std::vector<float>> policies;
    };
    auto state = std::make_shared<State>();
    return [state, backend, positions](int batch) {
      while (static_cast<int>(state->outputs.size()) < batch) {
        state->outputs.emplace_back();
        state->policies.emplace_back(256);
      }
      const auto computation = backend->NewComputation();
      for (int i = 0; i < batch; ++i) {
        const CrewPosition& position = (*positions)[i % positions->size()];
        state->outputs[i].policy = std::span(state->policies[i]).first(position.legal_moves.size());
        computation->Add({position.history, position.legal_moves}, &state->outputs[i]);
      }
      computation->ComputeBlocking();
    };
  };
}

}  // namespace plexus
