import { Channels } from './channels.ts';
import type { Draft } from './draft.ts';
import { Notes, thing } from './notes.ts';
import { listOf, numberOf, objectOf, textOf, type Given } from './values.ts';

/** A monitor of UptimeRobot, as a version of its API or its CSV writes it. */
export type Robot = Readonly<Given>;

/** Hosts of addresses that belong to a type of channel. */
const HOSTS: readonly (readonly [host: RegExp, type: string])[] = [
  [/^hooks\.slack\.com$/, 'slack'],
  [/^(\w+\.)?discord(app)?\.com$/, 'discord'],
  [/(^|\.)webhook\.office\.com$|\.logic\.azure\.com$|\.powerplatform\.com$/, 'microsoft_teams'],
  [/^chat\.googleapis\.com$/, 'google_chat'],
];

/**
 * Alert contacts of UptimeRobot, as far as the file has their values: mail addresses, and the addresses of chats and
 * webhooks. `route` adds the routes of monitors, by the keys of their ids.
 */
export function robotContacts(
  draft: Draft,
  monitors: readonly Robot[],
): { route(keys: ReadonlyMap<string, string>): void } {
  const channels = new Channels(draft);
  for (const { id, value, name } of monitors.flatMap(contactsOf)) {
    if (channels.keys.has(id)) continue;
    const known = typeOf(value);
    // The address of a chat is a secret: it stands in no name.
    const shown = name ?? (known === null ? null : (hostOf(value) ?? value));
    const source = thing('alert contact', known !== null && id === value ? null : id, shown);
    if (known === null)
      channels.leaveOut(
        id,
        source,
        'The file does not show where it leads: set it up as an alert channel by hand.',
      );
    else channels.add(id, { source, name: shown, notes: new Notes(), ...known });
  }
  return {
    route(keys) {
      for (const robot of monitors) {
        const key = keys.get(textOf(robot['id']) ?? '');
        if (key === undefined) continue;
        const contacts = contactsOf(robot);
        const named = channels.keysOf(contacts.map(({ id }) => id)).toSorted();
        const again = contacts.find(({ recurrence }) => recurrence > 0)?.recurrence;
        const reminderMinutes = again === undefined ? null : Math.min(Math.max(again, 1), 1_440);
        channels.route({ key, channels: named, reminderMinutes });
      }
      channels.addRoutes();
    },
  };
}

interface Contact {
  id: string;
  name: string | null;
  value: string;
  /** Minutes; 0 for none. */
  recurrence: number;
}

/** Version 2 has values with the contacts, version 3 only ids, and the CSV a column of addresses or ids. */
function contactsOf(robot: Robot): Contact[] {
  const listed = [...listOf(robot['alert_contacts']), ...listOf(robot['assigned_alert_contacts'])];
  const found = listed.map(objectOf).map((contact) => ({
    id: textOf(contact['id'] ?? contact['alertContactId']) ?? '',
    name: textOf(contact['friendly_name']) ?? null,
    value: textOf(contact['value']) ?? '',
    recurrence: Math.round(numberOf(contact['recurrence']) ?? 0),
  }));
  const addresses = (textOf(robot['alert_contact']) ?? '')
    .split(/[\s,;|]+/)
    .filter((one) => typeOf(one) !== null || /^\d+$/.test(one));
  return [
    ...found.filter(({ id }) => id !== ''),
    ...addresses.map((value) => ({ id: value, name: null, value, recurrence: 0 })),
  ];
}

function typeOf(value: string): { type: string; settings: Given } | null {
  if (value.length <= 254 && /^[^\s@,;<>"]+@[^\s@,;<>"]+\.[^\s@,;<>"]+$/.test(value))
    return { type: 'email', settings: { addresses: value } };
  const host = hostOf(value);
  if (host === undefined) return null;
  const known = HOSTS.find(([pattern]) => pattern.test(host));
  return known === undefined
    ? { type: 'webhook', settings: { url: value } }
    : { type: known[1], settings: { webhook_url: value } };
}

const hostOf = (address: string) =>
  /^https:\/\//i.test(address) ? URL.parse(address)?.hostname : undefined;
