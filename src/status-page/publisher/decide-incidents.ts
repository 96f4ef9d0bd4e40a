import type { Impact } from '../facts/model.ts';
import type { Change, Decision } from './changes.ts';
import {
  REOPENING_MS,
  type PageRules,
  type PublishedAnnouncement,
  type PublishedIncident,
  type PublishingFacts,
} from './read.ts';

const MINUTE_MS = 60_000;
/** Incidents of a team that begin within this time and share a page are one announcement. */
const GROUPING_MS = 5 * MINUTE_MS;
/** Time without a word of a person after which an announcement ends, once its incidents have. */
const SILENCE_MS = 30 * MINUTE_MS;

interface Draft {
  stored: PublishedAnnouncement | null;
  startedAt: number;
  endedAt: number | null;
  isReopened: boolean;
  impact: Impact;
  pages: Set<number>;
  monitors: Set<number>;
  incidents: Set<number>;
}

/** Decides which incidents are announced, joined, ended and withdrawn (contract 43.15 to 43.24). */
export function decideIncidents(facts: PublishingFacts, now: number): Decision {
  const drafts = facts.announcements
    .filter(({ kind, isDeleted }) => kind === 'incident' && !isDeleted)
    .map(draftOf);
  const deleted = new Set(
    facts.announcements.filter((one) => one.isDeleted).flatMap(({ incidents }) => incidents),
  );
  const times: number[] = [];
  const showing = showingOf(facts.pages);
  const open = facts.incidents
    .filter(({ id, endedAt, isHeld }) => endedAt === null && !isHeld && !deleted.has(id))
    .toSorted((a, b) => a.startedAt - b.startedAt || a.id - b.id);
  for (const incident of open) {
    const linked = drafts.find(({ incidents }) => incidents.has(incident.id));
    if (linked !== undefined && endsByPerson(linked)) continue;
    const pages = duePages(showing, incident, now, times);
    const target = linked ?? joinable(drafts, incident, { pages, showing }, now);
    if (linked === undefined && pages.length === 0) continue;
    if (target === undefined) drafts.push(newDraft(incident, pages));
    else join(target, incident, pages);
  }
  const changes = drafts.flatMap((draft) => changesOf(draft, facts, now, times));
  return { changes, nextAt: times.length === 0 ? null : Math.min(...times) };
}

/** Pages that show an incident by now; adds the times at which others will. */
function duePages(showing: Showing, incident: PublishedIncident, now: number, times: number[]) {
  if (!isNoticed(incident)) return [];
  const pages: number[] = [];
  for (const [page, minutes] of showing.minutesOf(incident.monitorId)) {
    if (minutes === null) continue;
    const at = incident.startedAt + minutes * MINUTE_MS;
    if (at > now) times.push(at);
    else pages.push(page);
  }
  return pages;
}

/** The announcement that takes a further incident; undefined when the incident needs its own. */
function joinable(
  drafts: readonly Draft[],
  incident: PublishedIncident,
  { pages, showing }: { pages: readonly number[]; showing: Showing },
  now: number,
): Draft | undefined {
  const sharing = drafts.filter((draft) => pages.some((page) => draft.pages.has(page)));
  const open = sharing.filter(({ endedAt }) => endedAt === null);
  return (
    open.find(({ monitors }) => monitors.has(incident.monitorId)) ??
    open.find(
      (draft) =>
        isAutomatic(draft) &&
        Math.abs(draft.startedAt - incident.startedAt) <= GROUPING_MS &&
        // Otherwise a page would name a service that it must not show yet, or never.
        [...draft.monitors].every((one) => showing.isAlike(incident.monitorId, one)),
    ) ??
    sharing.find(
      (draft) =>
        isAutomatic(draft) &&
        !hasPerson(draft) &&
        draft.monitors.has(incident.monitorId) &&
        draft.endedAt !== null &&
        now - draft.endedAt <= REOPENING_MS,
    )
  );
}

