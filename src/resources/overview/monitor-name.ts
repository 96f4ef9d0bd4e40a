import { isPushType } from '../../monitor-types/registry.ts';
import type { MonitorLabel } from '../../store/resources/overview.ts';

/** A monitor as overviews show it. */
export interface NamedMonitor {
  id: number;
  name: string;
  /** Null for a push monitor, whose URL is a secret. */
  url: string | null;
}

/** Names a monitor by its friendly name, else by its url, else by its id. */
export function namedMonitor({ id, name, url, type }: MonitorLabel): NamedMonitor {
  const shown = isPushType(type) || url === '' ? null : url;
  return { id, name: name ?? shown ?? `#${id}`, url: shown };
}
