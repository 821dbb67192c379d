#include "backend/dispatcher.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace plexus {
namespace {

constexpr const char* kShutDown = "The backend was shut down before it had evaluated this batch.";

std::string Text(Clock::Duration duration) {
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
  return ms < 10000 ? std::to_string(ms) + " ms" : std::to_string(ms / 1000) + " s";
}

}  // namespace

struct Dispatcher::Aftermath {
  std::array<std::condition_variable*, 16> sleepers;  // who got work
  size_t num_sleepers = 0;
  Slice lost;  // nobody will evaluate these
  std::string lost_cause;
  Slice dropped;  // nobody wants these; only their references are left
  std::vector<std::function<void()>> interrupts;

  void Wake(std::condition_variable* sleeper) {
    if (num_sleepers == sleepers.size()) return sleeper->notify_one();
    sleepers[num_sleepers++] = sleeper;
  }
  void WakeAll() {
    for (size_t i = 0; i < num_sleepers; ++i) sleepers[i]->notify_one();
    num_sleepers = 0;
  }
  void Apply() {
    WakeAll();
    for (const SlicePart& part : lost) part.ticket->GiveUp(part.count, lost_cause);
    for (const auto& interrupt : interrupts) interrupt();
  }
};

Dispatcher::Dispatcher(std::vector<DispatcherDevice> devices, Clock::Duration stall_timeout,
                       Clock* clock)
    : clock_(clock), stall_timeout_(stall_timeout), given_(std::move(devices)) {
  for (int device = 0; device < static_cast<int>(given_.size()); ++device) {
    devices_.push_back(std::make_unique<DeviceRecord>(given_[device].streams));
    for (int i = 0; i < given_[device].streams; ++i) places_.push_back({device, i});
  }
}

Dispatcher::~Dispatcher() = default;

std::string Dispatcher::Describe(int device) const {
  return given_[device].label + " (device " + std::to_string(device + 1) + " of " +
         std::to_string(given_.size()) + ")";
}

int Dispatcher::working() const {
  return static_cast<int>(
      std::ranges::count_if(devices_, [](const auto& device) { return !device->failed; }));
}

bool Dispatcher::all_started() const {
  return std::ranges::all_of(devices_,
                             [](const auto& device) { return device->ready || device->failed; });
}

void Dispatcher::WaitUntilReady() {
  MutexLock lock(mutex_);
  while (!all_started()) started_.wait(lock.native());
  if (!first_failure_.empty()) throw Exception(first_failure_);
}

void Dispatcher::SetPolicy(std::optional<SplitPolicy> policy) {
  MutexLock lock(mutex_);
  const bool all_cpus =
      std::ranges::all_of(devices_, [](const auto& device) { return device->attributes.is_cpu; });
  policy_ = policy.value_or(all_cpus ? SplitPolicy::kSpread : SplitPolicy::kFill);
}

SplitPolicy Dispatcher::policy() const {
  MutexLock lock(mutex_);
  return policy_;
}

// --- callers ---

bool Dispatcher::Evaluate(const TicketRef& ticket, std::stop_token cancel) {
  if (cancel.stop_requested()) return false;
  struct Inside {
    std::atomic<int>& count;
    ~Inside() { count.fetch_sub(1, std::memory_order_relaxed); }
  };
  evaluating_.fetch_add(1, std::memory_order_relaxed);
  const Inside inside{evaluating_};
  Clock::TimePoint check = Queue(ticket);
  Ticket::Outcome outcome;
  {
    const std::stop_callback on_stop(cancel, [raw = ticket.get()] { raw->Cancel(); });
    while ((outcome = ticket->Wait(clock_, check)) == Ticket::Outcome::kTimeout)
      check = CheckStalls();
  }
  if (outcome == Ticket::Outcome::kDone) return true;
  Withdraw(ticket.get());
  return false;
}

