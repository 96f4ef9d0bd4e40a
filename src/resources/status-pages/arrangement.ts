import { z } from 'zod';
import { nameText, oneOf, settingsObject, wholeNumber } from '../../lib/schemas.ts';
import { DISPLAYS, type Display, type ShowAutomatic } from '../../status-page/facts/model.ts';
import type { PageGroupRow, PageServiceRow } from '../../store/resources/status-pages.ts';
import type { Findings } from '../common/input.ts';

const MAX_SERVICES = 200;
const MAX_GROUPS = 50;
const MAX_MINUTES = 1_440;
const NO_MONITOR = 'must be the id of a monitor of your team';

/** Services and groups of a page as they were sent. On the page, services without a group come first, then group by group. */
export interface Arrangement {
  monitors: {
    id: number;
    /** Null for the name of the monitor. */
    label: string | null;
    display: Display;
    /** Null for that of the page. */
    show_automatic: ShowAutomatic | null;
  }[];
  groups: { name: string; monitors: number[] }[];
}

/** Both as a request has them. */
interface ArrangementInput {
  monitors?: z.output<ReturnType<typeof monitorsInput>> | null;
  groups?: z.output<ReturnType<typeof groupsInput>> | null;
}

/** The arrangement that a request asks for. A list that was not sent stays, as far as its monitors do. */
export function arrangementAfter(
  stored: Arrangement | null,
  input: ArrangementInput,
  findings: Findings,
): Arrangement {
  const monitors: Arrangement['monitors'] =
    input.monitors === undefined
      ? (stored?.monitors ?? [])
      : (input.monitors ?? []).map(({ id: monitor, label, display, show_automatic: when }) => ({
          id: monitor,
          label: label || null,
          display: display ?? 'bar',
          show_automatic: when ?? null,
        }));
  const known = new Set(monitors.map((one) => one.id));
  if (input.groups != null) checkGroups(input.groups, known, findings);
  const sent = input.groups === undefined ? stored?.groups : input.groups;
  const groups = (sent ?? []).map((group) => ({
    name: group.name,
    monitors: group.monitors.filter((one) => known.has(one)),
  }));
  return { monitors, groups };
}

function checkGroups(
  groups: NonNullable<ArrangementInput['groups']>,
  known: ReadonlySet<number>,
  findings: Findings,
): void {
  const seen = new Set<number>();
  for (const [index, { monitors }] of groups.entries()) {
    for (const [place, monitor] of monitors.entries()) {
      const field = `groups.${index}.monitors.${place}`;
      if (!known.has(monitor))
        findings.add(
          field,
          'must be the id of a monitor of this page: add it to its monitors, too',
        );
      else if (seen.has(monitor)) findings.add(field, 'must be in one group only, and there once');
      seen.add(monitor);
    }
  }
}

/** The arrangement of a page, from the rows of one or more pages. */
export function arrangementOf(
  pageId: number,
  rows: { services: readonly PageServiceRow[]; groups: readonly PageGroupRow[] },
): Arrangement & { rows: PageServiceRow[] } {
  const own = rows.services.filter((service) => service.page_id === pageId);
  const groups = rows.groups.filter((group) => group.page_id === pageId);
  return {
    rows: own,
    monitors: own.map(({ monitor_id: monitor, label, display, show_automatic: when }) => ({
      id: monitor,
      label,
      display: display as Display,
      show_automatic: when === null ? null : (JSON.parse(when) as ShowAutomatic),
    })),
    groups: groups.map(({ name, position }) => ({
      name,
      monitors: own
        .filter((service) => service.group_position === position)
        .toSorted((a, b) => a.position - b.position)
        .map((service) => service.monitor_id),
    })),
  };
}

/** The rows to store. */
export function placed({ monitors, groups }: Arrangement) {
  const grouped = groups.flatMap((group) => group.monitors);
  const inGroup = new Set(grouped);
  const free = monitors.map((one) => one.id).filter((one) => !inGroup.has(one));
  const places = new Map([...free, ...grouped].map((monitor, place) => [monitor, place]));
  const groupOf = new Map(
    groups.flatMap((group, index) => group.monitors.map((monitor) => [monitor, index])),
  );
  return {
    groups: groups.map(({ name }) => name),
    services: monitors.map(({ id: monitor, show_automatic: when, ...service }) => ({
      ...service,
      monitor_id: monitor,
      show_automatic: when === null ? null : JSON.stringify(when),
      group: groupOf.get(monitor) ?? null,
      position: places.get(monitor)!,
    })),
  };
}

const id = () => z.int({ error: NO_MONITOR }).min(1, { error: NO_MONITOR });

export function monitorsInput() {
  const error = `must be a list of at most ${MAX_SERVICES} monitors, each at most once`;
  const service = settingsObject(
    {
      id: id(),
      label: z
        .union([nameText(100), z.literal('')])
        .nullish()
        .meta({ description: 'Name on this page; that of the monitor unless set.' }),
      display: oneOf(DISPLAYS).nullish().meta({
        description:
          'Bars of 90 days, the uptime as a figure, or the response time; `bar` unless set.',
      }),
      show_automatic: showAutomaticInput()
        .nullish()
        .meta({ description: 'In place of `show_automatic` of the page.' }),
    },
    'must be an object with the id of a monitor, such as {id: 7}',
  );
  return z
    .array(service, { error })
    .max(MAX_SERVICES, { error })
    .refine((list) => new Set(list.map((one) => one.id)).size === list.length, { error })
    .meta({ description: 'Services of the page. Replaces the list.' });
}

export function groupsInput() {
  const error = `must be a list of at most ${MAX_GROUPS} groups, each with a name and the ids of its monitors`;
  const group = settingsObject(
    {
      name: nameText(60),
      monitors: z.array(id(), { error: 'must be a list of ids' }).max(MAX_SERVICES, {
        error: `must have at most ${MAX_SERVICES} ids`,
      }),
    },
    error,
  );
  return z.array(group, { error }).max(MAX_GROUPS, { error }).meta({
    description:
      'Headings with the ids of their services, which are among `monitors`, in order. On the page, services without a group come first, in the order of `monitors`. Replaces the groups.',
  });
}

export function showAutomaticInput() {
  const error = `must be {"after_minutes": 0 to ${MAX_MINUTES}} or {"never": true}`;
  return z.union(
    [
      z.strictObject({ after_minutes: wholeNumber(0, MAX_MINUTES) }),
      z.strictObject({ never: z.literal(true) }),
    ],
    { error },
  );
}

export function showAutomaticOutput() {
  return z.union([z.object({ after_minutes: z.int() }), z.object({ never: z.literal(true) })]);
}
