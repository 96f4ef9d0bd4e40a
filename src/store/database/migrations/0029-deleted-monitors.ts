/** Retention looks for deleted monitors twice a minute: without this index it would read all monitors. */
export function deletedMonitors(): string[] {
  return ['create index monitor_deleted on monitor (deleted_at) where deleted_at is not null'];
}
