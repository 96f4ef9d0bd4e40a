import { z } from 'zod';
import { MONITOR_STATUSES } from '../../model/monitor.ts';

/** The bodies that webhook endpoints are sent (contract 28.11): these keys, and no others. */

const monitor = z
  .object({
    id: z.int().min(0).meta({ description: 'Of the monitor; 0 in a test.' }),
    name: z.string().nullable().meta({ description: 'Null where the monitor has none.' }),
    url: z.string().nullable().meta({
      description:
        'What is watched, as it was set: a URL, a host or an address. Null for heartbeat and cron monitors, whose URL is a secret.',
    }),
  })
  .meta({ id: 'WebhookMonitor', description: 'The monitor of an event.' });

const status = z
  .object({
    current: z.enum(MONITOR_STATUSES).meta({ description: 'Of the monitor, after the change.' }),
    previous: z.enum(MONITOR_STATUSES).meta({
      description:
        'Of the monitor, before the change. The same as `current` where it has a worse problem besides.',
    }),
    root_cause: z.string().nullable().meta({
      description: 'The reason, for people. A recovery repeats the reason of the problem.',
    }),
    region: z.string().nullable().meta({
      description:
        'The codes of the regions that fail, with a comma and a space between them, where only some do; else null.',
    }),
    is_regional_issue: z.boolean().meta({
      description: 'Whether it fails from some regions only.',
    }),
  })
  .meta({ id: 'WebhookStatus', description: 'What became of the monitor, and why.' });

const incident = z
  .object({
    id: z.int().min(1),
    started_at: z.iso.datetime().meta({
      description: 'Of the first check that failed, or when the ping was due that did not come.',
    }),
  })
  .meta({
    id: 'WebhookIncident',
    description: 'The incident that the event opens or resolves; both events name the same one.',
  });

const timestamp = z.iso.datetime().meta({
  description: 'When it happened; each attempt to send it has the same.',
});

/**
 * The schema of one event's body.
 *
 * @param ofIncident false for what belongs to none: its `incident` is null.
 */
export function payloadOf(event: string, description: string, ofIncident: boolean) {
  return z
    .object({
      event: z.literal(event),
      timestamp,
      monitor,
      status,
      incident: ofIncident ? incident : z.null(),
    })
    .meta({ id: `${pascalCase(event)}Event`, description });
}

/** `MonitorSslExpiring` of `monitor.ssl_expiring`. */
export function pascalCase(event: string): string {
  return event.replace(/(?:^|[._])(\w)/g, (_all, letter: string) => letter.toUpperCase());
}
