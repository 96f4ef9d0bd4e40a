import { z } from 'zod';
import { nameText, oneOf, settingsObject } from '../../lib/schemas.ts';
import { DISPLAYS, type Display, type ShowAutomatic } from '../../status-page/facts/model.ts';
import type { PageGroupRow, PageServiceRow } from '../../store/resources/page-services.ts';
import type { Findings } from '../common/input.ts';
import { showAutomaticInput } from './fields.ts';

export const MAX_SERVICES = 200;
const MAX_GROUPS = 50;
const NO_MONITOR = 'must be the id of a monitor of your team';

/** A monitor on a page. */
export interface Service {
  monitor_id: number;
  label: string | null;
  display: Display;
  /** Null for that of the page. */
  show_automatic: ShowAutomatic | null;
}

/** Services of a page as they were sent. On the page, those without a group come first, then group by group. */
export interface Arrangement {
  services: Service[];
  groups: { name: string; monitors: number[] }[];
}

export const NOTHING: Arrangement = { services: [], groups: [] };

const id = () => z.int({ error: NO_MONITOR }).min(1, { error: NO_MONITOR });

/** The `monitors` and `groups` keys of a request. */
export const ARRANGEMENT_INPUT = {
  monitors: monitorsInput().nullish(),
  groups: groupsInput().nullish(),
};

export interface ArrangementInput {
  monitors?: z.output<ReturnType<typeof monitorsInput>> | null | undefined;
  groups?: z.output<ReturnType<typeof groupsInput>> | null | undefined;
}

/** The arrangement that a request asks for. A list that was not sent stays, as far as its monitors do. */
export function arrangementAfter(
  stored: Arrangement,
  input: ArrangementInput,
  findings: Findings,
): Arrangement {
  const services =
    input.monitors === undefined ? stored.services : (input.monitors ?? []).map(serviceOf);
  const known = new Set(services.map((service) => service.monitor_id));
  if (input.groups != null) checkGroups(input.groups, known, findings);
  const groups = (input.groups === undefined ? stored.groups : (input.groups ?? [])).map(
    ({ name, monitors }) => ({ name, monitors: monitors.filter((one) => known.has(one)) }),
  );
  return { services, groups };
}

function serviceOf(sent: NonNullable<ArrangementInput['monitors']>[number]): Service {
  return {
    monitor_id: sent.id,
    label: sent.label || null,
    display: sent.display ?? 'bar',
    show_automatic: (sent.show_automatic as ShowAutomatic | null | undefined) ?? null,
  };
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
      if (!known.has(monitor)) findings.add(field, 'must be the id of a monitor of this page');
      else if (seen.has(monitor)) findings.add(field, 'must be in one group only, and there once');
      seen.add(monitor);
    }
  }
}

/** Place of each monitor on the page. */
function placesOf({ services, groups }: Arrangement): Map<number, number> {
  const grouped = groups.flatMap(({ monitors }) => monitors);
  const inGroup = new Set(grouped);
  const free = services.map((service) => service.monitor_id).filter((one) => !inGroup.has(one));
  return new Map([...free, ...grouped].map((monitor, place) => [monitor, place]));
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
    services: own.map((row) => ({
      monitor_id: row.monitor_id,
      label: row.label,
      display: row.display as Display,
      show_automatic:
        row.show_automatic === null ? null : (JSON.parse(row.show_automatic) as ShowAutomatic),
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
export function placed(arrangement: Arrangement) {
  const { services, groups } = arrangement;
  const places = placesOf(arrangement);
  const groupOf = new Map(
    groups.flatMap(({ monitors }, index) => monitors.map((monitor) => [monitor, index])),
  );
  return {
    groups: groups.map(({ name }) => name),
    services: services.map((service) => ({
      ...service,
      show_automatic:
        service.show_automatic === null ? null : JSON.stringify(service.show_automatic),
      group: groupOf.get(service.monitor_id) ?? null,
      position: places.get(service.monitor_id)!,
    })),
  };
}

function monitorsInput() {
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
    'must be an object with the id of a monitor',
  );
  return z
    .array(service, { error })
    .max(MAX_SERVICES, { error })
    .refine((list) => new Set(list.map((one) => one.id)).size === list.length, { error })
    .meta({ description: 'Services of the page. Replaces the list.' });
}

function groupsInput() {
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
