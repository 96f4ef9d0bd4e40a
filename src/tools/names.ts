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
const NAMED: Readonly<Record<string, Named>> = {
  monitor_id: MONITORS,
  monitors: MONITORS,
  ids: MONITORS,
  depends_on: MONITORS,
  group_id: GROUPS,
  groups: GROUPS,
  parent_id: GROUPS,
  maintenance_id: { noun: 'maintenance window', list: 'listMaintenanceWindows' },
  status_page_id: { noun: 'status page', list: 'listStatusPages', search: 'search' },
  status_pages: { noun: 'status page', list: 'listStatusPages', search: 'search' },
  report_id: { noun: 'report', list: 'listReports', search: 'search' },
  channel_id: { noun: 'channel', list: 'listAlertChannels' },
  endpoint_id: { noun: 'webhook endpoint', list: 'listWebhookEndpoints' },
  user_id: { noun: 'member', list: 'listUsers' },
};

const INCIDENT = 'incident_id';
/** Things that match and are named in an error, and characters of a name. */
const MOST_NAMED = 5;
const NAME_LENGTH = 100;

/** Whether an argument takes the name of a thing in place of its id; an incident goes by the name of its monitor. */
export function takesName(argument: string): boolean {
  return argument === INCIDENT || Object.hasOwn(NAMED, argument);
}

type Item = NamedMonitor & { id: number; name?: string };
type Query = Record<string, string>;
/** Lists the first hundred things as the caller sees them, the newest incidents first. Throws a Problem where they may not. */
export type ListThings = (operation: string, query: Query) => Promise<{ data: Item[] }>;

/** Arguments with ids in place of the names of things. Throws InvalidInput for a name of nothing or of several things. */
export async function withIds(
  args: Readonly<Record<string, unknown>>,
  list: ListThings,
): Promise<Record<string, unknown>> {
  const entries = Object.entries(args).map(async ([argument, value]) => {
    if (!takesName(argument)) return [argument, value];
    const id = (one: unknown) => (isName(one) ? idOf(argument, one, list) : one);
    return [argument, Array.isArray(value) ? await Promise.all(value.map(id)) : await id(value)];
  });
  return Object.fromEntries(await Promise.all(entries)) as Record<string, unknown>;
}

const called = ({ name, friendly_name: friendly, url }: Item) => name ?? friendly ?? url ?? '';

/** Some models send numbers as texts. */
function isName(value: unknown): value is string {
  return typeof value === 'string' && !/^\s*\d*\s*$/.test(value);
}

async function idOf(argument: string, name: string, list: ListThings): Promise<number> {
  if (argument === INCIDENT) return incidentOf(name, list);
  const { noun, list: operation, search } = NAMED[argument]!;
  const { data } = await list(operation, search === undefined ? {} : { [search]: name });
  const wanted = name.trim().toLowerCase();
  const isCalled = (item: Item) => called(item).toLowerCase() === wanted || item.url === name;
  const exact = data.filter(isCalled);
  const found =
    exact.length > 0 ? exact : data.filter((item) => called(item).toLowerCase().includes(wanted));
  if (found.length === 1) return found[0]!.id;
  const shown = JSON.stringify(fromTeam(name, NAME_LENGTH));
  if (found.length === 0) throw invalidField(argument, `names no ${noun} of your team: ${shown}`);
  const some = found
    .slice(0, MOST_NAMED)
    .map(
      (item) =>
        `${item.id} (${item.name === undefined ? nameOf(item) : fromTeam(item.name, NAME_LENGTH)})`,
    );
  throw invalidField(
    argument,
    `${shown} fits ${counted(found.length, noun)}: give the id of one, such as ${some.join(', ')}`,
  );
}

/** The newest open incident of a monitor, else its newest one. */
async function incidentOf(monitor: string, list: ListThings): Promise<number> {
  const id = String(await idOf('monitor_id', monitor, list));
  for (const status of [{ status: 'open' }, {}]) {
    const { data } = await list('listIncidents', { monitor_id: id, ...status });
    if (data[0] !== undefined) return data[0].id;
  }
  throw invalidField(
    INCIDENT,
    `${JSON.stringify(fromTeam(monitor, NAME_LENGTH))} has had no incident`,
  );
}
