#include "tools/backend_bench.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

#include "backend/cpu/cpu_peak.h"
#include "backend/cpu/dispatch.h"
#include "backend/registry.h"
#include "base/clock.h"
#include "base/exception.h"
#include "base/files.h"
#include "base/options_parser.h"
#include "base/strings.h"
#include "net/encoder.h"
#include "net/network_cost.h"
#include "net/policy_map.h"
#include "net/random_weights.h"
#include "net/weights_file.h"
#include "tools/bench_crew.h"

namespace plexus {
namespace {

struct BenchParams {
  std::string batches;
  int start_batch_size = 0, max_batch_size = 0, batch_step = 0;
  std::string random_network = "64x6";
  std::string threads = "1";
  int rounds = 25;
  int round_ms = 4;
  bool peak = false;
  bool through_backend = false;
  bool json = false;
  std::string json_file;
};

const OptionRow<BenchParams> kBenchOptions[] = {
    {&BenchParams::batches, "Batches", "batches", 0, 0,
     "batch sizes, for example 1,8,64; default 1,2,4,...,256"},
    {&BenchParams::start_batch_size, "StartBatchSize", "start-batch-size", 0, 65536,
     "first batch size of a sweep"},
    {&BenchParams::max_batch_size, "MaxBatchSize", "max-batch-size", 0, 65536,
     "last batch size of a sweep"},
    {&BenchParams::batch_step, "BatchStep", "batch-step", 0, 65536,
     "distance of the batch sizes of a sweep"},
    {&BenchParams::random_network, "RandomNetwork", "random-network", 0, 0,
     "without --weights: channels x blocks of a network of random weights, for example 128x10"},
    {&BenchParams::threads, "Threads", "threads", 0, 0,
     "numbers of threads to measure, for example 1,2; each has a device of its own",
     OptionVisibility::kNormal, "", 't'},
    {&BenchParams::rounds, "Rounds", "rounds", 1, 10000,
     "passes over all batch sizes; the table shows each one's best and median pass"},
    {&BenchParams::round_ms, "RoundMs", "round-ms", 1, 60000,
     "least time that a batch size runs in one pass"},
    {&BenchParams::peak, "Peak", "peak", 0, 0,
     "measures this machine's multiply-add peak between the passes and shows every row as its "
     "multiple"},
    {&BenchParams::through_backend, "ThroughBackend", "through-backend", 0, 0,
     "evaluates through the whole backend (encoding, queue, decoding) instead of its devices; no "
     "cache"},
    {&BenchParams::json, "Json", "json", 0, 0,
     "prints JSON instead of the table; --json=FILE writes it there too"},
    {&BenchParams::json_file, "JsonFile", "json-file", 0, 0, "also writes the JSON to this file"},
};

using SystemClock = std::chrono::steady_clock;

double SecondsSince(SystemClock::time_point start) {
  return std::chrono::duration<double>(SystemClock::now() - start).count();
}

// ---- what is measured ----

struct Row {
  int threads = 1, batch = 1;
  std::vector<double> seconds;  // of one batch on every thread, by pass
  double Best() const { return *std::min_element(seconds.begin(), seconds.end()); }
  double Median() const {
    std::vector<double> sorted = seconds;
    std::nth_element(sorted.begin(), sorted.begin() + sorted.size() / 2, sorted.end());
    return sorted[sorted.size() / 2];
  }
  double PositionsPerSecond() const { return threads * batch / Best(); }
};

struct Peaks {
  std::string isa;                       // that the ratios refer to: the widest of this machine
  std::map<std::string, double> by_isa;  // operations a second
  double convolution_seconds = 1e9;      // 64 -> 64, 64 boards
  double Reference() const { return by_isa.at(isa); }
};

struct Report {
  std::string network, backend, device;
  double operations_per_position = 0;   // nominal; 0 if not counted
  double encode_us = 0, decode_us = 0;  // of one position
  std::vector<Row> rows;
  std::optional<Peaks> peaks;
};

constexpr int kConvolutionChannels = 64, kConvolutionBoards = 64;
constexpr double kConvolutionOperations =
    2.0 * 64 * 9 * kConvolutionChannels * kConvolutionChannels * kConvolutionBoards;

std::vector<int> ParseList(const std::string& text, const char* what) {
  std::vector<int> result;
  for (const std::string& piece : Split(text, ','))
    result.push_back(static_cast<int>(ParseInt(piece, what, 1, 65536)));
  return result;
}

std::vector<int> BatchSizes(const BenchParams& params) {
  if (!params.batches.empty()) return ParseList(params.batches, "--batches");
  if (params.start_batch_size == 0 && params.max_batch_size == 0 && params.batch_step == 0) {
    return {1, 2, 4, 8, 16, 32, 64, 128, 256};
  }
  const int start = std::max(1, params.start_batch_size), step = std::max(1, params.batch_step);
  const int last = params.max_batch_size > 0 ? params.max_batch_size : std::max(start, 256);
  if (last < start) {
    throw Exception("backendbench: --max-batch-size " + std::to_string(last) +
                    " is below --start-batch-size " + std::to_string(start) + ".");
  }
  std::vector<int> result;
  for (int batch = start; batch <= last; batch += step) result.push_back(batch);
  return result;
}

// ---- measuring ----

void MeasurePeaks(Peaks* peaks) {
  for (const CpuIsa& isa : BuiltCpuIsas()) {
    if (!isa.is_supported()) continue;
    const std::string name = std::string(isa.kernels->isa) + "-" + isa.kernels->precision;
    if (peaks->isa.empty()) peaks->isa = name;  // the first is in single precision
    double& best = peaks->by_isa[name];
    best = std::max(best, MeasureFmaPeak(*isa.kernels, 3));
  }
  peaks->convolution_seconds = std::min(
      peaks->convolution_seconds,
      MeasureConvolution(SelectCpuKernels("auto"), kConvolutionChannels, kConvolutionBoards, 3));
}

// Passes go over all batch sizes in turn, so that a disturbance hits one pass of each rather than all of one.
void MeasureRows(const BenchParams& params, const std::vector<int>& batches, BenchCrew* crew,
                 Report* report) {
  std::vector<Row> rows;
  std::vector<int> runs;
  for (const int batch : batches) {
    rows.push_back({crew->threads(), batch, {}});
    crew->Time(batch, 1);  // caches and scratch are warm after it
    const double once = crew->Time(batch, 1);
    runs.push_back(std::max(1, static_cast<int>(params.round_ms * 1e-3 / std::max(once, 1e-7))));
  }
  for (int round = 0; round < params.rounds; ++round) {
    if (report->peaks) MeasurePeaks(&*report->peaks);
    for (size_t i = 0; i < rows.size(); ++i) {
      rows[i].seconds.push_back(crew->Time(rows[i].batch, runs[i]) / runs[i]);
    }
  }
  report->rows.insert(report->rows.end(), rows.begin(), rows.end());
}

void MeasureCodec(const std::vector<CrewPosition>& positions, InputFormat format, bool has_wdl,
                  Report* report) {
  const std::vector<float> policy(256, 0.25f), value = {0.5f, 0.25f, 0.25f};
  std::vector<uint16_t> indices(256);
  std::vector<float> probabilities(256);
  double encode = 1e9, decode = 1e9;
  for (int round = 0; round < 9; ++round) {
    InputPlanes planes;
    auto start = SystemClock::now();
    for (const CrewPosition& p : positions) {
      const int transform = EncodePlanes(format, HistoryFill::kFenOnly, p.history, &planes);
      PolicyIndices(p.legal_moves, p.history.back().board.side_to_move(), transform, indices);
    }
    encode = std::min(encode, SecondsSince(start));
    start = SystemClock::now();
    for (const CrewPosition& p : positions) {
      EvalOutput out;
      out.policy = std::span(probabilities).first(p.legal_moves.size());
      DecodeEvaluation(std::span(policy).first(p.legal_moves.size()), value, 0, has_wdl, 1, &out);
    }
    decode = std::min(decode, SecondsSince(start));
  }
  report->encode_us = encode / static_cast<double>(positions.size()) * 1e6;
  report->decode_us = decode / static_cast<double>(positions.size()) * 1e6;
}

// ---- output ----

void PrintTable(const Report& report) {
  std::printf("network  %s\nbackend  %s\n", report.network.c_str(), report.device.c_str());
  if (report.operations_per_position > 0) {
    std::printf("nominal  %.2f MFLOP a position\n", report.operations_per_position * 1e-6);
  }
  std::printf("a position's encoding %.2f us, decoding %.2f us (one thread)\n", report.encode_us,
              report.decode_us);
  if (report.peaks) {
    for (const auto& [isa, peak] : report.peaks->by_isa) {
      std::printf("peak     %-12s %7.1f GFLOP/s, one thread%s\n", isa.c_str(), peak * 1e-9,
                  isa == report.peaks->isa ? " (P)" : "");
    }
    const double convolution = kConvolutionOperations / report.peaks->convolution_seconds;
    std::printf("one 64->64 3x3 convolution, 64 boards: %.1f GFLOP/s nominal, %.2f P\n",
                convolution * 1e-9, convolution / report.peaks->Reference());
  }
  std::printf("\nthreads  batch  positions/s  ms median     ms min   GFLOP/s%s  scaling\n",
              report.peaks ? "       P" : "");
  std::map<int, double> first_of_batch;
  for (const Row& row : report.rows) {
    const double rate = row.PositionsPerSecond();
    const double flops = rate * report.operations_per_position;
    const double base = first_of_batch.emplace(row.batch, rate).first->second;
    std::printf("%7d %6d %12.0f %10.3f %10.3f %9.1f", row.threads, row.batch, rate,
                row.Median() * 1e3, row.Best() * 1e3, flops * 1e-9);
    if (report.peaks) std::printf(" %7.2f", flops / report.peaks->Reference());
    std::printf(" %8.2f\n", rate / base);
  }
}

std::string Quote(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) result += c;
  }
  return result + "\"";
}

