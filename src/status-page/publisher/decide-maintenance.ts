import type { Change, ChangedFields, Decision } from './changes.ts';
import type { PublishedAnnouncement, PublishedOccurrence, PublishingFacts } from './read.ts';

const HOUR_MS = 3_600_000;
/** Maintenance shows on pages this long before it begins. */
const AHEAD_MS = 7 * 24 * HOUR_MS;
/** Subscribers are notified of maintenance this long before it begins. */
const NOTICE_MS = 24 * HOUR_MS;

const STATES = ['scheduled', 'in_progress', 'completed'];

/** Decides how maintenance windows show on pages (contract 43.25 to 43.33). */
export function decideMaintenance(facts: PublishingFacts, now: number): Decision {
  const announcements = facts.announcements.filter(({ kind }) => kind === 'maintenance');
  const occurrences = withoutGaps(facts.occurrences).filter(({ from }) => from - AHEAD_MS <= now);
  const lost = announcements.filter(
    (one) =>
      one.origin === 'window' &&
      one.endedAt === null &&
      !one.isDeleted &&
      !occurrences.some((occurrence) => isOf(one, occurrence)),
  );
  const changes: Change[] = [];
  for (const occurrence of occurrences.map((found) => placed(facts, found))) {
    const own =
      announcements.find((one) => isOf(one, occurrence)) ??
      announcements.findLast((one) => isContinued(one, occurrence, now));
    const isMissing = own === undefined && occurrence.to > now;
    const moved = isMissing ? takeMoved(lost, occurrence, now) : undefined;
    if (own !== undefined) changes.push(...followed(own, occurrence, now));
    else if (moved !== undefined) changes.push(...followedMove(moved, occurrence, now));
    else if (occurrence.pages.length > 0 && occurrence.to > now)
      changes.push(opening(occurrence, now));
  }
  for (const one of lost) changes.push(cancelled(one, now));
  for (const one of announcements) changes.push(...followedSchedule(one, now));
  return { changes, nextAt: nextOf(facts, announcements, now) };
}

const isOf = (one: PublishedAnnouncement, { windowId, from }: PublishedOccurrence) =>
  one.windowId === windowId && one.windowFrom === from;

/**
 * Whether an occurrence continues one that a person deleted or declared over. The parts of an occurrence without gaps
 * that have ended are no longer read then, so that it seems to begin later.
 */
function isContinued(
  one: PublishedAnnouncement,
  { windowId, from }: PublishedOccurrence,
  now: number,
): boolean {
  const { windowFrom, plannedUntil } = one;
  if (one.windowId !== windowId || windowFrom === null || plannedUntil === null) return false;
  return isDone(one) && windowFrom < from && from <= Math.min(plannedUntil, now);
}

/** True for an announcement that a person deleted or declared over: it stays so. */
const isDone = ({ isDeleted, endedAt, updates }: PublishedAnnouncement) =>
  isDeleted || (endedAt !== null && updates.at(-1)?.isAutomatic !== true);

const missing = (wanted: readonly number[], present: readonly number[]) =>
  wanted.filter((value) => !present.includes(value));

type PlacedOccurrence = ReturnType<typeof placed>;

/** An occurrence with the pages that show a covered monitor, and of the monitors those that they show. */
function placed({ pages }: PublishingFacts, occurrence: PublishedOccurrence) {
  const covered = new Set(occurrence.monitors);
  const found = pages.map(({ id, services }) => ({
    id,
    monitors: services.map(({ monitorId }) => monitorId).filter((one) => covered.has(one)),
  }));
  const concerned = found.filter((page) => page.monitors.length > 0);
  return {
    ...occurrence,
    pages: concerned.map(({ id }) => id),
    monitors: [...new Set(concerned.flatMap((page) => page.monitors))],
  };
}

function stateAt({ from, to }: Pick<PublishedOccurrence, 'from' | 'to'>, now: number): string {
  if (now < from) return 'scheduled';
  return now < to ? 'in_progress' : 'completed';
}

/**
 * Whether subscribers are notified now: once for each occurrence, a day ahead, or at its beginning when it was not planned
 * before. Never of windows that recur more often than weekly.
 */
function isNoticeDue({ from, isFrequent }: PublishedOccurrence, now: number): boolean {
  return !isFrequent && now >= from - NOTICE_MS;
}

function opening(occurrence: PlacedOccurrence, now: number): Change {
  const { windowId, name, text, from, to, monitors, pages } = occurrence;
  return {
    do: 'open',
    text,
    notify: isNoticeDue(occurrence, now),
    announcement: {
      kind: 'maintenance',
      origin: 'window',
      title: name,
      impact: 'none',
      state: stateAt(occurrence, now),
      startedAt: from,
      plannedUntil: to,
      windowId,
      windowFrom: from,
      monitors,
      incidents: [],
      pages,
    },
  };
}

function followed(one: PublishedAnnouncement, occurrence: PlacedOccurrence, now: number): Change[] {
  const { id } = one;
  // By this the next part of the occurrence is known as such.
  if (isDone(one)) return changed(one, untilOf(one, occurrence));
  const state = stateAt(occurrence, now);
  if (one.endedAt !== null)
    return state === 'completed' ? [] : [{ do: 'state', id, state, endedAt: null, notify: false }];
  if (occurrence.pages.length === 0 && one.state === 'scheduled' && !hasPerson(one))
    return [{ do: 'remove', id }];
  const changes = one.isEdited ? changed(one, untilOf(one, occurrence)) : fitted(one, occurrence);
  if (STATES.indexOf(state) > STATES.indexOf(one.state)) {
    const endedAt = state === 'completed' ? occurrence.to : null;
    const isFirst = one.updates.every((update) => update.notifiedPages.length === 0);
    const notify = state === 'in_progress' && isFirst && isNoticeDue(occurrence, now);
    changes.push({ do: 'state', id, state, endedAt, notify });
    return changes;
  }
  const notice = one.updates.findLast((update) => update.isAutomatic);
  if (state !== 'scheduled' || notice === undefined || !isNoticeDue(occurrence, now))
    return changes;
  const pages = one.pages.filter((page) => !notice.notifiedPages.includes(page));
  if (pages.length > 0) changes.push({ do: 'notify', updateId: notice.id, pages });
  return changes;
}

