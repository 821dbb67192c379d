#include "mcts/pick.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <utility>

#include "mcts/backup.h"

namespace plexus {
namespace {

constexpr uint32_t kFewVisits = 64;   // up to so many are handed out one after another
constexpr int kTurnsBeforeLevel = 8;  // where few candidates contend, so many turns give all away

// The state of one call of PickNodeToExtend.
class Descent {
 public:
  Descent(const TreeWriteLock& lock, Tree& tree, const PickParams& params, const PickQuota& quota,
          PickScratch* scratch, Minibatch* batch)
      : lock_(lock),
        tree_(tree),
        params_(params),
        quota_(quota),
        selection_(*params.selection),
        scratch_(*scratch),
        batch_(*batch),
        white_at_root_(!tree.root_history().Last().black_to_move()) {}

  // Whoever made this object holds the lock.
  void AssertLocked() const ASSERT_CAPABILITY(tree_.nodes_mutex()) {}

  // `visits` are already in flight in the node.
  void Visit(NodeIndex index, uint32_t visits) REQUIRES(tree_.nodes_mutex()) {
    // A single visit never branches: it runs down in this loop.
    const size_t depth_before = scratch_.path.size();
    while (true) {
      Node& node = tree_.node(index);
      const bool is_root = index == tree_.root();
      if (node.is_terminal() && !is_root) {
        EndAtTerminal(index, visits);
        break;
      }
      if (!node.is_expanded()) {
        EndAtLeaf(index, node, visits);
        break;
      }
      if (visits > 1 || is_root) {
        VisitChildren(index, is_root, visits);
        break;
      }
      index = TakeBestChild(index);
    }
    scratch_.path.resize(depth_before);
  }

  PickResult result() const { return result_; }

 private:
  // What the moves of one node share.
  struct Here {
    float exploration = 0;  // U * (1 + started) / P
    float q = 0;            // the node's value for the player who moves there
    float m = 0;
    float draw_score = 0;            // for that player
    bool values_from_nodes = false;  // slots do not tell enough: draw score or moves left count
    bool moves_left = false;
    const Fpu* fpu = nullptr;
  };

  Here Describe(const Node& node, bool is_root) const REQUIRES(tree_.nodes_mutex()) {
    Here here;
    here.exploration =
        ExplorationFactor(is_root ? selection_.cpuct_at_root : selection_.cpuct, node.n);
    here.fpu = is_root ? &selection_.fpu_at_root : &selection_.fpu;
    here.q = static_cast<float>(-node.wl);
    if (selection_.draw_score != 0.0f) {
      const bool white = white_at_root_ == (scratch_.path.size() % 2 == 0);
      here.draw_score = white ? selection_.draw_score : -selection_.draw_score;
      here.q += here.draw_score * static_cast<float>(node.d());
    }
    here.m = node.m;
    here.moves_left =
        selection_.moves_left_counts && std::fabs(here.q) > selection_.moves_left_threshold;
    here.values_from_nodes = here.moves_left || here.draw_score != 0.0f;
    return here;
  }

  float ChildQ(const Here& here, const ChildSlot& slot) const REQUIRES(tree_.nodes_mutex()) {
    if (!here.values_from_nodes) return slot.wl;
    const Node& child = tree_.node(slot.node);
    float q = slot.wl + here.draw_score * static_cast<float>(child.d());
    if (here.moves_left) q += MovesLeftBonus(selection_, child.m, here.m, q);
    return q;
  }

  void EndAtTerminal(NodeIndex index, uint32_t visits) REQUIRES(tree_.nodes_mutex()) {
    const Node& node = tree_.node(index);
    const uint32_t counted =
        std::min({visits, quota_.terminal_visits - result_.terminal_visits, VisitsLeft()});
    if (counted > 0) {
      BackUpVisits(lock_, tree_, index, {node.wl, node.d(), node.m}, counted);
      result_.terminal_visits += counted;
      CountDepth(counted);
    }
    AddCollision(index, visits - counted);
  }

  void EndAtLeaf(NodeIndex index, const Node& node, uint32_t visits) REQUIRES(tree_.nodes_mutex()) {
    const bool nobody_else_is_here = node.n_in_flight == visits;
    if (nobody_else_is_here && result_.leaves < quota_.leaves && VisitsLeft() > 0) {
      --visits;
      AddLeaf(index);
      CountDepth(1);
    }
    AddCollision(index, visits);
  }