Clock::TimePoint Dispatcher::Queue(const TicketRef& ticket) {
  Aftermath after;
  Clock::TimePoint check = Clock::TimePoint::max();
  {
    MutexLock lock(mutex_);
    if (shut_down_) throw Exception(kShutDown);
    if (working() == 0) throw Exception("All devices failed: " + first_failure_);
    const Clock::TimePoint now = clock_->Now();
    if (stall_timeout_ > Clock::Duration::zero()) check = now + stall_timeout_;
    callers_ += 0.02 * (evaluating_.load(std::memory_order_relaxed) - callers_);
    callers_ = std::max<double>(callers_, evaluating_.load(std::memory_order_relaxed));
    if (IsStatic(policy_)) {
      DealOut({ticket, 0, ticket->size()}, now);
    } else {
      queue_.push_back({ticket, 0, ticket->size()});
    }
    Plan(now, &after);
  }
  after.Apply();
  return check;
}

Clock::TimePoint Dispatcher::CheckStalls() {
  if (stall_timeout_ <= Clock::Duration::zero()) return Clock::TimePoint::max();
  Aftermath after;
  Clock::TimePoint check;
  {
    MutexLock lock(mutex_);
    if (shut_down_) return Clock::TimePoint::max();
    const Clock::TimePoint now = clock_->Now();
    check = now + stall_timeout_;
    for (int i = 0; i < static_cast<int>(devices_.size()); ++i) {
      for (const auto& stream : devices_[i]->streams) {
        if (stream->state != StreamState::kRunning) continue;
        if (stream->deadline > now) {
          check = std::min(check, stream->deadline);
          continue;
        }
        FailDevice(i,
                   "it has not answered a batch of " + std::to_string(stream->positions) +
                       " positions for " + Text(now - stream->begin) + ".",
                   now, &after);
      }
    }
  }
  after.Apply();
  return check;
}

void Dispatcher::Withdraw(Ticket* ticket) {
  const auto is_part = [&](const SlicePart& part) { return part.ticket.get() == ticket; };
  Aftermath after;
  {
    MutexLock lock(mutex_);
    // The caller has a reference, so none of these is the last.
    std::erase_if(queue_, is_part);
    for (const auto& device : devices_) {
      std::erase_if(device->own, is_part);
      for (const auto& stream : device->streams) {
        if (stream->state != StreamState::kAssigned) continue;
        std::erase_if(stream->slice, is_part);
        stream->positions = PositionsIn(stream->slice);
        if (stream->slice.empty()) stream->state = StreamState::kFree;
      }
    }
    if (!shut_down_) Plan(clock_->Now(), &after);
  }
  after.Apply();
}

// --- planning ---

void Dispatcher::Plan(Clock::TimePoint now, Aftermath* after) {
  if (IsStatic(policy_)) {
    AssignOwn(after);
  } else if (!queue_.empty()) {
    PlanQueue(now, after);
  }
}

void Dispatcher::PlanQueue(Clock::TimePoint now, Aftermath* after) {
  candidates_.clear();
  for (int i = 0; i < static_cast<int>(devices_.size()); ++i) {
    const DeviceRecord& device = *devices_[i];
    if (!device.failed && device.free_streams() > 0)
      candidates_.push_back(device.ForPlanner(i, now));
  }
  if (candidates_.empty()) return;
  waiting_.clear();
  for (const SlicePart& part : queue_) waiting_.push_back(part.count);
  planner_.Plan({waiting_, candidates_, working(), static_cast<int>(callers_ + 0.5)}, policy_,
                &plan_);
  int batch = -1;
  StreamRecord* stream = nullptr;
  for (const PlannedPart& part : plan_) {
    DeviceRecord& device = *devices_[part.device];
    if (part.batch != batch) {
      batch = part.batch;
      stream = device.FreeStream();
    }
    SlicePart& from = queue_[part.waiting];
    // Parts come oldest first, so what is left of a ticket always begins at `from.begin`.
    Give(&device, stream, {from.ticket, from.begin, part.count}, after);
    from.begin += part.count;
    from.count -= part.count;
  }
  std::erase_if(queue_, [](const SlicePart& part) { return part.count == 0; });
}

void Dispatcher::AssignOwn(Aftermath* after) {
  for (const auto& device : devices_) {
    while (!device->own.empty()) {
      StreamRecord* const stream = device->FreeStream();
      if (stream == nullptr) break;
      Give(device.get(), stream, std::move(device->own.front()), after);
      device->own.erase(device->own.begin());
    }
  }
}

