/** Columns get the field's standard names. Indexes and triggers follow a renamed column; values stay. */
export function columnNames(): string[] {
  return [
    ...rename('alert', {
      told_at: 'notified_at',
      told_count: 'notified_count',
      gather_until: 'groupable_until',
    }),
    ...rename('alert_recipient', { told_at: 'notified_at', last_told_at: 'last_notified_at' }),
    ...rename('monitor_state', {
      is_put_off: 'is_postponed',
      judged_revision: 'evaluated_revision',
    }),
    ...rename('region_health', { told_at: 'notified_at' }),
    `drop index region_health_untold`,
    `create index region_health_unnotified on region_health (changed_at) where notified_at is null`,
  ];
}

function rename(table: string, names: Record<string, string>): string[] {
  return Object.entries(names).map(
    ([from, to]) => `alter table ${table} rename column ${from} to ${to}`,
  );
}
