import { findRows } from '../../store/database/rows.ts';
import { isSecretValue } from '../../configuration/document.ts';
import { MASK } from '../../lib/secret-box.ts';
import { createTurns } from '../../lib/turns.ts';
import type { FieldName, MonitorSettings } from '../../monitor-types/fields.ts';
import { definitionOf, type MonitorType } from '../../monitor-types/registry.ts';
import { defaultSettings, FIELD_LIST, readableSettings } from '../../monitor-types/settings.ts';
import { lockMonitors } from '../../store/resources/monitor-changes.ts';
import { findMonitors } from '../../store/resources/monitors.ts';
import { InvalidInput, Problem } from '../common/errors.ts';
import { createBulkCreate } from '../monitors/bulk-create.ts';
import { BeyondPlan } from '../plan/gate.ts';
import { readMonitorUpdate } from '../monitors/rules.ts';
import { createMonitorService, type MonitorServiceDeps } from '../monitors/service.ts';
import { applyInput, type Fields as FieldTable } from '../common/fields.ts';
import { readAliasTarget } from '../../engine/heartbeat/aliases.ts';
import { hashOfAlias, pingAliasReads } from '../../store/resources/ping-aliases.ts';
import { pingAliases } from '../ping-aliases.ts';
import { slo, sloFields } from '../slo.ts';
import { monitorNames, namesOfType, OWN, typeOf } from './field-names.ts';
import { callOf, nulls, type Fields, type Kind, type Scope, type Thing } from './kinds.ts';
import { isAlike, isTree, storedSecret } from './secrets.ts';

const SLO_NAMES = Object.keys(sloFields) as (keyof typeof sloFields)[];
const BLOCKS = ['enabled', 'channels', 'quiet_hours'] as const;

/** Monitors in one statement: a few milliseconds of the thread. */
const READ_AT_ONCE = 250;