function join(draft: Draft, incident: PublishedIncident, pages: readonly number[]): void {
  draft.incidents.add(incident.id);
  draft.monitors.add(incident.monitorId);
  if (draft.endedAt !== null) {
    draft.endedAt = null;
    draft.isReopened = true;
  }
  if (!isAutomatic(draft) || draft.stored?.isEdited === true) return;
  for (const page of pages) draft.pages.add(page);
  draft.impact = worse(draft.impact, impactOf(incident.severity));
}

function changesOf(draft: Draft, facts: PublishingFacts, now: number, times: number[]): Change[] {
  const { stored } = draft;
  if (stored === null) return [opening(draft)];
  const { id } = stored;
  const changes: Change[] = [];
  if (isAutomatic(draft) && !hasPerson(draft) && draft.endedAt !== null)
    return reclassified(stored, facts);
  if (isAutomatic(draft) && !hasPerson(draft) && stored.endedAt === null) {
    const shown = [...draft.pages].filter((page) => isOn(facts, page, draft.monitors));
    if (draft.incidents.size === 0 || shown.length === 0) return [{ do: 'remove', id }];
    const hidden = stored.pages.filter((page) => !shown.includes(page));
    draft.pages = new Set(shown);
    if (hidden.length > 0) changes.push({ do: 'hide', id, pages: hidden, monitors: [] });
  }
  changes.push(...joinedChanges(draft, stored));
  const end = endOf(draft, facts, now, times);
  if (end !== null)
    changes.push({ do: 'state', id, state: 'resolved', endedAt: end, notify: true });
  return changes;
}

/** An announcement of false alarms alone leaves the pages, and returns to them when one of these was none. */
function reclassified(
  { id, incidents, pages, updates }: PublishedAnnouncement,
  facts: PublishingFacts,
): Change[] {
  const own = facts.incidents.filter((incident) => incidents.includes(incident.id));
  if (own.length === 0) return [];
  if (own.every(({ isFalseAlarm }) => isFalseAlarm))
    return pages.length === 0 ? [] : [{ do: 'hide', id, pages, monitors: [] }];
  const former = updates.at(-1)?.pages ?? [];
  const present = former.filter((page) => facts.pages.some((one) => one.id === page));
  if (pages.length > 0 || present.length === 0) return [];
  return [{ do: 'show', id, pages: present, notify: false }];
}

function joinedChanges(draft: Draft, stored: PublishedAnnouncement): Change[] {
  const { id } = stored;
  const changes: Change[] = [];
  const monitors = [...draft.monitors].filter((one) => !stored.monitors.includes(one));
  const incidents = [...draft.incidents].filter((one) => !stored.incidents.includes(one));
  const pages = [...draft.pages].filter((one) => !stored.pages.includes(one));
  if (monitors.length + incidents.length > 0) changes.push({ do: 'link', id, monitors, incidents });
  if (draft.impact !== stored.impact)
    changes.push({ do: 'set', id, fields: { impact: draft.impact } });
  if (pages.length > 0) changes.push({ do: 'show', id, pages, notify: !draft.isReopened });
  if (draft.isReopened)
    changes.push({ do: 'state', id, state: 'investigating', endedAt: null, notify: true });
  return changes;
}

/** When an announcement ended (epoch ms); null while it stays open. Adds the time at which it may end. */
function endOf(draft: Draft, { incidents }: PublishingFacts, now: number, times: number[]) {
  if (!isAutomatic(draft) || draft.endedAt !== null || draft.stored === null) return null;
  const own = incidents.filter(({ id }) => draft.incidents.has(id));
  const ends = own.map(({ endedAt }) => endedAt).filter((at) => at !== null);
  if (own.length === 0 || ends.length < own.length) return null;
  const lastEnd = Math.max(...ends);
  if (!hasPerson(draft)) return lastEnd;
  const words = draft.stored.updates.filter((update) => !update.isAutomatic);
  const at = Math.max(lastEnd, ...words.map((update) => update.at)) + SILENCE_MS;
  if (at <= now) return lastEnd;
  times.push(at);
  return null;
}

