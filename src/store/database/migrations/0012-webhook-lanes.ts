import { DDL, type Engine } from '../dialect.ts';

/**
 * Order per monitor instead of order per endpoint: a delivery names its monitor, and an endpoint that fails is held as a
 * whole, apart from when each of its deliveries is tried again.
 */
export function webhookLanes(engine: Engine): string[] {
  const { integer } = DDL[engine];
  const monitorId =
    engine === 'sqlite'
      ? `json_extract(body, '$.monitor.id')`
      : `(body::json #>> '{monitor,id}')::bigint`;
  return [
    `alter table delivery add column monitor_id ${integer}`,
    `update delivery set monitor_id = ${monitorId} where status = 'pending' and kind = 'event'`,
    `create index delivery_test on delivery (destination_id, id) where status = 'pending' and kind = 'test'`,
    `alter table destination add column held_until ${integer}`,
    `update destination set held_until = next_at where kind = 'webhook' and failures > 0 and next_at is not null`,
  ];
}
