/** Counts how often each rule had something to check, so that a test can require it. */
export type RuleCoverage = ReturnType<typeof noCoverage>;

export function noCoverage() {
  return {
    // Push monitors
    recorded: 0,
    limited: 0,
    duration: 0,
    failed: 0,
    recovered: 0,
    missed: 0,
    overrun: 0,
    /** Runs that are not reported, since the service may have missed their end. */
    excusedRuns: 0,
    postponed: 0,
    missedAfterPostponement: 0,
    rearmed: 0,
    /** Lost pings for which no job is reported. */
    lostCalls: 0,
    reliable: 0,
    unobserved: 0,
    observed: 0,
    jobPartition: 0,

    // Alerting
    /** Events that the endpoint accepted. */
    events: 0,
    /** Deliveries that arrived more than once. */
    resent: 0,
    /** Failed requests to the endpoint and the channel. */
    refusals: 0,
    /** Kills and freezes of the process while a delivery was in flight. */
    deliveryDisruptions: 0,
    alarms: 0,
    recoveries: 0,
    /** Incidents whose end the channel was sent. */
    knownOver: 0,
    knownOpen: 0,
    deliveryGaps: 0,
    flapping: 0,
    grouped: 0,
    /** Incidents in messages to channels of worlds with routes, those that were escalated, and those in reminders. */
    routed: 0,
    escalated: 0,
    reminded: 0,

    // History
    rolledUp: 0,
    daily: 0,
    /** Sums of days whose hours are kept. */
    recentDays: 0,
    keptDays: 0,
    droppedDays: 0,
    expired: 0,
    purged: 0,
    purgedTeams: 0,
    retained: 0,

    // Maintenance
    held: 0,
    neverNotified: 0,
    endedEarly: 0,
    excluded: 0,

    // Two processes
    owned: 0,
    handedOver: 0,
    shared: 0,

    // Checked monitors
    down: 0,
    regional: 0,
    up: 0,
    slow: 0,
    pace: 0,
    prompt: 0,
    paused: 0,
    away: 0,
    partition: 0,
    alwaysUp: 0,
    confirmedAfterManualAction: 0,
    wrongContent: 0,
    rightContent: 0,
    singleFamily: 0,
    bothFamilies: 0,
    inspectedBad: 0,
    inspectedGood: 0,
    inspectedAlwaysGood: 0,
    inspectedInTime: 0,
  };
}