/** True for an announcement that a person ended: it stays so, whatever its incidents do. */
function endsByPerson({ stored, endedAt }: Draft): boolean {
  return endedAt !== null && stored?.updates.at(-1)?.isAutomatic !== true;
}

const isAutomatic = ({ stored }: Draft) => stored === null || stored.origin === 'automatic';

const hasPerson = ({ stored }: Draft) =>
  stored !== null && (stored.isEdited || stored.updates.some((update) => !update.isAutomatic));

function isOn({ pages }: PublishingFacts, pageId: number, monitors: ReadonlySet<number>): boolean {
  const page = pages.find(({ id }) => id === pageId);
  return page?.services.some(({ monitorId }) => monitors.has(monitorId)) ?? false;
}

function draftOf(stored: PublishedAnnouncement): Draft {
  const { startedAt, endedAt, impact, pages, monitors, incidents } = stored;
  return {
    stored,
    startedAt,
    endedAt,
    impact,
    isReopened: false,
    pages: new Set(pages),
    monitors: new Set(monitors),
    incidents: new Set(incidents),
  };
}

function newDraft(incident: PublishedIncident, pages: readonly number[]): Draft {
  return {
    stored: null,
    startedAt: incident.startedAt,
    endedAt: null,
    isReopened: false,
    impact: impactOf(incident.severity),
    pages: new Set(pages),
    monitors: new Set([incident.monitorId]),
    incidents: new Set([incident.id]),
  };
}

function opening({ startedAt, impact, pages, monitors, incidents }: Draft): Change {
  return {
    do: 'open',
    notify: true,
    announcement: {
      kind: 'incident',
      origin: 'automatic',
      title: null,
      impact,
      state: 'investigating',
      startedAt,
      plannedUntil: null,
      windowId: null,
      windowFrom: null,
      monitors: [...monitors],
      incidents: [...incidents],
      pages: [...pages],
    },
  };
}

/** When pages show the incidents of monitors. */
type Showing = ReturnType<typeof showingOf>;

const NOWHERE: ReadonlyMap<number, number | null> = new Map();

function showingOf(pages: readonly PageRules[]) {
  const byMonitor = new Map<number, Map<number, number | null>>();
  for (const { id, services } of pages)
    for (const { monitorId, afterMinutes } of services) {
      const minutes = byMonitor.get(monitorId) ?? new Map<number, number | null>();
      byMonitor.set(monitorId, minutes.set(id, afterMinutes));
    }
  /** Minutes by page, null for never, for the pages that show a monitor. */
  const minutesOf = (monitorId: number) => byMonitor.get(monitorId) ?? NOWHERE;
  return {
    minutesOf,
    /** Whether each page that shows both monitors shows their incidents after the same time. */
    isAlike: (one: number, other: number) =>
      [...minutesOf(one)].every(([page, minutes]) => {
        const others = minutesOf(other).get(page);
        return others === undefined || others === minutes;
      }),
  };
}

/** Warnings that visitors notice. Others, such as an expiring certificate, concern the team alone. */
const NOTICED_WARNINGS = new Set(['regional', 'slow_response', 'dual_stack']);

/** Whether visitors of a page notice an incident. */
export function isNoticed({ type, severity }: Pick<PublishedIncident, 'type' | 'severity'>) {
  // A budget that burns concerns the team; visitors see the outage that burns it.
  if (type === 'manual' || type === 'error_budget') return false;
  return severity === 'critical' || NOTICED_WARNINGS.has(type);
}

const IMPACTS: readonly Impact[] = ['none', 'minor', 'major', 'critical'];

/** Impact of an incident that nobody rated. */
export function impactOf(severity: string): Impact {
  if (severity === 'info') return 'none';
  return severity === 'critical' ? 'major' : 'minor';
}

function worse(one: Impact, other: Impact): Impact {
  return IMPACTS.indexOf(one) >= IMPACTS.indexOf(other) ? one : other;
}
