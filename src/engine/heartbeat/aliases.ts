import type { PingKind } from '../../model/heartbeat.ts';

/** Services whose ping addresses go on working here. */
export const ALIAS_SERVICES = [
  'healthchecks',
  'uptime_kuma',
  'uptimerobot',
  'better_stack',
  'cronitor',
] as const;
export type AliasService = (typeof ALIAS_SERVICES)[number];

/** A call of a ping address of another service. */
export interface AliasCall {
  service: AliasService;
  /** The address in one spelling: path without what a call adds to it. A secret. */
  alias: string;
  kind: PingKind;
  /** 0 to 255; null without one. */
  exitCode: number | null;
  runId: string | null;
  /** Text that the query has in place of a body. */
  message: string | null;
  /** What the job measured itself, in milliseconds; null for the time since its start. */
  durationMs: number | null;
}

type Meaning = Partial<Pick<AliasCall, 'kind' | 'exitCode' | 'runId' | 'message' | 'durationMs'>>;

interface AliasGrammar {
  service: AliasService;
  /** The whole path; its first group is what the alias is made of, and the second one the suffix. */
  path: RegExp;
  alias(secret: string): string;
  /** What a call means, a success unless it says otherwise; null for a suffix that does not exist. */
  read(suffix: string | undefined, query: URLSearchParams): Meaning | null;
}

const UUID = '[\\da-fA-F]{8}(?:-[\\da-fA-F]{4}){3}-[\\da-fA-F]{12}';
const MAX_EXIT_CODE = 255;
/** Three years, as Uptime Kuma has it. */
const MAX_DURATION_MS = 100_000_000_000;

/**
 * Source of each grammar: hc/api/urls.py and views.py of Healthchecks, server/routers/api-router.js of Uptime Kuma,
 * betterstack.com/docs/uptime/cron-and-heartbeat-monitor and cronitor.io/docs/telemetry-api; UptimeRobot documents none
 * beside the address. Read in 2026. The lengths keep addresses apart from our own paths.
 */
const GRAMMARS: readonly AliasGrammar[] = [
  {
    service: 'healthchecks',
    // Its hosted edition has no /ping. A ping key has 22 characters, so it is no token of ours.
    path: new RegExp(
      `^/(?:ping/)?(${UUID}|[\\w-]{22}/[a-z\\d_-]+)(?:/(start|fail|log|\\d{1,3}))?/?$`,
    ),
    alias: (secret) => `/ping/${secret.includes('/') ? secret : secret.toLowerCase()}`,
    read(suffix, query) {
      const run = { runId: query.get('rid')?.toLowerCase() ?? null };
      if (suffix === 'start' || suffix === 'log') return { ...run, kind: suffix };
      const ended = ending(suffix);
      return ended && { ...run, ...ended };
    },
  },
  {
    service: 'uptime_kuma',
    path: /^\/api\/push\/([\w-]{8,128})\/?$/,
    alias: (secret) => `/api/push/${secret}`,
    read: (_suffix, query) => ({
      kind: (query.get('status') || 'up') === 'up' ? 'success' : 'failure',
      message: query.get('msg'),
      durationMs: duration(query.get('ping'), 1),
    }),
  },
  {
    service: 'uptimerobot',
    path: /^\/(m\d+-[\da-zA-Z]{16,128})\/?$/,
    alias: (secret) => `/${secret}`,
    read: () => ({}),
  },
  {
    service: 'better_stack',
    path: /^\/api\/v1\/heartbeat\/([\da-zA-Z]{16,128})(?:\/(fail|\d{1,3}))?\/?$/,
    alias: (secret) => `/api/v1/heartbeat/${secret}`,
    read: ending,
  },
  {
    service: 'cronitor',
    // The state may also be a part of the path.
    path: /^\/p\/([\w-]{16,128}\/[^/]+)(?:\/(run|complete|fail|ok|tick))?\/?$/,
    alias: (secret) => `/p/${secret}`,
    read(suffix, query) {
      const kind = CRONITOR_KINDS.get(suffix ?? query.get('state') ?? '') ?? 'log';
      const isEnd = kind === 'success' || kind === 'failure';
      const code = isEnd ? ending(query.get('status_code') ?? undefined) : null;
      const measured = query.getAll('metric').find((metric) => metric.startsWith('duration:'));
      return {
        kind,
        exitCode: code?.kind === kind ? (code.exitCode ?? null) : null,
        runId: query.get('series'),
        message: query.get('message') ?? query.get('msg'),
        durationMs: isEnd ? duration(measured?.slice('duration:'.length) ?? null, 1_000) : null,
      };
    },
  },
];

/** `ok` resets a monitor by hand; no state is a heartbeat. Any other, such as `pause`, is only listed. */
const CRONITOR_KINDS: ReadonlyMap<string, PingKind> = new Map([
  ['', 'success'],
  ['run', 'start'],
  ['complete', 'success'],
  ['ok', 'success'],
  ['tick', 'success'],
  ['fail', 'failure'],
]);

/** Beginning of a request target: the origin of an absolute one, the path, and the query. */
const TARGET = /^(?:[hH][tT]{2}[pP][sS]?:\/\/[^/?#]*)?(\/[^?#]*)(?:\?([^#]*))?/;

/** Beginning of every alias. Most other requests have none of them. */
const MAYBE =
  /^(?:[hH]|\/(?:ping\/|p\/|api\/push\/|api\/v1\/heartbeat\/|m\d|[\w-]{22}\/|[\da-fA-F]{8}-))/;

/** Ping URLs of ours, which cost one test. */
const NATIVE = /^\/ping\/[\da-zA-Z]{30}(?![^/?#])/;

/** Reads a raw request target, or a URL, as a call of another service's ping address; null for anything else. */
export function readAliasTarget(target: string): AliasCall | null {
  if (NATIVE.test(target) || !MAYBE.test(target)) return null;
  const [, path = '', search = ''] = TARGET.exec(target) ?? [];
  for (const grammar of GRAMMARS) {
    const [found, secret = '', suffix] = grammar.path.exec(path) ?? [];
    if (found === undefined) continue;
    const meaning = grammar.read(suffix, new URLSearchParams(search));
    if (meaning === null) return null;
    return {
      service: grammar.service,
      alias: grammar.alias(secret),
      kind: 'success',
      exitCode: null,
      runId: null,
      message: null,
      durationMs: null,
      ...meaning,
    };
  }
  return null;
}

/** End of a run by its suffix: none, `fail` or an exit code; null for an exit code that does not exist. */
function ending(suffix: string | undefined): Pick<AliasCall, 'kind' | 'exitCode'> | null {
  if (suffix === undefined) return { kind: 'success', exitCode: null };
  if (suffix === 'fail') return { kind: 'failure', exitCode: null };
  const exitCode = /^\d{1,3}$/.test(suffix) ? Number(suffix) : Infinity;
  if (exitCode > MAX_EXIT_CODE) return null;
  return { kind: exitCode === 0 ? 'success' : 'failure', exitCode };
}

/** Milliseconds; null for what is no duration. */
function duration(text: string | null, unitMs: number): number | null {
  const ms = Math.round(Number.parseFloat(text ?? '') * unitMs);
  return ms >= 0 && ms <= MAX_DURATION_MS ? ms : null;
}
