import { enumerated } from '../lib/text.ts';
import { hostOf } from '../lib/url-host.ts';
import type { CheckRequest } from '../model/check.ts';
import { cron } from './cron.ts';
import type {
  MonitorTypeDefinition,
  PingSchedule,
  PullTypeDefinition,
  ScheduleSettings,
} from './definition.ts';
import type { FieldGroup, TypesInWords } from './field.ts';
import { heartbeat } from './heartbeat.ts';
import { http } from './http.ts';
import { ping } from './ping.ts';
import { port } from './port.ts';

/** All monitor types, in the order of the reference: a new type is one line here. */
const TYPES = [http, ping, port, heartbeat, cron] as const;

type AnyType = (typeof TYPES)[number];
export type MonitorType = AnyType['name'];
type PullType = Extract<AnyType, { kind: 'pull' }>['name'];
/** What probes are asked. */
export type AnyRequest = ReturnType<Extract<AnyType, { kind: 'pull' }>['request']>;
type PushType = Exclude<MonitorType, PullType>;

export const DEFINITIONS: readonly MonitorTypeDefinition[] = TYPES;
const BY_NAME = new Map(DEFINITIONS.map((type) => [type.name, type]));

const namesOf = (types: readonly MonitorTypeDefinition[]) =>
  types.map(({ name }) => name) as [MonitorType, ...MonitorType[]];

export const MONITOR_TYPES = namesOf(DEFINITIONS);
/** The types that probes check; the jobs of the others call us. */
export const PULL_TYPES = namesOf(DEFINITIONS.filter(({ kind }) => kind === 'pull')) as PullType[];

/** The types that probes check, and those whose jobs call us, in sentences. */
export const PULL = inWords(({ kind }) => kind === 'pull');
export const PUSH = inWords(({ kind }) => kind === 'push');

function inWords(isMeant: (type: MonitorTypeDefinition) => boolean) {
  const names = namesOf(DEFINITIONS.filter(isMeant));
  return { and: enumerated(names), or: enumerated(names, 'or') };
}

/** `http: a URL. ping and port: a host.` */
function ofEachType(text: (type: MonitorTypeDefinition) => string): string {
  const texts = [...new Set(DEFINITIONS.map(text))];
  return texts.map((one) => `${inWords((type) => text(type) === one).and}: ${one}.`).join(' ');
}

export const TYPES_IN_WORDS: TypesInWords = {
  push: PUSH.and,
  urls: ofEachType((type) =>
    type.kind === 'pull'
      ? type.urlForm
      : 'made by the server, the same as `ping_url`; what is sent is ignored',
  ),
  checkTypes: ofEachType(({ checkTypes }) => checkTypes.join(', ') || 'none'),
  taking: (group) => inWords((type) => type.takes.includes(group)).and,
  requiring: (field) => inWords(({ required }) => required.some(([name]) => name === field)).and,
};

/** Throws on a name that no type has. */
export function definitionOf(name: string): MonitorTypeDefinition {
  const definition = BY_NAME.get(name);
  if (definition === undefined) throw new Error(`There is no monitor type ${name}.`);
  return definition;
}

export function isMonitorType(name: unknown): name is MonitorType {
  return BY_NAME.has(name as string);
}

export function isPushType(name: string): name is PushType {
  return BY_NAME.get(name)?.kind === 'push';
}

/** When the job of a push monitor is to call. Throws on a pull type, and on settings that no push monitor has. */
export function scheduleOf(type: string, settings: ScheduleSettings): PingSchedule {
  const definition = definitionOf(type);
  if (definition.kind === 'pull') throw new Error(`Monitors of type ${type} have no job.`);
  return definition.schedule(settings);
}

/**
 * The host that a check asks, in lower case: targets of one host share problems. Null where there is none. The type of a
 * request is the name of the monitor type whose probe it is for.
 */
export function hostOfRequest(request: CheckRequest): string | null {
  const { hostAsked } = definitionOf(request.type) as PullTypeDefinition;
  const host = hostAsked?.(request) ?? (request as { host?: string }).host;
  return host?.toLowerCase() ?? null;
}

/** The least that a probe can be asked to see whether the target answers; null when asking may change something there. */
export function lightRequestOf(request: CheckRequest): CheckRequest | null {
  const { lightRequest } = definitionOf(request.type) as PullTypeDefinition;
  return lightRequest === undefined ? request : lightRequest(request);
}

/** Whether a type takes the fields of a group; those without one belong to all types. */
export function takes(type: Pick<MonitorTypeDefinition, 'takes'>, group: FieldGroup | undefined) {
  return group === undefined || type.takes.includes(group);
}

/**
 * Host, port and path of a target, without scheme, user name, password, query and fragment, which may hold secrets. Null
 * when there is none.
 *
 * @param portNumber of port monitors; null for others.
 */
export function targetOf(type: string, url: string, portNumber: number | null): string | null {
  // A type that only a newer release knows has the host of its URL.
  const { shownTarget } = (BY_NAME.get(type) ?? {}) as Partial<PullTypeDefinition>;
  if (shownTarget !== undefined) return shownTarget(url);
  const host = hostOf(url);
  if (host === null || portNumber === null) return host;
  return host.includes(':') ? `[${host}]:${portNumber}` : `${host}:${portNumber}`;
}
