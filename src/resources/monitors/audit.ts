import { MASK } from '../../lib/secret-box.ts';
import { auditTarget, type AuditTarget } from '../../model/audit.ts';
import type { MonitorSettings } from '../../monitor-types/fields.ts';
import { isPushType } from '../../monitor-types/registry.ts';

/** A push monitor has no URL of its own, so its name is null without a `friendly_name`. */
export function monitorTarget(
  id: number,
  { friendly_name, url }: Pick<MonitorSettings, 'friendly_name' | 'url'>,
): AuditTarget {
  return auditTarget('monitor', { id, name: friendly_name ?? (url === '' ? null : url) });
}

/** Settings of a monitor; a ping URL is masked, since anybody who has it can send pings. */
export function auditedMonitor(type: string, settings: MonitorSettings): object {
  const pingUrls = isPushType(type) ? { url: MASK, ping_url: MASK } : {};
  return { monitor_type: type, ...settings, ...pingUrls };
}
