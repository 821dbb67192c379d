#pragma once
// What the dispatcher knows of one device: its streams, what they run, how fast it is, what it has done. No lock and no
// thread of its own: the dispatcher's lock guards it.

#include <condition_variable>
#include <functional>
#include <memory>
#include <vector>

#include "backend/batch_planner.h"
#include "backend/device_thread.h"
#include "base/clock.h"
#include "net/backend.h"

namespace plexus {

enum class StreamState : uint8_t {
  kStarting,  // its device is being made
  kPaused,    // its thread is between two slices
  kFree,      // its thread waits for work
  kAssigned,  // it has work that its thread has not fetched
  kRunning,
  kEnded,  // it gets no more work, and what it still answers counts for nothing
};

struct StreamRecord {
  StreamState state = StreamState::kStarting;
  bool asleep = false;          // its thread waits on `wake`
  Slice slice;                  // assigned or running
  int positions = 0;            // of slice
  Clock::TimePoint begin{};     // of the run
  Clock::TimePoint deadline{};  // when the run counts as stalled
  std::condition_variable wake;
  std::function<void()> interrupt;
};

class DeviceRecord {
 public:
  explicit DeviceRecord(int streams);

  // All streams are made.
  void Ready(const DeviceAttributes& attributes, Clock::TimePoint now);
  void Assign(StreamRecord* stream, SlicePart part);
  // Assigned -> running. A run is stalled after `stall_timeout` or 20 times its expected time, whichever is longer, and
  // 6 times that while the device warms up; zero: never.
  void Begin(StreamRecord* stream, Clock::TimePoint now, Clock::Duration stall_timeout);
  // Running -> paused; the batch is done and counts.
  void End(StreamRecord* stream, Clock::TimePoint now);
  // Running or assigned -> ended; appends its parts.
  void Revoke(StreamRecord* stream, Clock::TimePoint now, Slice* parts);

  int free_streams() const;
  StreamRecord* FreeStream() const;  // null if there is none
  int in_flight() const;             // positions assigned or running
  // Seconds for all that it has, from the beginning; 0 while its speed is not known.
  double Expected() const;
  // How long it will presumably still need for them; 0 while its speed is not known.
  double Backlog(Clock::TimePoint now) const;
  // Up to `now`.
  DeviceCounters Counters(Clock::TimePoint now) const;
  PlannerDevice ForPlanner(int number, Clock::TimePoint now) const;

  std::vector<std::unique_ptr<StreamRecord>> streams;  // condition variables stay put
  DeviceAttributes attributes;
  bool ready = false;
  bool failed = false;
  std::vector<SlicePart>
      own;  // policies that decide early: batches that wait for this device, each a part

 private:
  bool warm() const { return counters_.batches >= 2 * static_cast<int>(streams.size()); }
  // `running_` is about to change.
  void Tick(Clock::TimePoint now);

  DeviceCounters counters_;
  DeviceSpeed speed_;
  int running_ = 0;           // streams
  Clock::TimePoint since_{};  // until here busy and idle time are counted
  Clock::TimePoint
      work_since_{};  // of the batch that will be done next: the end of the one before, or its begin
};

}  // namespace plexus