std::string ToJson(const Report& report) {
  std::ostringstream text;
  text << "{\"network\":" << Quote(report.network) << ",\"backend\":" << Quote(report.backend)
       << ",\"device\":" << Quote(report.device)
       << ",\"flop_per_position\":" << report.operations_per_position
       << ",\"encode_us\":" << report.encode_us << ",\"decode_us\":" << report.decode_us;
  if (report.peaks) {
    text << ",\"peak_isa\":" << Quote(report.peaks->isa) << ",\"peak_gflops\":{";
    const char* separator = "";
    for (const auto& [isa, peak] : report.peaks->by_isa) {
      text << separator << Quote(isa) << ":" << peak * 1e-9;
      separator = ",";
    }
    text << "},\"conv64_gflops\":"
         << kConvolutionOperations / report.peaks->convolution_seconds * 1e-9;
  }
  text << ",\"rows\":[";
  const char* separator = "";
  for (const Row& row : report.rows) {
    const double rate = row.PositionsPerSecond();
    text << separator << "{\"threads\":" << row.threads << ",\"batch\":" << row.batch
         << ",\"positions_per_second\":" << rate << ",\"ms_median\":" << row.Median() * 1e3
         << ",\"ms_min\":" << row.Best() * 1e3
         << ",\"gflops\":" << rate * report.operations_per_position * 1e-9;
    if (report.peaks) {
      text << ",\"of_peak\":" << rate * report.operations_per_position / report.peaks->Reference();
    }
    text << "}";
    separator = ",";
  }
  text << "]}\n";
  return text.str();
}