/** Monitors with their SLO. */
export function monitorKind(deps: MonitorServiceDeps): Kind {
  const service = createMonitorService(deps);
  const createAll = createBulkCreate(deps);
  const slos = slo.create(deps);
  const aliases = pingAliases.create(deps);
  /** Hashes of the addresses of other services, by monitor. */
  const known = new Map<number, Set<string>>();
  const rules = (scope: Scope) => deps.monitorRules(scope.caller.team.id);

  /** Sets what has operations of its own. May be repeated after a refusal. */
  async function finish(scope: Scope, id: number, wanted: Fields, before: Fields) {
    const { caller } = scope;
    const { slo: objective, is_paused: isPaused } = wanted;
    if (objective !== null && !isTree(objective))
      throw new InvalidInput({ slo: ['slo must be an object with a target_percent.'] });
    if (isPaused !== undefined && isPaused !== null && typeof isPaused !== 'boolean')
      throw new InvalidInput({ is_paused: ['is_paused must be true or false.'] });
    await addAliases(scope, id, wanted['ping_aliases']);
    if (objective !== null)
      await within('slo', () =>
        slos.setMonitorSlo(callOf(caller, id, { ...nulls(SLO_NAMES), ...objective })),
      );
    else if (before['slo'] !== null) await slos.deleteMonitorSlo(callOf(caller, id, undefined));
    if (isPaused === true && before['is_paused'] === false)
      await service.pauseMonitor(callOf(caller, id, undefined));
    if (isPaused === false && before['is_paused'] === true) await service.resume(caller, id);
  }

  /** Addresses are only added: those that an item names no more go on working. */
  async function addAliases({ caller }: Scope, id: number, wanted: unknown) {
    if (wanted === undefined || wanted === null) return;
    if (!Array.isArray(wanted))
      throw new InvalidInput({ ping_aliases: ['ping_aliases must be a list of paths.'] });
    for (const [index, path] of wanted.entries())
      try {
        await aliases.createPingAlias(callOf(caller, id, { path }));
      } catch (error) {
        if (!(error instanceof InvalidInput)) throw error;
        const texts = Object.values(error.errors).flat();
        const field = `ping_aliases.${index}`;
        throw new InvalidInput({ [field]: texts.map((text) => text.replace('path', field)) });
      }
  }

  return {
    section: 'monitors',
    unexported: ['ping_aliases'],
    kind: 'monitor',
    noun: 'monitor',
    reader: 'viewer',
    writer: 'editor',
    refers: Object.fromEntries(
      FIELD_LIST.flatMap(({ name, field: { refers } }) =>
        refers === undefined ? [] : [[name, refers]],
      ),
    ),

    async things({ tx, caller }) {
      const teamId = caller.team.id;
      const ids = await findRows(tx, 'monitor', { team_id: teamId, deleted_at: null }, ['id']);
      const objectives = await tx
        .selectFrom('monitor_slo')
        .select(['monitor_id', ...SLO_NAMES])
        .where('team_id', '=', teamId)
        .execute();
      const sloOf = new Map(
        objectives.map(({ monitor_id: id, burn_rate_alerts: alerts, ...own }) => [
          id,
          { ...own, burn_rate_alerts: alerts === 1 },
        ]),
      );
      const services = new Map<number, string[]>();
      known.clear();
      for (const row of await pingAliasReads(tx).of(ids.map(({ id }) => id))) {
        const { monitor_id: id, token_hash: token, service: from } = row;
        if (!known.has(id)) known.set(id, new Set());
        known.get(id)!.add(token);
        services.set(id, [...(services.get(id) ?? []), from]);
      }
      const turn = createTurns();
      const things: Thing[] = [];
      for (let from = 0; from < ids.length; from += READ_AT_ONCE) {
        const part = ids.slice(from, from + READ_AT_ONCE).map(({ id }) => id);
        for (const row of await findMonitors(tx, teamId, part)) {
          await turn();
          const settings = readableSettings(row, deps.secretBox);
          const fields = {
            monitor_type: row.type,
            ...shownSettings(row.type, settings),
            is_paused: row.is_paused === 1,
            slo: sloOf.get(row.id) ?? null,
            ping_aliases: services.get(row.id) ?? [],
          };
          const name = row.friendly_name ?? (row.url === '' ? `Monitor ${row.id}` : row.url);
          things.push({ id: row.id, name, fields, stored: settings });
        }
      }
      return things;
    },

    /** Another target is another monitor, whatever its name: its history is not that of this one. */
    identityOf(fields) {
      const { url, port } = fields;
      const target = isSecretValue(url) ? url.value : url;
      return JSON.stringify([typeOf(fields), target || null, port ?? null]);
    },

    names: monitorNames,

    complete(fields, thing) {
      const type = typeOf(fields);
      const { request_body: body, ...others } = {
        ...nulls(namesOfType(type)),
        slo: null,
        ...fields,
        // One that is to stay must be named: what an item leaves out is no other type.
        monitor_type: type,
      } as Fields;
      // Of all secrets only the body has no placeholder in a request: it stays when it is not sent.
      const isKept = body === undefined || (body === MASK && thing !== null);
      const whole: Fields = isKept ? others : { ...others, request_body: body };
      const { notification_settings: wanted } = fields;
      const stored = thing?.fields['notification_settings'];
      if (!isTree(wanted) || !isTree(stored)) return whole;
      const left = BLOCKS.filter((name) => Object.hasOwn(stored, name));
      return { ...whole, notification_settings: { ...nulls(left), ...wanted } };
    },

    asksFor(thing, fields, scope) {
      const {
        slo: objective,
        is_paused: isPaused,
        monitor_type: type,
        ping_aliases: paths,
        ...body
      } = fields;
      if (type !== thing.fields['monitor_type']) return false;
      if (typeof isPaused === 'boolean' && isPaused !== thing.fields['is_paused']) return false;
      const wantedSlo = isTree(objective)
        ? applyInput<Fields>(sloFields as FieldTable<Fields>, null, objective as Fields)
        : null;
      if (!isAlike(wantedSlo, thing.fields['slo'])) return false;
      if (paths != null && !hasAliases(known.get(thing.id), paths)) return false;
      const { plan: planName } = scope.caller.team;
      const team = {
        isGroupKnown: true,
        dependencyErrors: [],
        plan: deps.plans.of(planName),
        hostUse: null,
      };
      try {
        const stored = thing.stored as MonitorSettings;
        return (
          readMonitorUpdate(type as MonitorType, stored, body, rules(scope), team).changed
            .length === 0
        );
      } catch (error) {
        // The change itself says what is wrong.
        if (error instanceof Problem) return false;
        throw error;
      }
    },

    defaultOf(name, fields) {
      if (name === 'slo') return null;
      if (name === 'ping_aliases') return [];
      if (name === 'is_paused') return false;
      const type = definitionOf(fields['monitor_type'] as MonitorType);
      if ((OWN as readonly string[]).includes(name) || isRequired(type, name)) return undefined;
      return defaultSettings(type, { ...rulesDefaults(), checkInterval: null })[name as FieldName];
    },

    secretsIn: () => [['auth_password']],

    lock: ({ tx }, ids, creates) => lockMonitors(tx, ids, creates),

    async create(scope, wanted) {
      const monitors = wanted.map(settingsIn);
      const { results } = (await createAll(scope.caller, { monitors })) as { results: Result[] };
      const made: (number | Error)[] = [];
      for (const [index, result] of results.entries()) {
        if ('monitor' in result) {
          const { id } = result.monitor;
          const done = finish(scope, id, wanted[index]!, NEW);
          made.push(
            await done.then(
              () => id,
              (error: Error) => error,
            ),
          );
        } else made.push(refusalOf(result));
      }
      return made;
    },

    async update(scope, { id, fields: before }, fields) {
      await service.updateMonitor(callOf(scope.caller, id, settingsIn(fields)));
      await finish(scope, id, fields, before);
    },

    remove: (scope, id) => service.deleteMonitor(callOf(scope.caller, id, undefined)),

    history: 'incidents, results and uptime',

    async retire({ caller }, { id, fields }) {
      if (fields['is_paused'] !== true) await service.pauseMonitor(callOf(caller, id, undefined));
    },
  };

  function rulesDefaults() {
    return deps.monitorRules(0).defaults;
  }
}

