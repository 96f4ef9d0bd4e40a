import { DDL, type Engine } from '../../dialect.ts';

/** What concerns the installation and its processes, and counters that they share. */
export function installationTables(engine: Engine): string[] {
  const { identity, integer, text, strict, strictByKey } = DDL[engine];
  // Counting waits for no disk, and a crash may forget a minute.
  const createUnlogged = engine === 'postgres' ? 'create unlogged table' : 'create table';
  return [
    `create table setting (name ${text} primary key, value ${text} not null) ${strict}`,
    // Position of a long-running job, in its own unit.
    `create table progress (name ${text} primary key, position ${integer} not null) ${strict}`,

    `create table node (id ${text} primary key, seen_at ${integer} not null) ${strict}`,
    `create table shard (
      shard ${integer} primary key,
      -- Number of edits of its monitors; edits of one shard commit one after another.
      version ${integer} not null,
      owner ${text},
      -- By the database's clock.
      lease_until ${integer} not null
    ) ${strict}`,
    `with recursive number (n) as (select 0 union all select n + 1 from number where n < 255)
      insert into shard (shard, version, lease_until) select n, 0, 0 from number`,

    // A time in which no process received pings.
    `create table service_gap (
      id ${identity}, from_at ${integer} not null, to_at ${integer} not null
    ) ${strict}`,
    `create index service_gap_end on service_gap (to_at)`,

    // What each process reports of itself. Times are those of the database's clock.
    `create table process_report (
      id ${text} primary key, name ${text} not null,
      -- Comma-separated.
      roles ${text} not null,
      version ${text} not null, started_at ${integer} not null, seen_at ${integer} not null,
      -- Null without the role scheduler, as are the next two.
      lag_ms ${integer},
      checks_due ${integer}, checks_late ${integer},
      -- JSON: live probes by region; null without the roles scheduler and api.
      probes ${text},
      free_bytes ${integer}, clock_offset_ms ${integer}
    ) ${strict}`,
    // A problem of the installation that was observed, or that ended before the operator webhook
    // was notified of it.
    `create table installation_problem (
      kind ${text} not null,
      -- Region or role; empty for the whole installation.
      subject ${text} not null,
      -- When it was first observed; null after its end.
      seen_at ${integer},
      -- When it had lasted long enough to notify people; null before.
      opened_at ${integer},
      -- Since when it is no longer observed; null while it is.
      clear_since ${integer},
      value ${integer},
      -- JSON array of names.
      processes ${text} not null,
      -- 'opened_at' of the problem that the operator webhook was notified of; null for none, or after its end.
      notified_opened_at ${integer},
      primary key (kind, subject)
    ) ${strictByKey}`,
    // One row: the process that evaluates the installation, and what it found last.
    `create table installation_watch (
      id ${integer} primary key, holder ${text} not null, leased_until ${integer} not null, evaluated_at ${integer},
      -- JSON of 'InstallationSummary'.
      summary ${text}
    ) ${strict}`,
    // Health of the network of a region's probes.
    `create table region_health (
      region ${text} primary key,
      -- Time since which its votes are unknown; null when they count.
      quarantined_at ${integer},
      -- A sentence for people.
      reason ${text},
      changed_at ${integer} not null, notified_at ${integer}
    ) ${strict}`,
    `create index region_health_unnotified on region_health (changed_at) where notified_at is null`,
    // Overload of the probes of a process.
    `create table probe_overload (
      -- Host name and port of the process.
      probe ${text} primary key,
      -- Time since which they can't keep up; null while they can.
      overloaded_at ${integer},
      -- A sentence for people.
      reason ${text},
      changed_at ${integer} not null, notified_at ${integer}
    ) ${strict}`,
    `create index probe_overload_unnotified on probe_overload (changed_at) where notified_at is null`,

    // The columns that rate-limiter-flexible wants (store/people/rate-limits.ts). On SQLite, which has one process, it stays empty.
    `${createUnlogged} rate_limit (
      -- Name of the limit, and its key.
      key ${text} not null primary key,
      points ${integer} not null,
      -- End of the window.
      expire ${integer}
    ) ${strictByKey}`,
    // Budgets that survive a restart, such as mails to one address; recipients are hashed with a secret.
    `create table budget (
      -- Name of the budget and whose it is; a recipient is hashed with a secret.
      key ${text} not null primary key,
      used ${integer} not null, ends_at ${integer} not null
    ) ${strictByKey}`,
    `create index budget_end on budget (ends_at)`,
    // A key that a client gave a request, so that a repetition gets its answer.
    `create table idempotency_key (
      id ${identity},
      -- Hash of the sender, the path and the key.
      scope ${text} not null,
      -- Whose keys are counted together.
      owner ${text} not null,
      -- Hash of the request's body.
      fingerprint ${text} not null,
      -- Incremented by each request that claims the key.
      claim ${integer} not null,
      -- Time after which a request without an answer is taken for dead.
      leased_until ${integer} not null,
      -- What the request changed, from its transaction on.
      target_type ${text},
      target_id ${integer}, carried_out_at ${integer},
      -- Status of the answer; null until there is one.
      status ${integer},
      -- Headers and body of the answer: JSON, compressed and sealed. Null when it was too large.
      answer ${text},
      created_at ${integer} not null
    ) ${strict}`,
    `create unique index idempotency_key_scope on idempotency_key (scope)`,
    `create index idempotency_key_owner on idempotency_key (owner, created_at)`,
    `create index idempotency_key_created on idempotency_key (created_at)`,
  ];
}
