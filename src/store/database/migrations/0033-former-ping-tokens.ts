import { DDL, type Engine } from '../dialect.ts';

/** Ping URLs that were replaced and still work for a while. The hash alone: nobody needs to read them again. */
export function formerPingTokens(engine: Engine): string[] {
  const { integer, text, strictByKey } = DDL[engine];
  return [
    `create table former_ping_token (
      token_hash ${text} not null primary key,
      monitor_id ${integer} not null references monitor (id) on delete cascade,
      expires_at ${integer} not null
    ) ${strictByKey}`,
    `create index former_ping_token_monitor on former_ping_token (monitor_id)`,
    `create index former_ping_token_expiry on former_ping_token (expires_at)`,
  ];
}
