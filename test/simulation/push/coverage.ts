/** How often each rule about jobs had something to look at, so that a test can see that none of them sleeps. */
export type PushCoverage = ReturnType<typeof noPushCoverage>;

export function noPushCoverage() {
  return {
    recorded: 0,
    limited: 0,
    duration: 0,
    failed: 0,
    recovered: 0,
    missed: 0,
    overrun: 0,
    /** Runs and pings that nobody is blamed for, because we were away. */
    excusedRuns: 0,
    postponed: 0,
    missedAfterPostponement: 0,
    rearmed: 0,
    /** Calls that nobody heard, of which no job was blamed. */
    lostCalls: 0,
    reliable: 0,
    unobserved: 0,
    observed: 0,
    jobPartition: 0,
  };
}
