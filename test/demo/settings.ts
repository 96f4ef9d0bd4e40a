import type { Desk } from './desk.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './northwind/problems.ts';

/** The id that an answer holds. */
const idOf = (answer: object) => (answer as { id: number }).id;
const iso = (at: number) => new Date(at).toISOString();
const QUARTER_MS = 15 * MINUTE_MS;

/** Ids by the names of monitors and of groups. */
export interface Names {
  monitor(name: string): number;
  group(name: string): number;
}

/** How each webhook endpoint answers: always, not since some days, or never again. */
export const ENDPOINTS = [
  { name: 'Incident bot', host: 'hooks.northwind.example', failingForDays: null, isGivenUp: false },
  { name: 'Data lake', host: 'ingest.northwind.example', failingForDays: 1.2, isGivenUp: false },
  {
    name: 'Old pager bridge',
    host: 'pager.northwind.example',
    failingForDays: 30,
    isGivenUp: true,
  },
] as const;

/** Channels, routes and endpoints, as they were set up when the team began. */
export async function setUpAlerting(desk: Desk, { group }: Names): Promise<void> {
  const ada = desk.as('Ada Reyes');
  const channel = (body: object) => desk.carryOut('createAlertChannel', ada, { body }).then(idOf);
  const ops = await channel({
    type: 'slack',
    name: '#ops',
    settings: { webhook_url: 'https://hooks.slack.com.northwind.example/services/T014/B214/demo' },
  });
  const onCall = await channel({
    type: 'mattermost',
    name: 'On call',
    is_default: false,
    severities: ['critical'],
    settings: { webhook_url: 'https://chat.northwind.example/hooks/9zxn5ymqzty6jrc6kjqd8xk4mh' },
  });
  const platform = await channel({
    type: 'email',
    name: 'Platform team',
    is_default: false,
    settings: { addresses: ['platform@northwind.example'] },
    quiet_hours: { from: '20:00', to: '07:00', timezone: 'Europe/Berlin', allow_critical: true },
  });
  const users = [desk.as('Ada Reyes').person.id, desk.as('Bo Lindqvist').person.id];
  await desk.carryOut('createAlertRoute', ada, {
    body: {
      name: 'What customers notice',
      groups: [group('API & checkout'), group('Storefront')],
      severities: ['critical'],
      channels: [ops],
      users,
      reminder_minutes: 30,
      escalation: [{ after_minutes: 15, channels: [onCall] }],
    },
  });
  await desk.carryOut('createAlertRoute', ada, {
    body: {
      name: 'Databases and jobs',
      groups: [group('Data'), group('Jobs')],
      channels: [ops, platform],
      severities: ['critical', 'warning'],
    },
  });
  for (const { name, host } of ENDPOINTS)
    await desk.carryOut('createWebhookEndpoint', ada, {
      body: {
        name,
        url: `https://${host}/tocsin`,
        signing_secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
        severities: ['critical', 'warning', 'info'],
      },
    });
}

/** The logo of the team, on light and on dark paper. */
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5c7f"/><path d="M9.5 23V10l13 12V9" fill="none" stroke="#fff" stroke-width="3.4" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

/** Status pages with their subscribers. @returns the ids of the public page and of the one with a password. */
export async function setUpPages(desk: Desk, { monitor }: Names): Promise<number[]> {
  const ada = desk.as('Ada Reyes');
  const service = (name: string, label = name, display = 'bar') => ({
    id: monitor(name),
    label,
    display,
  });
  const shown = [
    service('Checkout API', 'Checkout'),
    service('Storefront'),
    service('Search'),
    service('Public API'),
    service('Sign-in'),
    service('File uploads'),
    service('Image CDN', 'Images', 'response_time'),
    service('Object storage', 'Downloads'),
  ];
  const of = (...names: string[]) => names.map(monitor);
  const page = await desk.carryOut('createStatusPage', ada, {
    body: {
      name: 'Northwind status',
      slug: 'northwind',
      description: 'How the shop and the API of Northwind are doing.',
      brand: {
        accent: '#0b5c7f',
        font: 'inter',
        links: {
          site: 'https://northwind.example',
          contact: 'help@northwind.example',
          terms: 'https://northwind.example/terms',
        },
      },
      monitors: shown,
      groups: [
        { name: 'Shop', monitors: of('Checkout API', 'Storefront', 'Search') },
        {
          name: 'Platform',
          monitors: of('Public API', 'Sign-in', 'File uploads', 'Image CDN', 'Object storage'),
        },
      ],
    },
  });
  await desk.carryOut('setStatusPageLogo', ada, {
    id: idOf(page),
    body: { content: Buffer.from(LOGO).toString('base64') },
  });
  const wholesale = await desk.carryOut('createStatusPage', ada, {
    body: {
      name: 'Wholesale customers',
      slug: 'northwind-wholesale',
      monitors: [
        service('Orders API', 'Ordering'),
        service('Inventory API', 'Stock'),
        service('Pricing API', 'Prices'),
      ],
      access: { type: 'password', password: 'ask your account manager' },
      language: 'de',
      timezone: 'Europe/Berlin',
    },
  });
  const customers = ['mira', 'jonas', 'priya', 'tomasz', 'helen', 'omar'].map(
    (name) => `${name}@customer.example`,
  );
  await desk.carryOut('importSubscribers', ada, {
    id: idOf(page),
    body: {
      csv: ['address', ...customers].join('\n'),
      consent: 'Signed up with their account, by the form of the shop.',
    },
  });
  await desk.carryOut('createSubscriber', ada, {
    id: idOf(page),
    body: {
      kind: 'webhook',
      address: 'https://status-hooks.customer.example/northwind',
    },
  });
  await desk.carryOut('createSubscriber', ada, {
    id: idOf(wholesale),
    body: {
      address: 'einkauf@wholesale-customer.example',
    },
  });
  return [idOf(page), idOf(wholesale)];
}