void Dispatcher::Give(DeviceRecord* device, StreamRecord* stream, SlicePart part,
                      Aftermath* after) {
  if (stream->asleep && stream->state == StreamState::kFree) after->Wake(&stream->wake);
  device->Assign(stream, std::move(part));
}

void Dispatcher::DealOut(SlicePart part, Clock::TimePoint now) {
  candidates_.clear();
  for (int i = 0; i < static_cast<int>(devices_.size()); ++i) {
    if (!devices_[i]->failed) candidates_.push_back(devices_[i]->ForPlanner(i, now));
  }
  PlanComputation(part.count, candidates_, policy_, &turn_, &plan_);
  for (const PlannedPart& planned : plan_)
    devices_[planned.device]->own.push_back(
        {part.ticket, part.begin + planned.begin, planned.count});
}

void Dispatcher::Requeue(Slice* parts, Clock::TimePoint now, Aftermath* after) {
  const auto wanted = [](const SlicePart& part) { return !part.ticket->cancelled(); };
  const auto unwanted = std::stable_partition(parts->begin(), parts->end(), wanted);
  std::move(unwanted, parts->end(), std::back_inserter(after->dropped));
  parts->erase(unwanted, parts->end());
  if (IsStatic(policy_)) {
    for (SlicePart& part : *parts) DealOut(std::move(part), now);
  } else {
    queue_.insert(queue_.begin(), std::make_move_iterator(parts->begin()),
                  std::make_move_iterator(parts->end()));
  }
  parts->clear();
}

// --- streams ---

void Dispatcher::OnDeviceReady(int stream, const DeviceAttributes& attributes,
                               std::function<void()> interrupt) {
  MutexLock lock(mutex_);
  StreamRecord& record = StreamAt(stream);
  record.state = StreamState::kPaused;
  record.interrupt = std::move(interrupt);
  DeviceRecord& device = DeviceOf(stream);
  const bool all = std::ranges::none_of(
      device.streams, [](const auto& s) { return s->state == StreamState::kStarting; });
  if (all) device.Ready(attributes, clock_->Now());
  if (all_started()) started_.notify_all();
}

void Dispatcher::OnDeviceUnavailable(int stream, const std::string& cause) {
  MutexLock lock(mutex_);
  StreamAt(stream).state = StreamState::kEnded;
  DeviceOf(stream).failed = true;
  if (first_failure_.empty()) {
    first_failure_ = "Backend " + Describe(places_[stream].device) + " cannot be used: " + cause;
  }
  if (all_started()) started_.notify_all();
}

bool Dispatcher::NextSlice(int stream, Slice* slice) {
  Aftermath after;
  bool has_work = false;
  {
    MutexLock lock(mutex_);
    StreamRecord& record = StreamAt(stream);
    DeviceRecord& device = DeviceOf(stream);
    if (record.state == StreamState::kPaused && !shut_down_ && !device.failed) {
      record.state = StreamState::kFree;
      Plan(clock_->Now(), &after);
      // Other streams may have got work rather than this one: before it sleeps, they are woken.
      if (record.state == StreamState::kFree) after.WakeAll();
      record.asleep = true;
      while (record.state == StreamState::kFree && !shut_down_ && !device.failed)
        record.wake.wait(lock.native());
      record.asleep = false;
    }
    has_work = record.state == StreamState::kAssigned;
    if (has_work) {
      device.Begin(&record, clock_->Now(), stall_timeout_);
      *slice = record.slice;
    } else {
      record.state = StreamState::kEnded;
    }
  }
  after.Apply();
  return has_work;
}

bool Dispatcher::Claim(int stream, bool repeated) {
  MutexLock lock(mutex_);
  StreamRecord& record = StreamAt(stream);
  if (record.state != StreamState::kRunning) return false;
  DeviceOf(stream).End(&record, clock_->Now());
  if (repeated) {
    notices_.push_back("Backend " + Describe(places_[stream].device) +
                       " answered a batch with numbers that were not finite; repeated, it was "
                       "right.");
  }
  return true;
}

