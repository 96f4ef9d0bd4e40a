import { DDL, type Engine } from '../dialect.ts';

/** Probes that can't keep up, so that admins are notified once when that begins and once when it is over. */
export function probeOverload(engine: Engine): string[] {
  const { integer, text, strict } = DDL[engine];
  return [
    `create table probe_overload (
      probe ${text} primary key, overloaded_at ${integer}, reason ${text}, changed_at ${integer} not null,
      notified_at ${integer}
    ) ${strict}`,
    `create index probe_overload_unnotified on probe_overload (changed_at) where notified_at is null`,
  ];
}
