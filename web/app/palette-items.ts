import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { bestFits } from '../lib/fuzzy.ts';
import { monitorName } from '../lib/monitor-name.ts';
import { rowsOf, type Row } from '../pages/monitors/rows.ts';
import { causeText } from '../parts/cause.tsx';
import type { IconName } from '../parts/icon.tsx';
import { words } from '../words/index.ts';
import { LANGUAGE_NAMES, type Language } from '../words/languages.ts';
import { reread, useRead } from './api.ts';
import { call } from './client.ts';
import { furtherPages, navSections } from './navigation.ts';
import { monitorsFor, readVerb, verbsFor, type Verb } from './palette-actions.ts';
import { BASE } from './place.ts';
import { rows, setLanguage, setRows, setTheme } from './preferences.ts';
import { useSession, type Session } from './session.ts';
import { checkAll, maintainAll, pauseAll, resumeAll } from '../pages/monitors/bulk-actions.ts';
import { attempt, showToast } from '../parts/toast.tsx';

/** Entries that are shown at once. */
const MAX_SHOWN = 12;

/** Something that the palette finds. */
export interface PaletteItem {
  key: string;
  text: string;
  /** Further words by which it is found. */
  also?: string;
  /** What kind of thing it is. */
  kind: string;
  icon: IconName;
  run: () => void;
}

interface MonitorItem extends PaletteItem {
  row: Row;
  verbs: readonly Verb[];
}

/** What is found for a text; without one, open incidents and pages. */
export function usePaletteItems(typed: string): PaletteItem[] {
  const session = useSession();
  const { monitors, others } = useEverything(session);
  return useMemo(() => {
    if (typed.trim() === '') return others.slice(0, MAX_SHOWN);
    const { zone, isAtLeast } = session;
    const action = (item: MonitorItem, verb: Verb) => actionOf(item, verb, zone);
    const asked = isAtLeast('editor') ? readVerb(typed, words.palette.verbs) : null;
    if (asked !== null) {
      const fitting = monitorsFor(monitors, asked);
      if (fitting.length > 0) return fitting.map((item) => action(item, asked.verb));
    }
    const found = byKind(bestFits<PaletteItem>([...others, ...monitors], typed, MAX_SHOWN));
    const monitor = found.find((item): item is MonitorItem => 'verbs' in item);
    if (monitor === undefined || !isAtLeast('editor')) return found;
    return [...found, ...monitor.verbs.map((verb) => action(monitor, verb))];
  }, [typed, monitors, others, session]);
}

/** The entries of a kind after each other, the kind of the best one first. */
function byKind(found: readonly PaletteItem[]): PaletteItem[] {
  return [...Map.groupBy(found, ({ kind }) => kind).values()].flat();
}

function actionOf({ key, text, row }: MonitorItem, verb: Verb, zone: string): PaletteItem {
  return {
    key: `${verb}-${key}`,
    text: words.palette.does[verb](text),
    kind: words.palette.kinds.action,
    icon: VERB_ICONS[verb],
    run: () => void runVerb(verb, row, zone),
  };
}

function useEverything(session: Session): {
  monitors: MonitorItem[];
  others: PaletteItem[];
} {
  const [, navigate] = useLocation();
  const overview = useRead('getMonitorOverview');
  const groups = useRead('listGroups');
  const incidents = useRead('listIncidents', { query: { status: 'open', per_page: 50 } });
  const monitors = useMemo(
    () =>
      rowsOf(overview.data ?? { monitors: [] }).map((row): MonitorItem => {
        const { id, name, target } = row.monitor;
        return {
          key: `monitor-${id}`,
          text: name,
          ...(target !== undefined && { also: target }),
          kind: words.labels.monitor,
          icon: 'monitors',
          run: () => navigate(`/monitors/${id}`),
          row,
          verbs: verbsOf(row),
        };
      }),
    [overview.data, navigate],
  );
  const others = useMemo(() => {
    const open = (incidents.data?.data ?? []).map(({ id, root_cause: cause, monitor }) => ({
      key: `incident-${id}`,
      text: `${monitor === undefined ? `#${id}` : monitorName(monitor)}: ${cause === null ? words.monitors.causeUnknown : causeText(cause)}`,
      kind: words.palette.kinds.incident,
      icon: 'incidents' as const,
      run: () => navigate(`/incidents/${id}`),
    }));
    const grouped = (groups.data?.data ?? []).map(({ id, name }) => ({
      key: `group-${id}`,
      text: name,
      kind: words.labels.group,
      icon: 'groups' as const,
      run: () => navigate(`/monitors?group=${id}`),
    }));
    return [...open, ...pagesOf(session, navigate), ...actionsOf(session, navigate), ...grouped];
  }, [session, groups.data, incidents.data, navigate]);
  return { monitors, others };
}

