import { readMonitorFields } from './monitor-fields.ts';
import { assemble, DiscoveryError, keyOf, type Draft } from './discovered.ts';

/** Part of a container of `GET /containers/json` (Docker Engine API, ContainerSummary) that is read. */
interface Container {
  name: string;
  /** Epoch seconds. */
  created: number;
  labels: Readonly<Record<string, string>>;
}

const ENABLE = 'tocsin.enable';
const GROUP = 'tocsin.group';
const MONITOR = 'tocsin.monitor.';
/** The part of a label that names one of several monitors. */
const MONITOR_NAME = /^[a-z0-9][a-z0-9_-]{0,39}$/;

/**
 * Makes monitors of the labels of containers. A container that has stopped counts as well: it may have failed, and that
 * is to be seen. Pure.
 *
 * @param answer of `GET /containers/json?all=true`.
 * @param defaults of fields without a label, such as `check_interval`.
 * @throws DiscoveryError when the answer is no list of containers.
 */
export function discoverDocker(answer: unknown, defaults: Readonly<Record<string, unknown>>) {
  if (!Array.isArray(answer))
    throw new DiscoveryError('Docker answered something other than a list of containers.');
  const containers = answer.flatMap((one) => readContainer(one) ?? []);
  const services = Map.groupBy(containers, (container) => JSON.stringify(namesOf(container)));
  const warnings: string[] = [];
  const drafts = [...services]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, [first, ...others]]) => {
      // While a service is made anew, or has several containers, the newest one says how it is monitored.
      const newest = others.reduce((best, one) => (isNewer(one, best) ? one : best), first!);
      return draftsOf(newest, defaults, warnings);
    });
  return assemble(drafts, warnings);
}

function readContainer(value: unknown): Container | null {
  const { Id, Names, Labels, Created } = (value ?? {}) as Record<string, unknown>;
  const labels = textsOf(Labels);
  // `docker compose run` makes a container with the labels of the service, beside those of it.
  if (typeof Id !== 'string' || labels['com.docker.compose.oneoff'] === 'True') return null;
  const names = Array.isArray(Names) ? Names.filter((name) => typeof name === 'string') : [];
  // Links of other containers are names with a second slash.
  const own = names.find((name) => name.lastIndexOf('/') === 0) ?? `/${Id.slice(0, 12)}`;
  return { name: own.slice(1), labels, created: typeof Created === 'number' ? Created : 0 };
}

function textsOf(labels: unknown): Record<string, string> {
  if (typeof labels !== 'object' || labels === null) return {};
  const texts = Object.entries(labels).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(texts) as Record<string, string>;
}

/** What stays the same when the container is made anew: project and service, or else its name. */
function namesOf({ name, labels }: Container): string[] {
  const service = labels['com.docker.compose.service'];
  const project = labels['com.docker.compose.project'];
  if (service !== undefined && project !== undefined) return [project, service];
  const swarmService = labels['com.docker.swarm.service.name'];
  return [swarmService ?? name];
}

function isNewer(one: Container, other: Container): boolean {
  return one.created === other.created ? one.name < other.name : one.created > other.created;
}

function draftsOf(
  container: Container,
  defaults: Readonly<Record<string, unknown>>,
  warnings: string[],
): Draft[] {
  const { labels } = container;
  const place = `Container ${container.name}`;
  if (/^(false|no|off|0)$/i.test(labels[ENABLE]?.trim() ?? '')) return [];
  const monitors = new Map<string, Map<string, string>>();
  for (const [label, text] of Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const named = monitorOf(label);
    if (named === null) continue;
    if ('fault' in named) {
      warnings.push(`${place}: ${label} ${named.fault}.`);
      continue;
    }
    const texts = monitors.get(named.monitor) ?? new Map<string, string>();
    monitors.set(named.monitor, texts.set(named.field, text));
  }
  if (monitors.size === 0 && labels[ENABLE] !== undefined)
    warnings.push(`${place}: ${ENABLE} is set, but no label ${MONITOR}url says what to monitor.`);
  const names = namesOf(container);
  return [...monitors].map(([monitor, texts]): Draft => {
    const all = monitor === '' ? names : [...names, monitor];
    const { fields, faults } = readMonitorFields({
      texts: Object.fromEntries(texts),
      defaults: { friendly_name: all.join(' '), ...defaults },
    });
    const prefix = monitor === '' ? MONITOR : `${MONITOR}${monitor}.`;
    warnings.push(
      ...faults.map(({ field, predicate }) => `${place}: ${prefix}${field} ${predicate}.`),
    );
    return {
      place,
      key: keyOf(all),
      fields: faults.length > 0 ? null : fields,
      group: labels[GROUP] ?? null,
    };
  });
}

/** Name of the monitor, empty for the only one of its container, and field that a label sets; null for other labels. */
function monitorOf(label: string): { monitor: string; field: string } | { fault: string } | null {
  if (!label.startsWith('tocsin.') || label === ENABLE || label === GROUP) return null;
  if (!label.startsWith(MONITOR)) return { fault: 'is no label of Tocsin' };
  const [first = '', second, ...rest] = label.slice(MONITOR.length).split('.');
  const [monitor, field] = second === undefined ? ['', first] : [first, second];
  if (rest.length > 0 || (second !== undefined && !MONITOR_NAME.test(monitor)))
    return {
      fault: `must have the form ${MONITOR}FIELD or ${MONITOR}NAME.FIELD, the name of lower-case letters, digits, _ and -`,
    };
  return { monitor, field };
}
