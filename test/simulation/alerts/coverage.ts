/** How often each rule about telling others had something to look at, so that a test can see that none of them sleeps. */
export type AlertCoverage = ReturnType<typeof noAlertCoverage>;

export function noAlertCoverage() {
  return {
    /** Events that the endpoint took. */
    events: 0,
    /** Those that came to it more than once. */
    resent: 0,
    /** Requests that failed, of the endpoint and of the channel. */
    refusals: 0,
    /** The process died, or stood still, while somebody was being told. */
    deliveryDisruptions: 0,
    alarms: 0,
    recoveries: 0,
    /** Incidents of which the channel was told that they are over, and that it knew of. */
    knownOver: 0,
    knownOpen: 0,
    deliveryGaps: 0,
    flapping: 0,
    grouped: 0,
  };
}