  uint32_t VisitsLeft() const { return quota_.visits - result_.leaves - result_.terminal_visits; }

  void AddCollision(NodeIndex index, uint32_t visits) {
    if (visits == 0) return;
    batch_.collisions.push_back({index, visits});
    result_.collision_visits += visits;
  }

  void AddLeaf(NodeIndex index) REQUIRES(tree_.nodes_mutex()) {
    std::vector<NodeMove>& path = scratch_.path;
    std::vector<NodeMove>& last = scratch_.last_path;
    size_t shared = 0;
    while (shared < path.size() && shared < last.size() && path[shared] == last[shared]) ++shared;
    Leaf& leaf = batch_.leaves.emplace_back();
    leaf.node = index;
    leaf.is_root = index == tree_.root();
    leaf.shared_plies = static_cast<int>(shared);
    const std::span<NodeMove> copy = batch_.path_moves.Allocate(path.size());
    std::copy(path.begin(), path.end(), copy.begin());
    leaf.path = copy;
    last.assign(path.begin(), path.end());
    ++result_.leaves;
  }

  void CountDepth(uint32_t visits) {
    const int depth = static_cast<int>(scratch_.path.size());
    batch_.stats.depth_sum += int64_t{depth} * visits;
    if (depth > batch_.stats.max_depth) batch_.stats.max_depth = depth;
  }

  uint32_t InFlight(const ChildSlot& slot) const REQUIRES(tree_.nodes_mutex()) {
    if (slot.n_in_flight < ChildSlot::kManyInFlight) return slot.n_in_flight;
    return tree_.node(slot.node).n_in_flight;
  }

  // Puts visits in flight in a child.
  Node& Send(ChildSlot& slot, uint32_t visits) REQUIRES(tree_.nodes_mutex()) {
    Node& child = tree_.node(slot.node);
    child.n_in_flight += visits;
    slot.set_in_flight(child.n_in_flight);
    return child;
  }

  // One visit: the best child of `index`, with the visit put in flight and the path extended.
  NodeIndex TakeBestChild(NodeIndex index) REQUIRES(tree_.nodes_mutex()) {
    Node& node = tree_.node(index);
    const Here here = Describe(node, false);
    std::span<ChildSlot> slots = tree_.children(node);
    const uint32_t count = node.num_children;
    float visited_policy = 0, best = -1e30f;
    uint32_t best_edge = 0, first_unvisited = count;
    for (uint32_t i = 0; i < count; ++i) {
      const ChildSlot& slot = slots[i];
      const float p = slot.p();
      if (slot.n == 0) {
        if (first_unvisited == count) first_unvisited = i;
        continue;
      }
      visited_policy += p;
      const float score = ChildQ(here, slot) +
                          here.exploration * p / static_cast<float>(1 + slot.n + InFlight(slot));
      if (score > best) {
        best = score;
        best_edge = i;
      }
    }
    if (first_unvisited < count || count < node.num_edges) {
      const float q = FpuValue(*here.fpu, here.q, visited_policy);
      for (uint32_t i = first_unvisited; i < count; ++i) {
        if (slots[i].n != 0) continue;
        const float score =
            q + here.exploration * slots[i].p() / static_cast<float>(1 + InFlight(slots[i]));
        if (score > best) {
          best = score;
          best_edge = i;
        }
      }
      if (count < node.num_edges && q + here.exploration * DecodePrior(node.next_prior) > best)
        best_edge = count;
    }
    if (best_edge == count) {
      tree_.AddChild(lock_, index);
      slots = tree_.children(node);
    }
    scratch_.path.push_back(Send(slots[best_edge], 1).move);
    return slots[best_edge].node;
  }

  void VisitChildren(NodeIndex index, bool is_root, uint32_t visits) REQUIRES(tree_.nodes_mutex()) {
    const size_t frame = scratch_.grants.size();
    Distribute(index, is_root, visits);
    const size_t end = scratch_.grants.size();
    for (size_t i = frame; i < end; ++i) {
      const PickScratch::Grant grant = scratch_.grants[i];
      scratch_.path.push_back(grant.move);
      Visit(grant.node, grant.visits);
      scratch_.path.pop_back();
    }
    scratch_.grants.resize(frame);
  }

