import {
  heldUntil,
  isInScope,
  occurrencesAfter,
  scheduleOf,
} from '../../engine/maintenance/window.ts';
import { loadRecurrences, type Recurrences } from '../../lib/recurrence.ts';
import type { Db } from '../../store/database/contract.ts';
import { withLinks, listUpdates } from '../../store/resources/announcements.ts';
import {
  publishing,
  type PublishedSearch,
  type PublishedServiceRow,
} from '../../store/resources/publishing.ts';
import { scopedMonitorRows } from '../../store/resources/scoped-monitors.ts';
import type { AnnouncementKind, Impact, ShowAutomatic } from '../facts/model.ts';

/** A monitor that fails again within this time of an automatic end reopens its announcement. */
export const REOPENING_MS = 10 * 60_000;

const DAY_MS = 86_400_000;
/** Windows that recur at shorter distances are frequent: a week, less the hour of a change of clocks. */
const WEEKLY_MS = 7 * DAY_MS - 3_600_000;
/** Announcements that began before are not looked at once they have ended. */
const LOOK_BACK_MS = 31 * DAY_MS;
/** Recurrences that are looked at to find the distance between them. */
const RECURRENCES = 4;

/** All that decides what is published for a team. Times are epoch milliseconds. */
export type PublishingFacts = Awaited<ReturnType<typeof readPublishing>>;
export type PageRules = PublishingFacts['pages'][number];
export type PublishedIncident = PublishingFacts['incidents'][number];
export type PublishedAnnouncement = PublishingFacts['announcements'][number];
export type PublishedOccurrence = PublishingFacts['occurrences'][number];

export async function readPublishing(db: Db, teamId: number, now: number) {
  const pages = pagesOf(await publishing.services(db, teamId));
  const monitorIds = [
    ...new Set(pages.flatMap(({ services }) => services.map(({ monitorId }) => monitorId))),
  ];
  const open = await publishing.openIncidents(db, monitorIds);
  const reclassified = await publishing.reclassifiedIncidents(db, monitorIds, now - DAY_MS);
  const occurrences = await readOccurrences(db, teamId, now);
  const announcements = await readAnnouncements(db, teamId, {
    incidentIds: [...open, ...reclassified],
    windowIds: [...new Set(occurrences.map(({ windowId }) => windowId))],
    windowsFrom: Math.min(now, ...occurrences.map(({ from }) => from)),
    now,
  });
  const linked = announcements.flatMap(({ incidents }) => incidents);
  const rows = await publishing.incidents(db, [...new Set([...open, ...linked])]);
  const held = (monitorId: number) =>
    heldUntil(
      occurrences.map((one) => ({ ...one, teamId, groups: [], tags: [] })),
      { id: monitorId, groupIds: [], tags: [] },
      now,
    ) !== null;
  const incidents = rows.map((row) => ({
    ...row,
    /** True while its monitor is in maintenance. */
    isHeld: row.endedAt === null && held(row.monitorId),
    /** True for one that has ended and that a person reclassified. */
    isFalseAlarm: Boolean(row.isFalseAlarm),
  }));
  return {
    pages,
    /** Detected incidents: open ones of monitors on pages, and those that the announcements are about. */
    incidents,
    /**
     * Announcements that are open, were ended a moment ago, or are about one of the occurrences, an open incident, or one
     * that a person reclassified lately. Deleted ones are included where they keep something from being announced again.
     */
    announcements,
    /** Occurrences of maintenance windows that have not ended, and those of open announcements. */
    occurrences,
  };
}

function pagesOf(rows: readonly PublishedServiceRow[]) {
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

/** Minutes after which an incident shows without a person; null for never. */
function afterMinutesOf(json: string): number | null {
  const show = JSON.parse(json) as ShowAutomatic;
  return 'after_minutes' in show ? show.after_minutes : null;
}

/** Occurrences that have not ended, and what open announcements follow although it ended a while ago. */
async function readOccurrences(db: Db, teamId: number, now: number) {
  const oldest = (await publishing.oldestFollowed(db, teamId)) ?? now;
  const rows = await publishing.occurrences(db, teamId, Math.min(oldest, now));
  if (rows.length === 0) return [];
  const monitors = await scopedMonitorRows(db, teamId).all();
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
      text: row.description,
      from: row.from_at,
      to: row.to_at,
      monitors: monitors.filter((one) => isInScope(scope, one)).map(({ id }) => id),
      /** True for a window that recurs more often than weekly. */
      isFrequent: isFrequent(row, recurrences),
    };
  });
}

function isFrequent(window: Parameters<typeof scheduleOf>[0], recurrences: Recurrences | null) {
  if (window.rrule === null) return false;
  const starts: number[] = [];
  for (const { from } of occurrencesAfter(scheduleOf(window), window.starts_at - 1, recurrences)) {
    starts.push(from);
    if (starts.length === RECURRENCES) break;
  }
  return starts.some((from, index) => index > 0 && from - starts[index - 1]! < WEEKLY_MS);
}

async function readAnnouncements(
  db: Db,
  teamId: number,
  {
    now,
    ...about
  }: Pick<PublishedSearch, 'incidentIds' | 'windowIds' | 'windowsFrom'> & { now: number },
) {
  const found = await publishing.announcements(db, teamId, {
    ...about,
    endedAfter: now - REOPENING_MS,
    startedAfter: now - LOOK_BACK_MS,
  });
  const rows = await withLinks(db, found);
  const updates = await listUpdates(
    db,
    rows.map(({ id }) => id),
  );
  const mailed = await publishing.notifiedPages(
    db,
    updates.map(({ id }) => id),
  );
  const updatesOf = Map.groupBy(updates, (update) => update.announcement_id);
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind as AnnouncementKind,
    origin: row.origin as 'automatic' | 'window' | 'person',
    title: row.title,
    impact: row.impact as Impact,
    state: row.state,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    plannedUntil: row.planned_until,
    windowId: row.window_id,
    windowFrom: row.window_from,
    isDeleted: row.deleted_at !== null,
    /** A person chose its title, impact, services or pages. */
    isEdited: row.person_id !== null,
    pages: row.pages,
    monitors: row.monitors,
    incidents: row.incidents,
    /** Oldest first, without deleted ones. */
    updates: (updatesOf.get(row.id) ?? []).map((update) => ({
      id: update.id,
      state: update.state,
      text: update.body,
      /** True when no person wrote or edited it. */
      isAutomatic: update.person_id === null && update.edited_at === null,
      /** True for the one that was written with the announcement. */
      isOpening: update.created_at === row.created_at,
      at: update.edited_at ?? update.shown_at,
      pages: update.pages,
      /** Pages whose subscribers were notified of it. */
      notifiedPages: mailed.get(update.id) ?? [],
    })),
  }));
}
