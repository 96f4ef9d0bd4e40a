/** How often each rule about telling others had something to look at, so that a test can see that none of them sleeps. */
export type AlertLooks = ReturnType<typeof noAlertLooks>;

export function noAlertLooks() {
  return {
    /** Events that the endpoint took. */
    events: 0,
    /** Those that came to it more than once. */
    resent: 0,
    /** Requests that failed, of the endpoint and of the channel. */
    refusals: 0,
    /** The process died, or stood still, while somebody was being told. */
    strikes: 0,
    alarms: 0,
    recoveries: 0,
    /** Incidents of which the channel was told that they are over, and that it knew of. */
    toldOver: 0,
    toldOpen: 0,
    blindSpots: 0,
    flapping: 0,
    gathered: 0,
  };
}
