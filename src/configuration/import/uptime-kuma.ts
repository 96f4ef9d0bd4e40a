import { nameOf, tagsOf } from './common.ts';
import { Draft } from './draft.ts';
import { ImportError, type Importer, type ImportSource, type Imported } from './importer.ts';
import { addKumaChannels } from './kuma-channels.ts';
import { kumaHistory } from './kuma-history.ts';
import { kumaMonitor, type KumaSettings } from './kuma-monitors.ts';
import { addKumaMaintenance, addKumaPages, type KumaKeys } from './kuma-pages.ts';
import { idOf, jsonIn, rowsBy, tablesOf, type KumaTables, type Row } from './kuma-tables.ts';
import { Notes, thing } from './notes.ts';
import { parseJson } from './sources.ts';
import { isOn, listOf, numberOf, textOf } from './values.ts';

const TAKES =
  'Give the kuma.db of its data folder, which has everything, with kuma.db-wal beside it if there is one; or the JSON of Settings, Backup, Export of version 1.';

/** Uptime Kuma: the database of its versions 1 and 2, and the backup of version 1. */
export const uptimeKuma: Importer = {
  name: 'uptime-kuma',
  title: 'Uptime Kuma',
  takes: TAKES,
  read,
};

function read(source: ImportSource): Imported {
  const tables = tablesOf(parseJson(source, TAKES));
  if (tables === null)
    throw new ImportError(
      `${source.file} is no backup of Uptime Kuma: it has no monitorList. ${TAKES}`,
    );
  const draft = new Draft('uptime-kuma');
  const links = notificationsOf(tables);
  const defaults = defaultChannels(tables, links);
  const channels = addKumaChannels(draft, tables, defaults);
  const keys = addMonitors(draft, tables, defaults.length > 0 ? links : null);
  for (const row of tables.monitor) {
    const id = idOf(row['id']);
    const isGroup = row['type'] === 'group';
    const key = (isGroup ? keys.groups : keys.monitors).get(id);
    const named = channels.keysOf(links.get(id) ?? []);
    if (key !== undefined)
      channels.route({ key, isGroup, channels: named, reminderMinutes: reminderOf(row) });
  }
  channels.addRoutes(channels.keysOf(defaults));
  addKumaMaintenance(draft, tables, { keys, now: source.now });
  addKumaPages(draft, tables, keys);
  for (const [id, days] of kumaHistory(tables)) {
    const key = keys.monitors.get(id);
    if (key !== undefined) draft.addHistory({ key, days });
  }
  return draft.imported();
}

/** Ids of notifications by the id of a monitor, each once, in order. */
function notificationsOf(tables: KumaTables): ReadonlyMap<string, string[]> {
  const links = rowsBy(tables.monitor_notification, 'monitor_id');
  return new Map(
    [...links].map(([id, rows]) => [
      id,
      [...new Set(rows.map((row) => idOf(row['notification_id'])))].toSorted(),
    ]),
  );
}

/**
 * Ids of the notifications that become default channels: those that new monitors get, or those of all monitors where
 * they are the same and there are no such.
 */
function defaultChannels(
  { notification, monitor }: KumaTables,
  links: ReadonlyMap<string, string[]>,
): string[] {
  const marked = notification.filter((row) => isOn(row['is_default']));
  if (marked.length > 0) return marked.map((row) => idOf(row['id']));
  const [first, ...others] = monitor
    .filter((row) => row['type'] !== 'group')
    .map((row) => links.get(idOf(row['id'])) ?? []);
  const isOnly = others.every((ids) => ids.join() === first?.join());
  return isOnly ? (first ?? []) : [];
}

/** Minutes between messages of a monitor that stays down; null for none. */
function reminderOf(row: Row): number | null {
  const beats = numberOf(row['resend_interval']) ?? 0;
  const minutes = Math.round((beats * (numberOf(row['interval']) ?? 60)) / 60);
  return beats > 0 ? Math.min(Math.max(minutes, 1), 1_440) : null;
}