function fitted(one: PublishedAnnouncement, occurrence: PlacedOccurrence): Change[] {
  const { id } = one;
  const { name, text } = occurrence;
  const title = one.title === name ? {} : { title: name };
  const changes = changed(one, { ...title, ...untilOf(one, occurrence) });
  for (const update of one.updates.filter(saysDescription))
    if (update.text !== text) changes.push({ do: 'text', updateId: update.id, text });
  const monitors = missing(occurrence.monitors, one.monitors);
  const pages = missing(occurrence.pages, one.pages);
  if (monitors.length > 0) changes.push({ do: 'link', id, monitors, incidents: [] });
  if (pages.length > 0) changes.push({ do: 'show', id, pages, notify: false });
  const surplus = {
    pages: missing(one.pages, occurrence.pages),
    monitors: missing(one.monitors, occurrence.monitors),
  };
  if (surplus.pages.length + surplus.monitors.length > 0)
    changes.push({ do: 'hide', id, ...surplus });
  return changes;
}

/** Whether an update tells what is planned. Others say that it has begun or is over, or are a person's. */
const saysDescription = (update: PublishedAnnouncement['updates'][number]) =>
  update.isAutomatic && (update.isOpening || update.state === 'scheduled' || update.text !== null);

const untilOf = (one: PublishedAnnouncement, { to }: PublishedOccurrence): ChangedFields =>
  one.plannedUntil === to ? {} : { plannedUntil: to };

const changed = ({ id }: PublishedAnnouncement, fields: ChangedFields): Change[] =>
  Object.keys(fields).length === 0 ? [] : [{ do: 'set', id, fields }];

/** A planned occurrence at another time is announced anew to visitors and subscribers. */
function followedMove(
  one: PublishedAnnouncement,
  occurrence: PlacedOccurrence,
  now: number,
): Change[] {
  const { id } = one;
  const { from, to, name, text } = occurrence;
  const fields = {
    windowFrom: from,
    startedAt: from,
    plannedUntil: to,
    ...(!one.isEdited && { title: name }),
  };
  return [
    { do: 'set', id, fields },
    ...(one.isEdited ? [] : fitted({ ...one, title: name, plannedUntil: to }, occurrence)),
    {
      do: 'state',
      id,
      state: stateAt(occurrence, now),
      text,
      endedAt: null,
      notify: isNoticeDue(occurrence, now),
    },
  ];
}

/** An announcement of the same window whose occurrence no longer exists; it is taken from the list. */
function takeMoved(
  lost: PublishedAnnouncement[],
  { windowId, from }: PublishedOccurrence,
  now: number,
): PublishedAnnouncement | undefined {
  const index = lost.findIndex(
    (one) => one.windowId === windowId && (one.state === 'scheduled' || from <= now),
  );
  return index < 0 ? undefined : lost.splice(index, 1)[0];
}

/** The occurrence of an announcement was deleted. */
function cancelled(one: PublishedAnnouncement, now: number): Change {
  const { id } = one;
  if (one.state === 'scheduled' && !hasPerson(one)) return { do: 'remove', id };
  return { do: 'state', id, state: 'completed', endedAt: now, notify: false };
}

/** Maintenance that a person announced begins and ends as planned. */
function followedSchedule(one: PublishedAnnouncement, now: number): Change[] {
  const { id, origin, startedAt, plannedUntil, endedAt, isDeleted } = one;
  if (origin !== 'person' || endedAt !== null || isDeleted || plannedUntil === null) return [];
  const state = stateAt({ from: startedAt, to: plannedUntil }, now);
  if (STATES.indexOf(state) <= STATES.indexOf(one.state)) return [];
  const end = state === 'completed' ? plannedUntil : null;
  return [{ do: 'state', id, state, endedAt: end, notify: false }];
}

const hasPerson = ({ isEdited, updates }: PublishedAnnouncement) =>
  isEdited || updates.some((update) => !update.isAutomatic);

function nextOf(
  { occurrences }: PublishingFacts,
  announcements: readonly PublishedAnnouncement[],
  now: number,
): number | null {
  const times = occurrences.flatMap(({ from, to }) => [
    from - AHEAD_MS,
    from - NOTICE_MS,
    from,
    to,
  ]);
  const planned = announcements
    .filter(({ origin, endedAt }) => origin === 'person' && endedAt === null)
    .flatMap(({ startedAt, plannedUntil }) => [startedAt, plannedUntil ?? startedAt]);
  const future = [...times, ...planned].filter((at) => at > now);
  return future.length === 0 ? null : Math.min(...future);
}

/** Joins occurrences of a window that follow each other without a gap. */
function withoutGaps(occurrences: readonly PublishedOccurrence[]): PublishedOccurrence[] {
  const joined: PublishedOccurrence[] = [];
  const last = new Map<number, PublishedOccurrence>();
  for (const occurrence of occurrences.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    const before = last.get(occurrence.windowId);
    if (before !== undefined && occurrence.from <= before.to) {
      before.to = Math.max(before.to, occurrence.to);
      before.monitors = [...new Set([...before.monitors, ...occurrence.monitors])];
      continue;
    }
    const copy = { ...occurrence };
    last.set(copy.windowId, copy);
    joined.push(copy);
  }
  return joined;
}
