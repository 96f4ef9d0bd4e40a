/** Decides who is notified of what, and when. Pure: what is known is handed in, with the time. */
export { hasOpen, isKnownToSome, isWorse, worstOf } from './alert.ts';
export type { Alert, AlertStep, Member, Notification, Reach, Recipient } from './alert.ts';
export { catchUp } from './delivery-gap.ts';
export type { CatchUp, Undelivered } from './delivery-gap.ts';
export { heldByParents } from './dependencies.ts';
export type { ParentState } from './dependencies.ts';
export { FLAPPING_AT, FLAPPING_MS, isFlapping } from './flapping.ts';
export {
  audienceKey,
  GROUPING_MS,
  isReady,
  windowEnd,
  withoutOvertaken,
} from './grouping-window.ts';
export { WEEKDAYS } from './quiet-hours.ts';
export type { QuietHours } from './quiet-hours.ts';
export { targetsOf } from './routing.ts';
export type { EscalationStep, Route, RoutedChannel } from './routing.ts';
export { stepAlert } from './step-alert.ts';
export { causesOf, groupAlerts, JOIN_MS } from './storms.ts';
export type { Group, Groupable } from './storms.ts';
