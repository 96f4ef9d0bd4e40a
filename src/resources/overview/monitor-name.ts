import { z } from 'zod';
import { isPushType, PUSH } from '../../monitor-types/registry.ts';
import type { MonitorLabel } from '../../store/resources/overview.ts';

/** A monitor as overviews show it. */
export const monitorName = z
  .object({
    id: z.int().min(1),
    name: z.string().meta({ description: '`friendly_name`, else `url`, else `#` and the id.' }),
    url: z
      .string()
      .nullable()
      .meta({
        description: `Null for ${PUSH.and} monitors, whose ping URL is a secret.`,
      }),
  })
  .meta({ id: 'NamedMonitor', description: 'A monitor that an overview is about.' });

export type NamedMonitor = z.output<typeof monitorName>;

/** Names a monitor by its friendly name, else by its url, else by its id. */
export function namedMonitor({ id, name, url, type }: MonitorLabel): NamedMonitor {
  const shown = isPushType(type) || url === '' ? null : url;
  return { id, name: name ?? shown ?? `#${id}`, url: shown };
}

/** Monitors of examples. */
export const SHOP = { id: 1, name: 'Shop', url: 'https://shop.example.com' };
export const BACKUP = { id: 2, name: 'Backup', url: null };
