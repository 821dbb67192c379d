#pragma once
// Randomness at the root, for games that shall differ.

#include "base/random.h"
#include "mcts/params.h"
#include "mcts/tree.h"

namespace plexus {

// Mixes Dirichlet noise into tree.root_edges().priors: (1 - epsilon) * prior + epsilon * noise,
// over the allowed moves. Does nothing if epsilon is 0 or the root is not expanded. The edges
// themselves keep the network's priors.
void ApplyRootNoise(const TreeWriteLock& lock, Tree& tree, const SearchParams& params,
                    Random* random) REQUIRES(tree.nodes_mutex());

}  // namespace plexus