/** Objectives, reports, templates and tokens. */
export async function setUpReports(desk: Desk, { monitor, group }: Names): Promise<number> {
  const [ada, bo] = [desk.as('Ada Reyes'), desk.as('Bo Lindqvist')];
  await desk.carryOut('setMonitorSlo', ada, {
    id: monitor('Checkout API'),
    body: { target_percent: 99.9, window_days: 30 },
  });
  await desk.carryOut('setMonitorSlo', ada, {
    id: monitor('Public API'),
    body: { target_percent: 99.95, window_days: 30 },
  });
  await desk.carryOut('setMonitorSlo', bo, {
    id: monitor('Storefront'),
    body: { target_percent: 99.5, window_days: 90 },
  });
  const weekly = await desk.carryOut('createReport', ada, {
    body: {
      name: 'Shop and API, weekly',
      group_id: group('API & checkout'),
      period: 'last_7_days',
      frequency: 'weekly',
      recipients: ['platform@northwind.example'],
      timezone: 'Europe/Berlin',
    },
  });
  await desk.carryOut('createReport', bo, {
    body: {
      name: 'For the board',
      tags: ['production'],
      period: 'last_month',
      frequency: 'monthly',
      recipients: ['board@northwind.example', 'ada@northwind.example'],
      timezone: 'Europe/Berlin',
    },
  });
  await desk.carryOut('createUpdateTemplate', ada, {
    body: {
      name: 'First words',
      state: 'investigating',
      text: 'We are looking into problems with {services}. The next update follows within 30 minutes.',
    },
  });
  await desk.carryOut('createUpdateTemplate', ada, {
    body: {
      name: 'Rolled back',
      title: 'A release was rolled back',
      state: 'monitoring',
      text: 'We rolled the last release back. {services} work again, and we keep watching.',
    },
  });
  return idOf(weekly);
}

/** API tokens, as members create them. */
export async function createTokens(desk: Desk): Promise<void> {
  const { clock } = desk;
  const [ada, bo] = [desk.as('Ada Reyes'), desk.as('Bo Lindqvist')];
  await desk.carryOut('createToken', ada, {
    body: {
      name: 'Deploy pipeline',
      permissions: ['read', 'create', 'update'],
    },
  });
  await desk.carryOut('createToken', ada, {
    body: {
      name: 'Grafana',
      permissions: ['read'],
      expires_at: iso(clock.now() + 200 * DAY_MS),
    },
  });
  await desk.carryOut('createToken', bo, {
    body: {
      name: 'Laptop',
      permissions: ['read', 'create', 'update', 'delete'],
    },
  });
}

/** Maintenance that is over, active, recurring and to come. */
export async function planMaintenance(desk: Desk, { monitor, group }: Names): Promise<void> {
  const { clock } = desk;
  const now = clock.now();
  const bo = desk.as('Bo Lindqvist');
  const window = (name: string, beginsIn: number, lasts: number, more: object) => {
    const from = Math.floor((now + beginsIn) / QUARTER_MS) * QUARTER_MS;
    const times = { starts_at: iso(from), ends_at: iso(from + lasts) };
    return desk.carryOut('createMaintenanceWindow', bo, { body: { name, ...times, ...more } });
  };
  await window('Redis upgrade', -26 * DAY_MS, 45 * MINUTE_MS, { monitors: [monitor('Redis')] });
  await window('Storage upgrade', -46 * MINUTE_MS, 3 * HOUR_MS, {
    monitors: [monitor('Object storage')],
  });
  await window('Search re-index', 2 * DAY_MS, 2 * HOUR_MS, {
    monitors: [monitor('Search'), monitor('Search cluster')],
  });
  await window('Patches of internal tools', -60 * DAY_MS, HOUR_MS, {
    groups: [group('Internal tools')],
    rrule: 'FREQ=WEEKLY;BYDAY=SU',
    timezone: 'Europe/Berlin',
  });
}

/** An invitation that is open, sent now. */
export async function invite(desk: Desk, email: string, role: string): Promise<void> {
  await desk.carryOut('createInvitation', desk.as('Ada Reyes'), { body: { email, role } });
}
