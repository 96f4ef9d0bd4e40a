/**
 * Policies: who is notified of what, and when. Routes name the channels of an incident (`routing.ts`); POLICIES decide,
 * stage by stage, what each channel is sent and what waits. To change what people get, change a policy, its place in the
 * list, or leave it out. Pure: all facts are handed in, with the time; `alerting/notify` reads them and writes what
 * follows. Times are epoch milliseconds.
 */
import {
  beginning,
  changeOver,
  joining,
  partialRecovery,
  recovery,
  reminders,
  succession,
  worsening,
  escalation,
  flapping,
} from './changes.ts';
import { firstRuling, type Policy } from './contract.ts';
import { deliveryGap, type Backlog, type CatchUp } from './delivery-gap.ts';
import {
  dependencies,
  maintenance,
  outages,
  paused,
  monitorQuietHours,
  monitorSettings,
  quietEnd,
  grouping,
  quietHours,
} from './holds.ts';
import { storms } from './storms.ts';

/** All policies. Of each stage they are asked in this order, and the first ruling counts. */
export const POLICIES: readonly Policy[] = [
  // An event that is held is handed on to nobody, neither people nor webhook endpoints.
  { name: 'maintenance', of: 'event', apply: maintenance },

  // Not every channel that routes name is notified of every monitor.
  { name: 'monitor_settings', of: 'target', apply: monitorSettings },

  // Nobody is notified of an incident that is held.
  { name: 'paused', of: 'incident', apply: paused },
  { name: 'maintenance', of: 'incident', apply: maintenance },
  { name: 'dependencies', of: 'incident', apply: dependencies },
  { name: 'outages', of: 'incident', apply: outages },
  { name: 'monitor_quiet_hours', of: 'incident', apply: monitorQuietHours },
  { name: 'change_over', of: 'incident', apply: changeOver },

  // Nor of its end.
  { name: 'monitor_quiet_hours', of: 'end', apply: quietEnd },

  // Alerts that one message is about become one.
  { name: 'storms', of: 'alerts', apply: storms },

  // What a channel gets that was notified of the alert before.
  { name: 'worsening', of: 'recipient', apply: worsening },
  { name: 'flapping', of: 'recipient', apply: flapping },
  { name: 'succession', of: 'recipient', apply: succession },
  { name: 'recovery', of: 'recipient', apply: recovery },
  { name: 'joining', of: 'recipient', apply: joining },
  { name: 'partial_recovery', of: 'recipient', apply: partialRecovery },
  { name: 'reminders', of: 'recipient', apply: reminders },

  // What a channel gets that was not.
  { name: 'beginning', of: 'channel', apply: beginning },
  { name: 'escalation', of: 'channel', apply: escalation },

  // A notification waits for its time.
  { name: 'grouping', of: 'notification', apply: grouping },
  { name: 'quiet_hours', of: 'notification', apply: quietHours },

  // What a channel gets once it is reachable again.
  { name: 'delivery_gap', of: 'queue', apply: deliveryGap },
];

/** Decides what a channel that was unreachable is sent in place of its backlog. */
export function catchUp(backlog: Backlog, now: number, policies = POLICIES): CatchUp {
  const nothing = { gapMessage: null, repeated: [] };
  return firstRuling(policies, 'queue', backlog, now) ?? nothing;
}

export { WEEKDAYS, type QuietHours } from './routing.ts';
export { previewAlert, type Hold, type PreviewedTarget } from './preview.ts';
export { channelFrom, routeFrom } from './routing.ts';
export type { EscalationStep, Route } from './routing.ts';