// ---- assembling ----

// A random network of the usual kind: squeeze-and-excite of an eighth of the channels, convolution policy, W/D/L.
NetworkWeights MakeRandomNetwork(const std::string& size) {
  const std::vector<std::string> numbers = Split(size, 'x');
  if (numbers.size() != 2) {
    throw Exception("backendbench: --random-network=" + size + " is no size.",
                    "Write for example 128x10.");
  }
  RandomNetworkShape shape;
  shape.channels = static_cast<int>(ParseInt(numbers[0], "channels of --random-network", 1, 2048));
  shape.blocks = static_cast<int>(ParseInt(numbers[1], "blocks of --random-network", 0, 100));
  shape.se_channels = std::max(1, shape.channels / 8);
  shape.moves_left = false;
  return RandomWeights(shape, 1);
}

std::shared_ptr<const NetworkWeights> LoadOrMake(const BenchParams& params,
                                                 const BackendParams& backend_params,
                                                 Report* report) {
  if (!backend_params.weights_file.empty()) {
    report->network = backend_params.weights_file;
    return std::make_shared<NetworkWeights>(LoadWeights(backend_params.weights_file));
  }
  report->network = "random weights, " + params.random_network + ", squeeze-and-excite";
  return std::make_shared<NetworkWeights>(MakeRandomNetwork(params.random_network));
}

