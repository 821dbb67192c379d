#pragma once
// Clang's thread-safety attributes; empty for other compilers.

#if defined(__clang__)
#define PLEXUS_ATTRIBUTE(x) __attribute__((x))
#else
#define PLEXUS_ATTRIBUTE(x)
#endif

#define CAPABILITY(x) PLEXUS_ATTRIBUTE(capability(x))
#define SCOPED_CAPABILITY PLEXUS_ATTRIBUTE(scoped_lockable)
#define GUARDED_BY(x) PLEXUS_ATTRIBUTE(guarded_by(x))
#define PT_GUARDED_BY(x) PLEXUS_ATTRIBUTE(pt_guarded_by(x))
#define REQUIRES(...) PLEXUS_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define EXCLUDES(...) PLEXUS_ATTRIBUTE(locks_excluded(__VA_ARGS__))
#define ACQUIRE(...) PLEXUS_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define RELEASE(...) PLEXUS_ATTRIBUTE(release_capability(__VA_ARGS__))
#define TRY_ACQUIRE(...) PLEXUS_ATTRIBUTE(try_acquire_capability(__VA_ARGS__))
#define ASSERT_CAPABILITY(x) PLEXUS_ATTRIBUTE(assert_capability(x))
#define RETURN_CAPABILITY(x) PLEXUS_ATTRIBUTE(lock_returned(x))
#define NO_THREAD_SAFETY_ANALYSIS PLEXUS_ATTRIBUTE(no_thread_safety_analysis)
