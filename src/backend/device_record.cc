#include "backend/device_record.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <utility>

namespace plexus {
namespace {

constexpr double kStallFactor = 20;
constexpr int kWarmUpFactor = 6;

double Seconds(Clock::Duration duration) { return std::chrono::duration<double>(duration).count(); }

bool HasWork(const StreamRecord& stream) {
  return stream.state == StreamState::kAssigned || stream.state == StreamState::kRunning;
}

}  // namespace

DeviceRecord::DeviceRecord(int number) {
  for (int i = 0; i < number; ++i) streams.push_back(std::make_unique<StreamRecord>());
}

void DeviceRecord::Ready(const DeviceAttributes& given, Clock::TimePoint now) {
  attributes = given;
  attributes.max_batch = std::max(1, given.max_batch);
  attributes.best_batch = std::clamp(given.best_batch, 1, attributes.max_batch);
  attributes.batch_step = std::max(1, given.batch_step);
  counters_.name = given.name;
  ready = true;
  since_ = now;
}

void DeviceRecord::Assign(StreamRecord* stream, SlicePart part) {
  stream->state = StreamState::kAssigned;
  stream->positions += part.count;
  stream->slice.push_back(std::move(part));
}

void DeviceRecord::Begin(StreamRecord* stream, Clock::TimePoint now,
                         Clock::Duration stall_timeout) {
  Tick(now);
  if (running_++ == 0) work_since_ = now;
  stream->state = StreamState::kRunning;
  stream->begin = now;
  stream->deadline = Clock::TimePoint::max();
  if (stall_timeout <= Clock::Duration::zero()) return;
  const auto expected = std::chrono::duration_cast<Clock::Duration>(
      std::chrono::duration<double>(kStallFactor * Expected()));
  stream->deadline = now + std::max(stall_timeout, expected) * (warm() ? 1 : kWarmUpFactor);
}

void DeviceRecord::End(StreamRecord* stream, Clock::TimePoint now) {
  const size_t bucket = std::bit_width(static_cast<unsigned>(stream->positions)) - 1;
  counters_.positions += stream->positions;
  ++counters_.batches;
  if (counters_.batch_histogram.size() <= bucket) counters_.batch_histogram.resize(bucket + 1);
  ++counters_.batch_histogram[bucket];
  // What runs at once shares the card: a batch cost the time since the one before it was done.
  speed_.Add(stream->positions, Seconds(now - work_since_));
  work_since_ = now;
  Tick(now);
  --running_;
  counters_.stream_s += Seconds(now - stream->begin);
  stream->state = StreamState::kPaused;
  stream->slice.clear();  // never the last references: the stream's thread has its own
  stream->positions = 0;
}

void DeviceRecord::Revoke(StreamRecord* stream, Clock::TimePoint now, Slice* parts) {
  assert(HasWork(*stream));
  if (stream->state == StreamState::kRunning) {
    Tick(now);
    --running_;
  }
  stream->state = StreamState::kEnded;
  std::ranges::move(stream->slice, std::back_inserter(*parts));
  stream->slice.clear();
  stream->positions = 0;
}

void DeviceRecord::Tick(Clock::TimePoint now) {
  (running_ > 0 ? counters_.busy_s : counters_.idle_s) += Seconds(now - since_);
  since_ = now;
}

int DeviceRecord::free_streams() const {
  return static_cast<int>(std::ranges::count_if(
      streams, [](const auto& stream) { return stream->state == StreamState::kFree; }));
}

StreamRecord* DeviceRecord::FreeStream() const {
  StreamRecord* found = nullptr;
  for (const auto& stream : streams) {
    if (stream->state != StreamState::kFree) continue;
    if (!stream->asleep) return stream.get();  // it asks right now, nobody need be woken
    if (found == nullptr) found = stream.get();
  }
  return found;
}

int DeviceRecord::in_flight() const {
  int positions = 0;
  for (const auto& stream : streams) positions += stream->positions;
  return positions;
}

double DeviceRecord::Expected() const {
  double seconds = 0;
  for (const auto& stream : streams) {
    if (HasWork(*stream)) seconds += speed_.Seconds(stream->positions);
  }
  return seconds;
}

double DeviceRecord::Backlog(Clock::TimePoint now) const {
  if (!speed_.known()) return 0;
  // A device that is overdue is not about to be done: it may take as long again.
  return std::abs(Expected() - (running_ > 0 ? Seconds(now - work_since_) : 0));
}

DeviceCounters DeviceRecord::Counters(Clock::TimePoint now) const {
  DeviceCounters counters = counters_;
  counters.failed = failed;
  if (!ready || failed) return counters;
  (running_ > 0 ? counters.busy_s : counters.idle_s) += Seconds(now - since_);
  for (const auto& stream : streams) {
    if (stream->state == StreamState::kRunning) counters.stream_s += Seconds(now - stream->begin);
  }
  return counters;
}

PlannerDevice DeviceRecord::ForPlanner(int number, Clock::TimePoint now) const {
  PlannerDevice device;
  device.device = number;
  device.free_streams = free_streams();
  device.in_flight = in_flight();
  device.backlog_s = Backlog(now);
  device.max_batch = attributes.max_batch;
  device.best_batch = attributes.best_batch;
  device.batch_step = attributes.batch_step;
  device.speed = speed_;
  return device;
}

}  // namespace plexus