/** What has operations of its own of a monitor that was just created. */
const NEW: Fields = { slo: null, is_paused: false };

/** The fields of a request for the monitor itself. */
function settingsIn(fields: Fields): Fields {
  const { slo: _slo, is_paused: _paused, ping_aliases: _aliases, ...settings } = fields;
  return settings;
}

function hasAliases(hashes: ReadonlySet<string> | undefined, paths: unknown): boolean {
  if (!Array.isArray(paths)) return false;
  return paths.every((path) => {
    const alias = typeof path === 'string' ? readAliasTarget(path) : null;
    return alias !== null && hashes?.has(hashOfAlias(alias.alias)) === true;
  });
}

/** Result of a monitor in a bulk request. */
type Result =
  | { status: 201; monitor: { id: number } }
  | { status: number; message: string; errors: Record<string, string[]> };

function refusalOf(result: Exclude<Result, { status: 201 }>): Error {
  const { status, message, errors } = result as {
    status: number;
    message: string;
    errors: Record<string, string[]>;
  };
  return status === 403 ? new BeyondPlan(message) : new InvalidInput(errors);
}

const isRequired = (type: ReturnType<typeof definitionOf>, name: string) =>
  type.required.some(([field]) => field === name);

function shownSettings(type: string, settings: MonitorSettings): Fields {
  const shown = namesOfType(type).map((name) => {
    const value = settings[name];
    if (name === 'request_headers' && value != null)
      return [name, mapped(value as Fields, storedSecret)];
    if (name === 'notification_settings' && value !== null)
      return [name, withoutNulls(value as Fields)];
    return [name, SECRETS.has(name) ? storedSecret(value) : value];
  });
  return Object.fromEntries(shown) as Fields;
}

const SECRETS = new Set(
  FIELD_LIST.filter(({ field }) => field.secret).map(({ name }): string => name),
);

const mapped = (fields: Fields, map: (value: unknown) => unknown): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, map(value)]));

const withoutNulls = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/** Names the field in errors of what is within it. */
async function within<Value>(field: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    const errors = Object.entries(error.errors).map(([name, texts]) => [
      `${field}.${name}`,
      texts.map((text) => `${field}.${text}`),
    ]);
    throw new InvalidInput(Object.fromEntries(errors));
  }
}
