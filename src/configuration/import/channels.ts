import { channelType, type ChannelField } from '../../alerting/channels/index.ts';
import { isSecretValue, type SecretValue } from '../document.ts';
import { httpTarget, nameOf, secret } from './common.ts';
import type { Draft } from './draft.ts';
import { quoted, Notes } from './notes.ts';
import { textOf } from './values.ts';

/** Most of each that an alert route names, and most routes of a team. */
const MAX_LISTED = 500;
const MAX_ROUTES = 100;
const ROUTE_NAME_LENGTH = 100;

/** What is said of a way to notify people that Tocsin lacks. */
export const NO_CHANNEL =
  'Tocsin has no channel of this kind: a webhook endpoint can take its place.';

/** A way to notify people, as another service has it. */
interface ForeignChannel {
  source: string;
  /** Its type stands for none. */
  name: unknown;
  enabled?: boolean;
  /** Whether it is notified of what no route names. */
  isDefault?: boolean;
  /** A type of ours and its settings, or `webhook` with a url. */
  type: string;
  settings: Readonly<Record<string, unknown>>;
  notes: Notes;
}

/** The channels of another service, and the routes that lead its monitors to them. */
export class Channels {
  readonly #draft: Draft;
  /** Keys of alert channels by ids of the service; null for webhook endpoints and what is left out. */
  readonly keys = new Map<string, string | null>();
  /** By key. */
  readonly #names = new Map<string, string>();
  readonly #routings: Routing[] = [];

  constructor(draft: Draft) {
    this.#draft = draft;
  }

