import { DDL, type Engine } from '../dialect.ts';

/** Ping addresses of other services, at which jobs go on reporting. */
export function pingAliases(engine: Engine): string[] {
  const { identity, integer, text, strict } = DDL[engine];
  return [
    // An address of another service at which the job of a push monitor reports.
    `create table ping_alias (
      id ${identity},
      -- SHA-256 of the address in its one spelling, in hex. It is a secret, and nobody needs to read it again.
      token_hash ${text} not null,
      monitor_id ${integer} not null references monitor (id) on delete cascade,
      -- One of ALIAS_SERVICES of engine/heartbeat/aliases.ts.
      service ${text} not null,
      created_at ${integer} not null,
      -- Newest call, within the hour; null before the first.
      last_used_at ${integer}
    ) ${strict}`,
    `create unique index ping_alias_token on ping_alias (token_hash)`,
    `create index ping_alias_monitor on ping_alias (monitor_id)`,
  ];
}
