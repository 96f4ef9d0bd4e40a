import type { Kysely } from 'kysely';
import {
  heldUntil,
  isInScope,
  occurrencesAfter,
  scheduleOf,
} from '../../engine/maintenance/window.ts';
import { loadRecurrences, type Recurrences } from '../../lib/recurrence.ts';
import type { Schema } from '../../store/database/schema.ts';
import { listUpdates, type UpdateRow } from '../../store/resources/announcement-updates.ts';
import { withLinks } from '../../store/resources/announcements.ts';
import {
  notifiedPages,
  oldestFollowed,
  openDetectedIncidents,
  publishedAnnouncements,
  publishedIncidents,
  publishedOccurrences,
  publishedServices,
  reclassifiedIncidents,
  type PublishedSearch,
  type PublishedServiceRow,
} from '../../store/resources/publishing.ts';
import { monitorsOfTeam } from '../../store/resources/scoped-monitors.ts';
import type { Impact, ShowAutomatic } from '../facts/model.ts';
import type {
  PageRules,
  PublishedAnnouncement,
  PublishedOccurrence,
  PublishedUpdate,
  PublishingFacts,
} from './facts.ts';
import { REOPENING_MS } from './decide-incidents.ts';

const DAY_MS = 86_400_000;
/** Windows that recur at shorter distances are frequent: a week, less the hour of a change of clocks. */
const WEEKLY_MS = 7 * DAY_MS - 3_600_000;
/** Announcements that began before are not looked at once they have ended. */
const LOOK_BACK_MS = 31 * DAY_MS;
/** Recurrences that are looked at to find the distance between them. */
const RECURRENCES = 4;

/** Reads what is to be published for a team. */
export async function readPublishing(
  db: Kysely<Schema>,
  teamId: number,
  now: number,
): Promise<PublishingFacts> {
  const pages = pagesOf(await publishedServices(db, teamId));
  const monitorIds = [...new Set(pages.flatMap(servicesOf))];
  const open = await openDetectedIncidents(db, monitorIds);
  const reclassified = await reclassifiedIncidents(db, monitorIds, now - DAY_MS);
  const occurrences = await readOccurrences(db, teamId, now);
  const announcements = await readAnnouncements(db, teamId, {
    incidentIds: [...open, ...reclassified],
    windowIds: [...new Set(occurrences.map(({ windowId }) => windowId))],
    windowsFrom: Math.min(now, ...occurrences.map(({ from }) => from)),
    now,
  });
  const linked = announcements.flatMap(({ incidents }) => incidents);
  const rows = await publishedIncidents(db, [...new Set([...open, ...linked])]);
  const held = (monitorId: number) =>
    heldUntil(
      occurrences.map((one) => ({ ...one, teamId, groups: [], tags: [] })),
      { id: monitorId, groupIds: [], tags: [] },
      now,
    ) !== null;
  const incidents = rows.map((row) => ({
    id: row.id,
    monitorId: row.monitor_id,
    type: row.type,
    severity: row.severity,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    isHeld: row.ended_at === null && held(row.monitor_id),
    isFalseAlarm: Boolean(row.is_false_alarm),
  }));
  return { pages, incidents, announcements, occurrences };
}

const servicesOf = ({ services }: PageRules) => services.map(({ monitorId }) => monitorId);

function pagesOf(rows: readonly PublishedServiceRow[]): PageRules[] {
  const byPage = Map.groupBy(rows, (row) => row.page_id);
  return [...byPage].map(([id, services]) => ({
    id,
    services: services.flatMap(({ monitor_id, show_automatic }) =>
      monitor_id === null
        ? []
        : [{ monitorId: monitor_id, afterMinutes: afterMinutesOf(show_automatic) }],
    ),
  }));
}

function afterMinutesOf(json: string): number | null {
  const show = JSON.parse(json) as ShowAutomatic;
  return 'after_minutes' in show ? show.after_minutes : null;
}

/** Occurrences that have not ended, and what open announcements follow although it ended a while ago. */
async function readOccurrences(
  db: Kysely<Schema>,
  teamId: number,
  now: number,
): Promise<PublishedOccurrence[]> {
  const oldest = (await oldestFollowed(db, teamId)) ?? now;
  const rows = await publishedOccurrences(db, teamId, Math.min(oldest, now));
  if (rows.length === 0) return [];
  const monitors = await monitorsOfTeam(db, teamId);
  const recurrences = rows.some(({ rrule }) => rrule !== null) ? await loadRecurrences() : null;
  return rows.map((row) => {
    const scope = {
      monitors: JSON.parse(row.monitors) as number[],
      groups: JSON.parse(row.groups) as number[],
      tags: JSON.parse(row.tags) as string[],
    };
    return {
      windowId: row.window_id,
      name: row.name,
      from: row.from_at,
      to: row.to_at,
      monitors: monitors.filter((one) => isInScope(scope, one)).map(({ id }) => id),
      isFrequent: isFrequent(row, recurrences),
    };
  });
}

function isFrequent(
  window: Parameters<typeof scheduleOf>[0],
  recurrences: Recurrences | null,
): boolean {
  if (window.rrule === null) return false;
  const starts: number[] = [];
  for (const { from } of occurrencesAfter(scheduleOf(window), window.starts_at - 1, recurrences)) {
    starts.push(from);
    if (starts.length === RECURRENCES) break;
  }
  return starts.some((from, index) => index > 0 && from - starts[index - 1]! < WEEKLY_MS);
}

async function readAnnouncements(
  db: Kysely<Schema>,
  teamId: number,
  {
    now,
    ...about
  }: Pick<PublishedSearch, 'incidentIds' | 'windowIds' | 'windowsFrom'> & { now: number },
): Promise<PublishedAnnouncement[]> {
  const found = await publishedAnnouncements(db, teamId, {
    ...about,
    endedAfter: now - REOPENING_MS,
    startedAfter: now - LOOK_BACK_MS,
  });
  const rows = await withLinks(db, found);
  const updates = await listUpdates(
    db,
    rows.map(({ id }) => id),
  );
  const mailed = await notifiedPages(
    db,
    updates.map(({ id }) => id),
  );
  const updatesOf = Map.groupBy(updates, (update) => update.announcement_id);
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind as PublishedAnnouncement['kind'],
    origin: row.origin as PublishedAnnouncement['origin'],
    title: row.title,
    impact: row.impact as Impact,
    state: row.state,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    plannedUntil: row.planned_until,
    windowId: row.window_id,
    windowFrom: row.window_from,
    isDeleted: row.deleted_at !== null,
    isEdited: row.person_id !== null,
    pages: row.pages,
    monitors: row.monitors,
    incidents: row.incidents,
    updates: (updatesOf.get(row.id) ?? []).map((update) =>
      publishedUpdate(update, mailed.get(update.id) ?? []),
    ),
  }));
}

function publishedUpdate(update: UpdateRow, pages: number[]): PublishedUpdate {
  return {
    id: update.id,
    state: update.state,
    isAutomatic: update.person_id === null && update.edited_at === null,
    at: update.edited_at ?? update.shown_at,
    pages: update.pages,
    notifiedPages: pages,
  };
}