/** @param links notifications by the id of a monitor; null where there are no default channels. */
function addMonitors(
  draft: Draft,
  tables: KumaTables,
  links: ReadonlyMap<string, string[]> | null,
): KumaKeys {
  const groups = addGroups(draft, tables.monitor);
  const monitors = new Map<string, string>();
  const rows = new Map(tables.monitor.map((row) => [idOf(row['id']), row]));
  const names = new Map(tables.tag.map((row) => [idOf(row['id']), row['name']]));
  const tagged = rowsBy(tables.monitor_tag, 'monitor_id');
  const settings = settingsOf(tables);
  for (const row of tables.monitor) {
    if (row['type'] === 'group') continue;
    const id = idOf(row['id']);
    const source = thing('monitor', id, row['name']);
    const notes = new Notes();
    const translated = kumaMonitor(row, notes, settings);
    if (typeof translated === 'string') {
      draft.leaveOut(source, translated, notes);
      continue;
    }
    const tags = (tagged.get(id) ?? []).map((tag) => {
      const name = textOf(tag['name'] ?? names.get(idOf(tag['tag_id']))) ?? '';
      const value = textOf(tag['value']) ?? '';
      return value === '' ? name : `${name}: ${value}`;
    });
    const path = ancestors(row, rows);
    if (links !== null && path.every((one) => (links.get(idOf(one['id'])) ?? []).length === 0))
      notes.remark('Uptime Kuma notifies nobody of it: here the default channels are notified.');
    const isPaused = !path.every(isActive);
    const fields = {
      ...translated.fields,
      group_id: groups.get(idOf(row['parent'])),
      tags: tagsOf(tags, notes),
      ...(isPaused && { is_paused: true }),
    };
    const key = draft.addMonitor(translated.type, { source, notes, fields });
    if (key !== null) monitors.set(id, key);
  }
  return { monitors, groups };
}

const isActive = (row: Row) => row['active'] == null || isOn(row['active']);

/** Deeper trees, and circles, end there. */
const MAX_DEPTH = 50;

/** A row and the groups that it is in, innermost first. */
function ancestors(row: Row, rows: ReadonlyMap<string, Row>): Row[] {
  const path = [row];
  for (let at = rows.get(idOf(row['parent'])); at !== undefined && path.length < MAX_DEPTH;) {
    path.push(at);
    at = rows.get(idOf(at['parent']));
  }
  return path;
}

/** Adds the groups, which nest one level deep here: deeper ones lie in their outermost group. Keys by id. */
function addGroups(draft: Draft, monitors: readonly Row[]): Map<string, string> {
  const all = monitors.filter((row) => row['type'] === 'group');
  const rows = new Map(all.map((row) => [idOf(row['id']), row]));
  const keys = new Map<string, string>();
  const paths = all.map((row) => ancestors(row, rows));
  for (const [row, ...outer] of paths.toSorted((a, b) => a.length - b.length)) {
    const notes = new Notes();
    const parent = outer.length < MAX_DEPTH - 1 ? keys.get(idOf(outer.at(-1)?.['id'])) : undefined;
    if (outer.length > 1) notes.change('Groups nest one level deep: it lies in the outermost one.');
    const source = thing('group', idOf(row!['id']), textOf(row!['name']) ?? null);
    const name = nameOf(row!['name'], 60, 'Group', notes);
    keys.set(idOf(row!['id']), draft.addGroup(source, name, parent, notes));
  }
  return keys;
}

function settingsOf({ setting }: KumaTables): KumaSettings {
  const values = new Map(setting.map((row) => [textOf(row['key']), jsonIn(row['value'])]));
  const most = (name: string) => {
    const days = listOf(values.get(name)).flatMap((day) => numberOf(day) ?? []);
    return days.length === 0 ? undefined : days.reduce((a, b) => Math.max(a, b));
  };
  return {
    tlsExpiryDays: most('tlsExpiryNotifyDays'),
    domainExpiryDays: most('domainExpiryNotifyDays'),
  };
}