// --- the end of a device ---

void Dispatcher::OnSliceFailed(int stream, const std::string& cause) {
  Aftermath after;
  {
    MutexLock lock(mutex_);
    StreamRecord& record = StreamAt(stream);
    if (record.state != StreamState::kRunning) return;  // it was out before
    record.interrupt = nullptr;                         // it does not hang
    FailDevice(places_[stream].device, cause, clock_->Now(), &after);
  }
  after.Apply();
}

void Dispatcher::FailDevice(int number, const std::string& cause, Clock::TimePoint now,
                            Aftermath* after) {
  DeviceRecord& device = *devices_[number];
  if (device.failed) return;
  Slice again;
  for (const auto& stream : device.streams) {
    if (stream->state == StreamState::kRunning) {
      if (stream->interrupt) after->interrupts.push_back(stream->interrupt);
      device.Revoke(stream.get(), now, &again);
    } else if (stream->state == StreamState::kAssigned) {
      device.Revoke(stream.get(), now, &again);
    }
    if (stream->asleep) after->Wake(&stream->wake);
  }
  std::ranges::move(device.own, std::back_inserter(again));
  device.own.clear();
  device.failed = true;
  const std::string failure = "Backend " + Describe(number) + " failed: " + cause;
  if (first_failure_.empty()) first_failure_ = failure;
  if (shut_down_ || working() == 0) {
    after->lost_cause = shut_down_ ? failure : "All devices failed: " + first_failure_;
    after->lost = std::move(again);
    TakeUnfetched(now, &after->lost);
    return;
  }
  notices_.push_back(failure + " Evaluation goes on with " +
                     (working() == 1 ? "one device." : std::to_string(working()) + " devices."));
  Requeue(&again, now, after);
  Plan(now, after);
}

void Dispatcher::TakeUnfetched(Clock::TimePoint now, Slice* parts) {
  std::ranges::move(queue_, std::back_inserter(*parts));
  queue_.clear();
  for (const auto& device : devices_) {
    std::ranges::move(device->own, std::back_inserter(*parts));
    device->own.clear();
    for (const auto& stream : device->streams) {
      if (stream->state == StreamState::kAssigned) device->Revoke(stream.get(), now, parts);
    }
  }
}

Clock::Duration Dispatcher::Shutdown() {
  Aftermath after;
  double expected_s = 0;
  {
    MutexLock lock(mutex_);
    shut_down_ = true;
    const Clock::TimePoint now = clock_->Now();
    after.lost_cause = kShutDown;
    TakeUnfetched(now, &after.lost);
    for (const auto& device : devices_) {
      if (!device->failed) expected_s = std::max(expected_s, device->Expected());
      for (const auto& stream : device->streams) {
        if (stream->asleep) after.Wake(&stream->wake);
      }
    }
  }
  after.Apply();
  return std::chrono::duration_cast<Clock::Duration>(std::chrono::duration<double>(expected_s));
}

void Dispatcher::Abandon(int stream) {
  Aftermath after;
  {
    MutexLock lock(mutex_);
    StreamRecord& record = StreamAt(stream);
    after.lost_cause = kShutDown;
    if (record.state == StreamState::kRunning)
      DeviceOf(stream).Revoke(&record, record.begin, &after.lost);
    record.state = StreamState::kEnded;
  }
  after.Apply();
}

// --- reports ---

std::vector<DeviceAttributes> Dispatcher::attributes() const {
  MutexLock lock(mutex_);
  std::vector<DeviceAttributes> result;
  for (const auto& device : devices_) result.push_back(device->attributes);
  return result;
}

std::vector<DeviceCounters> Dispatcher::counters() const {
  MutexLock lock(mutex_);
  const Clock::TimePoint now = clock_->Now();
  std::vector<DeviceCounters> result;
  for (const auto& device : devices_) result.push_back(device->Counters(now));
  return result;
}

std::vector<std::string> Dispatcher::TakeNotices() {
  MutexLock lock(mutex_);
  return std::exchange(notices_, {});
}

}  // namespace plexus
