import { invalidField } from '../resources/common/errors.ts';
import { counted, nameOf, type NamedMonitor } from './common.ts';
import { fromTeam } from './target-text.ts';

/** Things that arguments name. */
interface Named {
  noun: string;
  /** Name of the operation that lists them. */
  list: string;
  /** Query that finds a name among many. */
  search?: string;
}

const MONITORS: Named = { noun: 'monitor', list: 'listMonitors', search: 'q' };
const GROUPS: Named = { noun: 'group', list: 'listGroups' };
const PAGES: Named = { noun: 'status page', list: 'listStatusPages', search: 'search' };
const NAMED: Readonly<Record<string, Named>> = {
  monitor_id: MONITORS,
  monitors: MONITORS,
  ids: MONITORS,
  depends_on: MONITORS,
  group_id: GROUPS,
  groups: GROUPS,
  parent_id: GROUPS,
  maintenance_id: { noun: 'maintenance window', list: 'listMaintenanceWindows' },
  status_page_id: PAGES,
  status_pages: PAGES,
  report_id: { noun: 'report', list: 'listReports', search: 'search' },
  channel_id: { noun: 'channel', list: 'listAlertChannels' },
  endpoint_id: { noun: 'webhook endpoint', list: 'listWebhookEndpoints' },
  user_id: { noun: 'member', list: 'listUsers' },
};

const INCIDENT = 'incident_id';
/** Pages of things among which one is found. */
const MOST_PAGES = 10;
/** Things that match and are named in an error, and characters of a name. */
const MOST_NAMED = 5;
const NAME_LENGTH = 100;

/** Whether an argument takes the name of a thing in place of its id; an incident goes by the name of its monitor. */
export function takesName(argument: string): boolean {
  return argument === INCIDENT || Object.hasOwn(NAMED, argument);
}

type Item = NamedMonitor & { id: number; name?: string };
type IncidentItem = { id: number; type: string; started_at: string };
type Query = Record<string, string>;
/** Lists a page of a hundred things as the caller sees them, the newest incidents first. Throws a Problem where they may not. */
export type ListThings = <Listed = Item>(
  operation: string,
  query: Query,
) => Promise<{ data: Listed[]; last_page?: number }>;

interface Resolved {
  args: Record<string, unknown>;
  /** Sentences on what was taken for a part of its name. */
  taken: string[];
}

/**
 * Arguments with ids in place of the names of things. Throws InvalidInput for a name of nothing or of several things.
 *
 * @param isWrite true where something changes: then the newest of several incidents of a monitor is no answer.
 */
export async function withIds(
  args: Readonly<Record<string, unknown>>,
  list: ListThings,
  isWrite: boolean,
): Promise<Resolved> {
  const taken: string[] = [];
  async function idFor(argument: string, name: string): Promise<number> {
    const isIncident = argument === INCIDENT;
    const item = await thingOf(isIncident ? 'monitor_id' : argument, name, list);
    if (called(item).toLowerCase() !== name.trim().toLowerCase())
      taken.push(`${quoted(name)} was taken for ${labelOf(item)}.`);
    return isIncident ? incidentOf(item, list, isWrite) : item.id;
  }
  const entries = Object.entries(args).map(async ([argument, value]) => {
    if (!takesName(argument)) return [argument, value];
    const id = (one: unknown) => (isName(one) ? idFor(argument, one) : one);
    return [argument, Array.isArray(value) ? await Promise.all(value.map(id)) : await id(value)];
  });
  const resolved = Object.fromEntries(await Promise.all(entries)) as Record<string, unknown>;
  return { args: resolved, taken };
}

const called = ({ name, friendly_name: friendly, url }: Item) => name ?? friendly ?? url ?? '';

/** Some models send numbers as texts. */
function isName(value: unknown): value is string {
  return typeof value === 'string' && !/^\s*\d*\s*$/.test(value);
}

async function thingOf(argument: string, name: string, list: ListThings): Promise<Item> {
  const { noun, list: operation, search } = NAMED[argument]!;
  const { data, isWhole } = await allOf(
    operation,
    search === undefined ? {} : { [search]: name },
    list,
  );
  const wanted = name.trim().toLowerCase();
  const isCalled = (item: Item) => called(item).toLowerCase() === wanted || item.url === name;
  const exact = data.filter(isCalled);
  const found =
    exact.length > 0 ? exact : data.filter((item) => called(item).toLowerCase().includes(wanted));
  if (!isWhole)
    throw invalidField(argument, `${quoted(name)} could be one of too many ${noun}s: give an id`);
  if (found.length === 1) return found[0]!;
  if (found.length === 0)
    throw invalidField(argument, `names no ${noun} of your team: ${quoted(name)}`);
  throw invalidField(
    argument,
    severalOf(`${quoted(name)} fits ${counted(found.length, noun)}`, found.map(labelOf)),
  );
}

/** The things of a list, page by page. What it leaves out of very many could have the same name. */
async function allOf(operation: string, query: Query, list: ListThings) {
  const data: Item[] = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const listed = await list(operation, { ...query, page: String(page) });
    data.push(...listed.data);
    if (page >= (listed.last_page ?? 1)) return { data, isWhole: true };
  }
  return { data, isWhole: false };
}

/** The newest open incident of a monitor, else its newest one; for a change the only one. */
async function incidentOf(monitor: Item, list: ListThings, isWrite: boolean): Promise<number> {
  const id = String(monitor.id);
  const name = quoted(shownName(monitor));
  for (const status of [{ status: 'open' }, {}]) {
    const { data } = await list<IncidentItem>('listIncidents', { monitor_id: id, ...status });
    if (data[0] === undefined) continue;
    if (data.length === 1 || !isWrite) return data[0].id;
    const open = status.status === undefined ? '' : 'open ';
    const labels = data.map((one) => `${one.id} (${one.type}, since ${one.started_at})`);
    throw invalidField(INCIDENT, severalOf(`${name} has several ${open}incidents`, labels));
  }
  throw invalidField(INCIDENT, `${name} has had no incident`);
}

/** What fits several things, with some of them. */
const severalOf = (said: string, labels: readonly string[]) =>
  `${said}: give the id of one, such as ${labels.slice(0, MOST_NAMED).join(', ')}`;

const shownName = (item: Item) =>
  item.name === undefined ? nameOf(item) : fromTeam(item.name, NAME_LENGTH);
const labelOf = (item: Item) => `${item.id} (${shownName(item)})`;
const quoted = (name: string) => JSON.stringify(fromTeam(name, NAME_LENGTH));
