import { auditTarget, type AuditTarget } from '../../model/audit.ts';
import type { UpdateRow, UpdateVersionRow } from '../../store/resources/announcement-updates.ts';
import type { AnnouncementRow } from '../../store/resources/announcements.ts';
import { isoOrNull, isoTime } from '../common/time.ts';

/** An announcement in lists (contract 43.2). */
export function viewAnnouncement(row: AnnouncementRow) {
  return {
    id: row.id,
    ...auditedAnnouncement(row),
    state: row.state,
    ended_at: isoOrNull(row.ended_at),
    origin: row.origin,
    incidents: row.incidents,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

/** An announcement alone, with its updates, newest first. */
export function viewWithUpdates(row: AnnouncementRow, updates: readonly UpdateRow[]) {
  return { ...viewAnnouncement(row), updates: updates.toReversed().map(viewUpdate) };
}

/** Fields of an announcement that people set. */
export function auditedAnnouncement(row: AnnouncementRow) {
  return {
    kind: row.kind,
    title: row.title,
    impact: row.impact,
    started_at: isoTime(row.started_at),
    planned_until: isoOrNull(row.planned_until),
    monitors: row.monitors,
    status_pages: row.pages,
    post_mortem:
      row.post_mortem === null
        ? null
        : { text: row.post_mortem, published_at: isoOrNull(row.post_mortem_at) },
  };
}

export function announcementTarget({
  id,
  title,
}: {
  id: number;
  title: string | null;
}): AuditTarget {
  return auditTarget('announcement', { id, name: title });
}

export function viewUpdate(row: UpdateRow) {
  return {
    id: row.id,
    announcement_id: row.announcement_id,
    ...auditedUpdate(row),
    user_id: row.person_id,
    edited_at: isoOrNull(row.edited_at),
    created_at: isoTime(row.shown_at),
  };
}

/** Fields of an update that people set. */
export function auditedUpdate(row: Pick<UpdateRow, 'state' | 'body' | 'pages'>) {
  return { state: row.state, text: row.body, status_pages: row.pages };
}

export function viewVersion(row: UpdateVersionRow) {
  return {
    number: row.number,
    ...auditedUpdate(row),
    replaced_by: row.person_id,
    replaced_at: isoTime(row.at),
  };
}