type Navigate = (path: string) => void;

function pagesOf(session: Session, navigate: Navigate): PaletteItem[] {
  return [...navSections(session).flatMap(({ entries }) => entries), ...furtherPages(session)].map(
    ({ href, text, icon }) => ({
      key: `page-${href.slice(1)}`,
      text,
      also: words.palette.also[href.slice(1)],
      kind: words.palette.kinds.page,
      icon,
      run: () => navigate(href),
    }),
  );
}

const THEMES = ['light', 'dark', 'system'] as const;

function actionsOf({ isAtLeast }: Session, navigate: Navigate): PaletteItem[] {
  const { palette, nav } = words;
  const action = (key: string, text: string, icon: IconName, run: () => void): PaletteItem => ({
    key: `action-${key}`,
    text,
    kind: palette.kinds.action,
    icon,
    run,
  });
  const go = (path: string) => () => navigate(path);
  return [
    ...(isAtLeast('editor')
      ? [
          action('new', nav.newMonitor, 'plus', go('/monitors/new')),
          action('maintenance', palette.newMaintenance, 'maintenance', go('/maintenance/new')),
        ]
      : []),
    action('check', nav.check, 'globe', go('/check')),
    action('account', nav.account, 'person', go('/account')),
    ...THEMES.map((theme) => action(theme, nav[theme], 'settings', () => setTheme(theme))),
    action('rows', nav.rows, 'settings', () =>
      setRows(rows() === 'dense' ? 'comfortable' : 'dense'),
    ),
    ...(Object.keys(LANGUAGE_NAMES) as Language[]).map((language) =>
      action(language, LANGUAGE_NAMES[language], 'settings', () => setLanguage(language)),
    ),
    action('docs', nav.api, 'external', () => location.assign(`${BASE}/docs`)),
  ];
}

const HOUR_MS = 3_600_000;

const VERB_ICONS: Record<Verb, IconName> = {
  acknowledge: 'check',
  check: 'refresh',
  silence: 'maintenance',
  pause: 'pause',
  resume: 'play',
};

/** What can be done with a monitor from the palette. */
function verbsOf({ monitor, displayStatus }: Row): Verb[] {
  const { schedule, incident } = monitor;
  return verbsFor({
    isPaused: displayStatus === 'paused',
    isPush: schedule !== undefined,
    hasUnacknowledged: incident !== undefined && incident.acknowledged_at === undefined,
  });
}

/** Does it, and says what happened. */
function runVerb(verb: Verb, row: Row, zone: string): Promise<void> {
  const one = [row];
  return attempt(async () => {
    if (verb === 'acknowledge') await acknowledge(row);
    else if (verb === 'check') await checkAll(one);
    else if (verb === 'pause') await pauseAll(one);
    else if (verb === 'resume') await resumeAll(one);
    else
      await maintainAll(one, {
        name: words.nav.maintenance,
        endsAt: Date.now() + HOUR_MS,
        zone,
      });
  });
}

async function acknowledge({ monitor: { name, incident } }: Row): Promise<void> {
  if (incident === undefined) return;
  await call('acknowledgeIncident', { path: { id: incident.id } });
  await reread('monitors', 'incidents', 'incident', 'monitor');
  showToast(words.palette.acknowledged(name));
}
