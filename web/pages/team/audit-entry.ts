/** Parts of the sentence that shows an entry of the audit log. Pure. */
import type { AuditEntry } from '../../app/api.gen.ts';

/** What somebody did, around the name of the thing; `name` is null where the sentence needs none. */
export interface Deed {
  before: string;
  name: string | null;
  after: string;
}

/** Splits the sentence of an action at the name of its target, for which it has `#`. */
export function deedOf(phrase: string, name: string | null): Deed {
  const [before = '', after] = phrase.split('#');
  if (after === undefined) return { before, name: null, after: '' };
  if (name === null) return { before: `${before.trimEnd()}${after}`, name: null, after: '' };
  return { before, name, after };
}

/** Name and address of an actor, which the log writes as `Ada Reyes <ada@example.com>`. */
export function actorOf(written: string): { name: string; email: string | null } {
  const [, name, email] = /^(.*) <([^<>]+)>$/.exec(written) ?? [];
  return name === undefined ? { name: written, email: null } : { name, email: email! };
}

/** Folders of the pages of things by their kind. An SLO has the id of its monitor. */
const PAGES: Partial<Record<AuditEntry['target']['type'], string>> = {
  monitor: 'monitors',
  slo: 'monitors',
  incident: 'incidents',
  maintenance_window: 'maintenance',
  status_page: 'status-pages',
  report: 'reports',
  webhook_endpoint: 'webhooks',
};

/** Path of the page of what was changed; null for what is gone, or has none. */
export function pathOf({ action, target }: Pick<AuditEntry, 'action' | 'target'>): string | null {
  const folder = PAGES[target.type];
  const isGone = action.endsWith('.deleted') && target.type !== 'slo';
  return folder === undefined || target.id === null || isGone ? null : `/${folder}/${target.id}`;
}
