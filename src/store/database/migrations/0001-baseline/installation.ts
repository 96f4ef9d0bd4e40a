import { DDL, type Engine } from '../../dialect.ts';

/** What concerns the installation and its processes, and counters that they share. */
export function installationTables(engine: Engine): string[] {
  const { identity, integer, text, strict, strictByKey } = DDL[engine];
  // Counting waits for no disk, and a crash may forget a minute.
  const createUnlogged = engine === 'postgres' ? 'create unlogged table' : 'create table';
  return [
    `create table setting (name ${text} primary key, value ${text} not null) ${strict}`,
    `create table progress (name ${text} primary key, position ${integer} not null) ${strict}`,

    `create table node (id ${text} primary key, seen_at ${integer} not null) ${strict}`,
    `create table shard (
      shard ${integer} primary key, version ${integer} not null, owner ${text}, lease_until ${integer} not null
    ) ${strict}`,
    `with recursive number (n) as (select 0 union all select n + 1 from number where n < 255)
      insert into shard (shard, version, lease_until) select n, 0, 0 from number`,

    // Times in which the service was away.
    `create table service_gap (
      id ${identity}, from_at ${integer} not null, to_at ${integer} not null
    ) ${strict}`,
    `create index service_gap_end on service_gap (to_at)`,

    `create table process_report (
      id ${text} primary key, name ${text} not null, roles ${text} not null, version ${text} not null,
      started_at ${integer} not null, seen_at ${integer} not null, lag_ms ${integer}, checks_due ${integer},
      checks_late ${integer}, probes ${text}, free_bytes ${integer}, clock_offset_ms ${integer}
    ) ${strict}`,
    `create table installation_problem (
      kind ${text} not null, subject ${text} not null, seen_at ${integer}, opened_at ${integer}, clear_since ${integer},
      value ${integer}, processes ${text} not null, told_opened_at ${integer}, primary key (kind, subject)
    ) ${strictByKey}`,
    `create table installation_watch (
      id ${integer} primary key, holder ${text} not null, leased_until ${integer} not null, evaluated_at ${integer},
      summary ${text}
    ) ${strict}`,
    `create table region_health (
      region ${text} primary key, quarantined_at ${integer}, reason ${text}, changed_at ${integer} not null,
      notified_at ${integer}
    ) ${strict}`,
    `create index region_health_unnotified on region_health (changed_at) where notified_at is null`,
    `create table probe_overload (
      probe ${text} primary key, overloaded_at ${integer}, reason ${text}, changed_at ${integer} not null,
      notified_at ${integer}
    ) ${strict}`,
    `create index probe_overload_unnotified on probe_overload (changed_at) where notified_at is null`,

    // The columns that rate-limiter-flexible wants. On SQLite, which has one process, it stays empty.
    `${createUnlogged} rate_limit (
      key ${text} not null primary key, points ${integer} not null, expire ${integer}
    ) ${strictByKey}`,
    // Budgets that survive a restart, such as mails to one address; recipients are hashed with a secret.
    `create table budget (
      key ${text} not null primary key, used ${integer} not null, ends_at ${integer} not null
    ) ${strictByKey}`,
    `create index budget_end on budget (ends_at)`,
    `create table idempotency_key (
      id ${identity}, scope ${text} not null, owner ${text} not null, fingerprint ${text} not null,
      claim ${integer} not null, leased_until ${integer} not null, target_type ${text}, target_id ${integer},
      carried_out_at ${integer}, status ${integer}, answer ${text}, created_at ${integer} not null
    ) ${strict}`,
    `create unique index idempotency_key_scope on idempotency_key (scope)`,
    `create index idempotency_key_owner on idempotency_key (owner, created_at)`,
    `create index idempotency_key_created on idempotency_key (created_at)`,
  ];
}
