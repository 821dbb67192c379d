#pragma once
// What the user may say about networks and the hardware that runs them. The default of an option is its field's.

#include <string>

#include "base/options.h"
#include "net/input_format.h"

namespace plexus {

struct BackendParams {
  std::string weights_file;      // empty: looked for (see the engine), or none needed
  std::string backend = "auto";  // a row of registry.cc or "auto"
  std::string backend_options;   // see specification.h
  float policy_temperature = 1.359f;
  std::string history_fill = "fen_only";
  // About 112 bytes an entry, touched as it fills: 112 MB when full.
  int nn_cache_size = 1000000;
  // History is part of what the network sees, so that only 7 answers what the network would have answered. Smaller
  // values hit more often and make an answer depend on which path asked first: the same search then differs with the
  // state of the cache. Ignoring history cost a sister engine about 50 Elo at equal time.
  int cache_history_length = 7;
};

// `choices` of Backend are "auto" and the rows of registry.cc with their aliases; registry_test compares them.
inline const OptionRow<BackendParams> kBackendOptions[] = {
    {&BackendParams::weights_file, "WeightsFile", "weights", 0, 0,
     "network file (lc0 format, gzip or plain); empty: the built-in network or one found beside "
     "the program",
     OptionVisibility::kNormal, "", 'w'},
    {&BackendParams::backend, "Backend", "backend", 0, 0,
     "what evaluates positions; auto takes the fastest that works here, multiplexing joins those "
     "in BackendOptions",
     OptionVisibility::kNormal,
     "auto|cudnn-fp16|cudnnfp16|cudnn|cpu|fake|material|reference|sim|multiplexing|demux|"
     "roundrobin|check|record|replay",
     'b'},
    {&BackendParams::backend_options, "BackendOptions", "backend-opts", 0, 0,
     "key=value,... of the backend; or several of them: (backend=cpu,threads=1),(backend=fake); "
     "keys outside the parentheses hold for each",
     OptionVisibility::kNormal, "", 'o'},
    {&BackendParams::policy_temperature, "PolicyTemperature", "policy-softmax-temp", 0.1, 10,
     "softmax temperature of the network's policy; higher looks at more moves"},
    {&BackendParams::history_fill, "HistoryFill", "history-fill", 0, 0,
     "what stands in for positions before the known game: nothing, copies unless the start "
     "position, copies",
     OptionVisibility::kNormal, "no|fen_only|always"},
    {&BackendParams::nn_cache_size, "NNCacheSize", "nncache", 0, 999999999,
     "network answers to remember, about 112 bytes each; 0 remembers none"},
    {&BackendParams::cache_history_length, "CacheHistoryLength", "cache-history-length", 0, 7,
     "earlier positions that must be equal too for a remembered answer to count; 7 is exact, 0 "
     "hits most",
     OptionVisibility::kExpert},
};

// "no", "fen_only" or "always". Throws Exception naming the choices.
HistoryFill ParseHistoryFill(const std::string& text);

}  // namespace plexus