  /** Adds an alert channel, or a webhook endpoint. */
  add(id: string, channel: ForeignChannel): void {
    const name = nameOf(channel.name, 100, channel.type, channel.notes);
    const key = addChannel(this.#draft, { ...channel, name });
    this.keys.set(id, key);
    if (key !== null) this.#names.set(key, name);
  }

  leaveOut(id: string, source: string, reason: string): void {
    this.#draft.leaveOut(source, reason);
    this.keys.set(id, null);
  }

  /** Keys of the alert channels that these became, each once. */
  keysOf(ids: readonly unknown[]): string[] {
    return [...new Set(ids.flatMap((id) => this.keys.get(textOf(id) ?? '') ?? []))];
  }

  route(routing: Routing): void {
    this.#routings.push(routing);
  }

  /** Adds the routes of all monitors. @param defaults keys of the channels that are notified without one. */
  addRoutes(defaults: readonly string[] = []): void {
    addRoutes(this.#draft, this.#routings, { defaults, names: this.#names });
  }
}

/** Returns the key of an alert channel; null for an endpoint, and when it is left out. */
function addChannel(draft: Draft, channel: ForeignChannel & { name: string }): string | null {
  const { source, name, enabled = true, isDefault = false, type, settings, notes } = channel;
  if (type === 'webhook') {
    addEndpoint(draft, channel);
    return null;
  }
  const known = Object.entries(channelType(type)!.fields).map(
    ([key, field]) => [key, field, settingOf(field, settings[key], notes)] as const,
  );
  const missing = known.find(([, { optional }, value]) => !optional && value === null);
  if (missing !== undefined) {
    const [key, { description }] = missing;
    draft.leaveOut(source, `It has no ${key} that Tocsin takes. ${description}`, notes);
    return null;
  }
  const given = known.flatMap(([key, , value]) => (value === null ? [] : [[key, value] as const]));
  const fields = {
    type,
    name,
    settings: Object.fromEntries(given),
    is_default: isDefault,
    ...(!enabled && { enabled }),
  };
  return draft.add('alert_channels', { source, notes, fields });
}

function addEndpoint(
  draft: Draft,
  { source, name, enabled = true, settings, notes }: ForeignChannel,
) {
  const target = addressOf(settings['url'], notes);
  if (target === null) return draft.leaveOut(source, 'It has no https address to send to.', notes);
  notes.change(
    'Tocsin sends the events of all monitors there, with a body of its own: see docs/webhooks.md.',
  );
  const { auth_username: user, auth_password: password } = target.credentials ?? {};
  const bearer = secret(settings['bearer']);
  const fields = {
    name,
    url: { from: 'import', value: target.url },
    ...(bearer !== undefined && { auth_type: 'bearer', auth_token: bearer }),
    ...(user !== undefined && {
      auth_type: 'basic',
      auth_token: secret(`${user.value}:${password?.value}`),
    }),
    ...(!enabled && { is_active: false }),
  };
  draft.add('webhook_endpoints', { source, notes, fields });
}

/** A setting as the API takes it; null where there is none. */
function settingOf(field: ChannelField, given: unknown, notes: Notes): Setting | null {
  // A variable whose value nobody knows here.
  if (isSecretValue(given))
    return given.value === undefined ? given : settingOf(field, given.value, notes);
  if (field.kind === 'url') return urlSetting(given, field.secret, notes);
  if (field.kind === 'emails') return emailSetting(given, field.maximum);
  const text = textOf(given)?.trim() ?? '';
  if (text === '') return null;
  switch (field.kind) {
    case 'number': {
      const number = Number(text);
      const isSound =
        number >= field.minimum && number <= field.maximum && Number.isInteger(number);
      return isSound ? number : null;
    }
    case 'choice':
      return field.choices.includes(text) ? text : null;
    case 'text': {
      const isSound =
        text.length <= field.maximum &&
        !/\p{Cc}/u.test(text) &&
        text.isWellFormed() &&
        (field.pattern?.test(text) ?? true);
      if (!isSound) return null;
      return field.secret ? (secret(text) ?? null) : text;
    }
  }
}

type Setting = string | number | string[] | SecretValue;

function urlSetting(given: unknown, isHidden: boolean, notes: Notes): Setting | null {
  const target = addressOf(given, notes);
  if (target === null || target.credentials !== undefined) return null;
  return isHidden ? { from: 'import', value: target.url } : target.url.replace(/[?#].*$/, '');
}

/** An address that messages are sent to. */
function addressOf(given: unknown, notes: Notes) {
  if (!/^\s*https?:\/\//i.test(textOf(given) ?? '')) return null;
  const target = httpTarget(given, notes);
  if (target === undefined || target.url.length > 2_048) return null;
  if (/^http:/i.test(target.url))
    notes.remark('Its address is not https: the operator must allow that by ALLOW_HTTP_WEBHOOKS.');
  return target;
}

function emailSetting(given: unknown, maximum: number): string[] | null {
  const found = (textOf(given) ?? '')
    .split(/[\s,;]+/)
    .map((part) => /<([^<>]*)>$/.exec(part)?.[1] ?? part)
    .filter((part) => part.length <= 254 && /^[^\s@,;<>"]+@[^\s@,;<>"]+$/.test(part))
    .filter((part) => !/\p{Cc}/u.test(part) && part.isWellFormed());
  const unique = [...new Map(found.map((one) => [one.toLowerCase(), one])).values()];
  return unique.length === 0 ? null : unique.slice(0, maximum);
}

/** Who is notified of a monitor, or of those of a group. */
interface Routing {
  /** Key of the monitor, or of the group. */
  key: string;
  isGroup?: boolean;
  /** Keys of alert channels. */
  channels: readonly string[];
  /** Null for none. */
  reminderMinutes?: number | null;
}

/**
 * Adds a route for each different set of channels. Monitors whose channels are the default ones, without reminders, need
 * none, unless a group has one: then the default channels would be left out.
 *
 * @param names of the channels by key.
 */
function addRoutes(
  draft: Draft,
  routings: readonly Routing[],
  { defaults, names }: { defaults: readonly string[]; names: ReadonlyMap<string, string> },
): void {
  const named = routings.filter(({ channels }) => channels.length > 0);
  const hasGroups = named.some(({ isGroup }) => isGroup);
  const usual = setOf({ channels: defaults });
  const sets = Map.groupBy(
    named.filter((one) => hasGroups || setOf(one) !== usual),
    setOf,
  );
  const all = [...sets.values()].flatMap((set) => parts(set, MAX_LISTED));
  for (const [index, part] of all.entries()) {
    const [{ channels, reminderMinutes = null }] = part as [Routing, ...Routing[]];
    const title = channels.map((key) => names.get(key) ?? key).join(', ');
    const shown = `${title}${reminderMinutes === null ? '' : `, again every ${reminderMinutes} minutes`}`;
    const source = `notifications by ${quoted(shown)}`;
    if (index >= MAX_ROUTES) {
      const reason = `A team has at most ${MAX_ROUTES} alert routes: ${part.length} monitors go without this one.`;
      draft.leaveOut(source, reason);
      continue;
    }
    const keys = (isGroup: boolean) => [
      ...new Set(part.filter((one) => (one.isGroup ?? false) === isGroup).map(({ key }) => key)),
    ];
    const [monitors, groups] = [keys(false), keys(true)];
    draft.add('alert_routes', {
      source,
      notes: new Notes(),
      fields: {
        name: nameOf(shown, ROUTE_NAME_LENGTH, 'Route', new Notes()),
        ...(monitors.length > 0 && { monitors }),
        ...(groups.length > 0 && { groups }),
        channels: channels.slice(0, MAX_LISTED),
        ...(reminderMinutes !== null && { reminder_minutes: reminderMinutes }),
      },
    });
  }
}

const setOf = ({
  channels,
  reminderMinutes = null,
}: Pick<Routing, 'channels' | 'reminderMinutes'>) =>
  JSON.stringify([channels.toSorted(), reminderMinutes]);

function parts<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}
