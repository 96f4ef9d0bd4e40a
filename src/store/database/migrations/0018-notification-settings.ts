import { DDL, type Engine } from '../dialect.ts';

/** Who is notified of one monitor, beyond what alert routes say. */
export function notificationSettings(engine: Engine): string[] {
  return [`alter table monitor add column notification_settings ${DDL[engine].text}`];
}
