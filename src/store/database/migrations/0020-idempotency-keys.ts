import { DDL, type Engine } from '../dialect.ts';

/** Idempotency keys of requests, with the answer that a repetition gets. */
export function idempotencyKeys(engine: Engine): string[] {
  const { identity, integer, text, strict } = DDL[engine];
  return [
    `create table idempotency_key (
      id ${identity},
      scope ${text} not null,
      owner ${text} not null,
      fingerprint ${text} not null,
      claim ${integer} not null,
      leased_until ${integer} not null,
      target_type ${text},
      target_id ${integer},
      carried_out_at ${integer},
      status ${integer},
      answer ${text},
      created_at ${integer} not null
    ) ${strict}`,
    `create unique index idempotency_key_scope on idempotency_key (scope)`,
    `create index idempotency_key_owner on idempotency_key (owner, created_at)`,
    `create index idempotency_key_created on idempotency_key (created_at)`,
  ];
}