std::vector<DeviceFactory> PlanFactories(const BackendParams& params,
                                         const std::vector<int>& batches,
                                         std::shared_ptr<const NetworkWeights> weights,
                                         Clock* clock, Report* report) {
  const BackendRow& row = FindBackendRow(params.backend);
  report->backend = row.name;
  DeviceConfig config{std::move(weights), OptionsDict::Parse(params.backend_options), clock};
  if (!config.options.children().empty()) {
    throw Exception(
        "backendbench drives the devices of one specification, and --backend-opts names several.",
        "Add --through-backend.");
  }
  const int largest = *std::max_element(batches.begin(), batches.end());
  if (report->backend == "cpu" && !config.options.Has("max_batch") && largest > 256) {
    config.options.Set("max_batch", std::to_string(largest));
  }
  std::vector<DeviceFactory> factories;
  for (const PlannedDevice& device : PlanBackendRow(row, config))
    factories.insert(factories.end(), device.streams.begin(), device.streams.end());
  const DeviceAttributes attributes = factories.at(0)()->attributes();
  report->device = attributes.name;
  return factories;
}

// "--json=FILE" is short for --json --json-file=FILE; "--json=true" and so on stay what they are.
std::vector<std::string> ExpandJson(std::span<const std::string> args) {
  std::vector<std::string> result;
  for (const std::string& arg : args) {
    const bool has_file =
        arg.starts_with("--json=") && arg != "--json=true" && arg != "--json=false";
    if (has_file) result.push_back("--json-file=" + arg.substr(7));
    if (!has_file) result.push_back(arg);
  }
  return result;
}

void MeasureAll(const BenchParams& params, const BackendParams& backend_params, Report* report) {
  const std::vector<int> batches = BatchSizes(params);
  const std::vector<int> threads = ParseList(params.threads, "--threads");
  SteadyClock clock;
  const std::shared_ptr<const NetworkWeights> weights = LoadOrMake(params, backend_params, report);
  report->operations_per_position = static_cast<double>(FlopsPerPosition(*weights));
  const int pool = std::clamp(*std::max_element(batches.begin(), batches.end()), 64, 1024);
  const std::vector<CrewPosition> positions = MakeCrewPositions(weights->input_format, pool, 2026);
  MeasureCodec(positions, weights->input_format, weights->has_wdl(), report);
  if (params.peak) report->peaks.emplace();
  std::shared_ptr<Backend> backend;
  std::vector<DeviceFactory> factories;
  if (params.through_backend) {
    BackendParams without_cache = backend_params;
    without_cache.nn_cache_size = 0;
    backend = MakeBackend(without_cache, weights, &clock);
    report->backend = backend_params.backend;
    report->device = backend->attributes().description + ", whole backend";
  } else {
    factories = PlanFactories(backend_params, batches, weights, &clock, report);
  }
  for (const int count : threads) {
    std::vector<BatchRunnerMaker> makers;
    for (int i = 0; i < count; ++i) {
      makers.push_back(backend ? ComputationRunner(backend.get(), &positions)
                               : DeviceRunner(factories[i % factories.size()], &positions));
    }
    BenchCrew crew(makers);
    MeasureRows(params, batches, &crew, report);
  }
}

}  // namespace

int RunBackendBench(std::span<const std::string> args) {
  BenchParams params;
  BackendParams backend_params;
  backend_params.backend = "cpu";
  OptionSet options;
  options.Add(kBenchOptions, &params);
  options.Add(kBackendOptions, &backend_params);
  if (WantsHelp(args)) {
    std::printf(
        "plexus backendbench [--weights=FILE] [--backend=cpu] [--backend-opts=...] [options]\n\n"
        "Positions a second by batch size and threads. Without --weights, a random network of 64 "
        "channels and 6\n"
        "blocks. Times are those of the best pass: other programs only ever slow a pass "
        "down.\n\n%s",
        options.Help(true).c_str());
    return 0;
  }
  const std::vector<std::string> expanded = ExpandJson(args);
  const std::vector<std::string> words = ParseCommandLine(expanded, &options);
  if (!words.empty())
    throw Exception("backendbench: \"" + words[0] + "\" is no option.", "--help lists them.");
  Report report;
  MeasureAll(params, backend_params, &report);
  if (!params.json_file.empty()) WriteFile(params.json_file, ToJson(report));
  if (params.json) {
    std::fputs(ToJson(report).c_str(), stdout);
  } else {
    PrintTable(report);
  }
  return 0;
}

}  // namespace plexus