  // Splits `visits` among the children of `index`: pushes their grants and puts them in flight.
  void Distribute(NodeIndex index, bool is_root, uint32_t visits) REQUIRES(tree_.nodes_mutex()) {
    Node& node = tree_.node(index);
    const Here here = Describe(node, is_root);
    uint32_t count = FillCandidates(node, here, is_root);
    const float fpu = scratch_.q[count];  // left there by FillCandidates
    if (count < node.num_edges) AddUnvisited(here, node, fpu, &count);
    UpdateScores(count);
    scratch_.has_grant.fill(0);
    for (int turn = 0; visits > 0; ++turn) {
      if (turn == kTurnsBeforeLevel && visits > kFewVisits) {
        while (count < node.num_edges) AddUnvisited(here, node, fpu, &count);
        visits -= GrantMostAtOnce(count, visits);
        UpdateScores(count);
        continue;
      }
      uint32_t best_edge = 0;
      float best = -1e30f, second = -1e30f;
      for (uint32_t i = 0; i < count; ++i) {
        const float score = scratch_.score[i];
        if (score > best) {
          second = best;
          best = score;
          best_edge = i;
        } else if (score > second) {
          second = score;
        }
      }
      // A new leaf takes one visit; whether more shall wait at it is asked again.
      const bool is_new = scratch_.started[best_edge] == 0;
      const uint32_t take =
          is_new ? 1
                 : VisitsUntilRivalWins(scratch_.q[best_edge], scratch_.numerator[best_edge],
                                        scratch_.started[best_edge], second, visits);
      Grant(best_edge, take);
      visits -= take;
      UpdateScore(best_edge);
      if (is_new && best_edge + 1 == count && count < node.num_edges) {
        AddUnvisited(here, node, fpu, &count);
        UpdateScore(count - 1);
      }
    }
    PushGrants(index, node);
  }

  void UpdateScore(uint32_t i) {
    scratch_.score[i] =
        scratch_.q[i] + scratch_.numerator[i] / static_cast<float>(1 + scratch_.started[i]);
  }

  void UpdateScores(uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) UpdateScore(i);
  }

  void Grant(uint32_t i, uint32_t visits) {
    scratch_.granted[i] += visits;
    scratch_.started[i] += visits;
    scratch_.has_grant[i / 64] |= uint64_t{1} << (i % 64);
  }

  // Many visits one after another end where all scores stand about level. Finds that level by halving and grants each
  // candidate the visits that bring it there; what is left over (less than a visit a candidate, and rounding) goes one
  // by one. Returns the visits granted. REQUIRES: all edges are candidates.
  uint32_t GrantMostAtOnce(uint32_t count, uint32_t visits) {
    float low = -1e29f, high = -1e29f;
    for (uint32_t i = 0; i < count; ++i) {
      UpdateScore(i);
      low = std::max(low, scratch_.q[i]);
      high = std::max(high, scratch_.score[i]);
    }
    // Above `low` every candidate takes finitely many visits.
    for (int i = 0; i < 16; ++i) {
      const float level = low + (high - low) / 2;
      float sum = 0;
      for (uint32_t j = 0; j < count; ++j) sum += VisitsToLevel(j, level);
      (sum <= static_cast<float>(visits) ? high : low) = level;
    }
    uint32_t granted = 0;
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t take =
          std::min(static_cast<uint32_t>(VisitsToLevel(i, high)), visits - granted);
      if (take == 0) continue;
      Grant(i, take);
      granted += take;
    }
    return granted;
  }

  float VisitsToLevel(uint32_t i, float level) const {
    const float gap = level - scratch_.q[i];
    const float visits = scratch_.numerator[i] / gap - static_cast<float>(scratch_.started[i]);
    return gap > 0 ? std::max(0.0f, visits) : 1e9f;
  }

