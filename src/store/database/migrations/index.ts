import type { Engine } from '../dialect.ts';
import { first } from './0001-first.ts';
import { groupsAndPushMonitors } from './0002-groups-and-push-monitors.ts';
import { listOrder } from './0003-list-order.ts';
import { rateLimits } from './0004-rate-limits.ts';
import { pings } from './0005-pings.ts';
import { inspections } from './0006-inspections.ts';
import { people } from './0007-people.ts';
import { alerts } from './0008-alerts.ts';
import { probeOverload } from './0009-probe-overload.ts';
import { groupingWindows } from './0010-grouping-windows.ts';
import { incidentCounts } from './0011-incident-counts.ts';
import { webhookLanes } from './0012-webhook-lanes.ts';
import { durationIndex } from './0013-duration-index.ts';
import { oneOutbox } from './0014-one-outbox.ts';
import { columnNames } from './0015-column-names.ts';
import { monitorHosts } from './0016-monitor-hosts.ts';
import { monitorTags } from './0017-monitor-tags.ts';
import { notificationSettings } from './0018-notification-settings.ts';
import { budgets } from './0019-budgets.ts';
import { idempotencyKeys } from './0020-idempotency-keys.ts';
import { statusPages } from './0021-status-pages.ts';
import { corrections } from './0022-corrections.ts';
import { reports } from './0023-reports.ts';
import { oauth } from './0024-oauth.ts';
import { liveChanges } from './0025-live-changes.ts';
import { recentDays } from './0026-recent-days.ts';
import { installationHealth } from './0027-installation-health.ts';
import { roomInPages } from './0028-room-in-pages.ts';
import { deletedMonitors } from './0029-deleted-monitors.ts';
import { incidentRounds } from './0030-incident-rounds.ts';
import { notifiedIncidents } from './0031-notified-incidents.ts';
import { reportCrashes } from './0032-report-crashes.ts';
import { formerPingTokens } from './0033-former-ping-tokens.ts';
import { boundSecrets } from './0034-bound-secrets.ts';

export interface NamedMigration {
  /** Name with its number, which sorts after all earlier names. */
  name: string;
  /** Statements that migrate a database of the previous version. */
  statements(engine: Engine): string[];
  /**
   * Whether programs of the release before fail on the tables that it leaves, or leave rows there that this release does not
   * understand. Then all of them are stopped before it runs, and none starts afterwards. Without it the migration only adds
   * to the tables, which the test beside this file checks.
   */
  isBreaking?: true;
}

/**
 * All migrations in order. Append only: a released migration is never changed, renamed or removed, as existing databases
 * have run it. The test beside this file holds the hash of each.
 */
export const MIGRATIONS: readonly NamedMigration[] = [
  { name: '0001-first', statements: first },
  { name: '0002-groups-and-push-monitors', statements: groupsAndPushMonitors },
  { name: '0003-list-order', statements: listOrder },
  { name: '0004-rate-limits', statements: rateLimits },
  { name: '0005-pings', statements: pings },
  { name: '0006-inspections', statements: inspections },
  { name: '0007-people', statements: people },
  { name: '0008-alerts', statements: alerts },
  { name: '0009-probe-overload', statements: probeOverload },
  { name: '0010-grouping-windows', statements: groupingWindows },
  { name: '0011-incident-counts', statements: incidentCounts },
  { name: '0012-webhook-lanes', statements: webhookLanes },
  { name: '0013-duration-index', statements: durationIndex },
  { name: '0014-one-outbox', statements: oneOutbox },
  { name: '0015-column-names', statements: columnNames },
  { name: '0016-monitor-hosts', statements: monitorHosts },
  { name: '0017-monitor-tags', statements: monitorTags },
  { name: '0018-notification-settings', statements: notificationSettings },
  { name: '0019-budgets', statements: budgets },
  { name: '0020-idempotency-keys', statements: idempotencyKeys },
  { name: '0021-status-pages', statements: statusPages },
  { name: '0022-corrections', statements: corrections },
  { name: '0023-reports', statements: reports },
  { name: '0024-oauth', statements: oauth },
  { name: '0025-live-changes', statements: liveChanges },
  { name: '0026-recent-days', statements: recentDays },
  { name: '0027-installation-health', statements: installationHealth },
  { name: '0028-room-in-pages', statements: roomInPages },
  { name: '0029-deleted-monitors', statements: deletedMonitors },
  { name: '0030-incident-rounds', statements: incidentRounds },
  { name: '0031-notified-incidents', statements: notifiedIncidents },
  { name: '0032-report-crashes', statements: reportCrashes },
  { name: '0033-former-ping-tokens', statements: formerPingTokens },
  { name: '0034-bound-secrets', statements: boundSecrets },
];