  // Candidates: the existing children that may be visited. Returns their number and leaves the first-play value behind
  // the last.
  uint32_t FillCandidates(const Node& node, const Here& here, bool is_root)
      REQUIRES(tree_.nodes_mutex()) {
    const std::span<const ChildSlot> slots = tree_.children(node);
    const float* root_priors = is_root ? tree_.root_edges().priors.data() : nullptr;
    const uint32_t count = node.num_children;
    float visited_policy = 0;
    for (uint32_t i = 0; i < count; ++i) {
      const ChildSlot& slot = slots[i];
      const float p = is_root ? root_priors[i] : slot.p();
      scratch_.started[i] = slot.n + InFlight(slot);
      scratch_.granted[i] = 0;
      scratch_.numerator[i] = here.exploration * p;
      if (slot.n == 0) continue;
      visited_policy += p;
      scratch_.q[i] = ChildQ(here, slot);
    }
    const float fpu = FpuValue(*here.fpu, here.q, visited_policy);
    for (uint32_t i = 0; i < count; ++i) {
      if (slots[i].n == 0) scratch_.q[i] = fpu;
    }
    scratch_.q[count] = fpu;
    if (is_root) ExcludeRootMoves(count);
    return count;
  }

  // Moves that searchmoves left out, and those that cannot become the best any more, get no score that could win.
  void ExcludeRootMoves(uint32_t count) REQUIRES(tree_.nodes_mutex()) {
    const std::vector<uint8_t>& allowed = tree_.root_edges().allowed;
    int64_t most = 0;
    for (uint32_t i = 0; i < count; ++i) {
      if (allowed[i] && scratch_.started[i] > most) most = scratch_.started[i];
    }
    for (uint32_t i = 0; i < count; ++i) {
      if (allowed[i] && most - scratch_.started[i] <= params_.hopeless_after) continue;
      scratch_.q[i] = -1e29f;
      scratch_.numerator[i] = 0;
    }
  }

  // The next move without a child becomes a candidate. An expanded root has none.
  void AddUnvisited(const Here& here, const Node& node, float fpu, uint32_t* count)
      REQUIRES(tree_.nodes_mutex()) {
    const uint32_t i = (*count)++;
    const uint32_t ahead = i - node.num_children;
    if (ahead == 1) {
      scratch_.unvisited.Reset(tree_.edge_block(node));
      scratch_.unvisited.Take();
    }
    const uint16_t prior = ahead == 0 ? node.next_prior : scratch_.unvisited.Take();
    scratch_.q[i] = fpu;
    scratch_.numerator[i] = here.exploration * DecodePrior(prior);
    scratch_.started[i] = scratch_.granted[i] = 0;
  }

  // Calls `use` with the number of each candidate that was granted visits, in their order.
  template <class Use>
  void ForEachGrant(Use use) {
    for (uint32_t word = 0; word < scratch_.has_grant.size(); ++word) {
      for (uint64_t bits = scratch_.has_grant[word]; bits != 0; bits &= bits - 1)
        use(word * 64 + static_cast<uint32_t>(std::countr_zero(bits)));
    }
  }

  // The nodes lie anywhere: all are asked for before the first is needed.
  void PushGrants(NodeIndex index, Node& node) REQUIRES(tree_.nodes_mutex()) {
    ForEachGrant([&](uint32_t i) NO_THREAD_SAFETY_ANALYSIS {
      if (i < node.num_children) __builtin_prefetch(&tree_.node(tree_.children(node)[i].node), 1);
    });
    ForEachGrant([&](uint32_t i) NO_THREAD_SAFETY_ANALYSIS {
      if (i == node.num_children) tree_.AddChild(lock_, index);
      ChildSlot& slot = tree_.children(node)[i];
      const Node& child = Send(slot, scratch_.granted[i]);
      scratch_.grants.push_back({slot.node, scratch_.granted[i], child.move});
    });
  }

  const TreeWriteLock& lock_;
  Tree& tree_;
  const PickParams& params_;
  const PickQuota& quota_;
  const SelectionParams& selection_;
  PickScratch& scratch_;
  Minibatch& batch_;
  const bool white_at_root_;
  PickResult result_;
};

}  // namespace

PickResult PickNodeToExtend(const TreeWriteLock& lock, Tree& tree, const PickParams& params,
                            uint32_t visits, const PickQuota& quota, PickScratch* scratch,
                            Minibatch* batch) {
  if (batch->leaves.empty()) scratch->last_path.clear();
  scratch->path.clear();
  scratch->grants.clear();
  Descent descent(lock, tree, params, quota, scratch, batch);
  tree.node(tree.root()).n_in_flight += visits;
  descent.AssertLocked();
  descent.Visit(tree.root(), visits);
  batch->stats.terminal_visits += descent.result().terminal_visits;
  batch->stats.collisions += descent.result().collision_visits;
  return descent.result();
}

}  // namespace plexus
