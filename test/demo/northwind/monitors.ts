/** Body of a monitor as the API takes it, with the name of its group and how fast it answers. */
export interface NewMonitor {
  friendly_name: string;
  group: string;
  /** Median response time in milliseconds from the nearest region; null for push monitors. */
  answersInMs: number | null;
  body: Record<string, unknown>;
}

/** Groups of the team, in the order of its list. */
export const GROUPS: readonly { name: string; description: string }[] = [
  { name: 'API & checkout', description: 'What customers pay with' },
  { name: 'Storefront', description: 'What visitors see' },
  { name: 'Data', description: 'Databases, caches and storage' },
  { name: 'Jobs', description: 'What runs on a schedule' },
  { name: 'Infrastructure', description: 'Hosts and network' },
  { name: 'Internal tools', description: 'What the team works with' },
  { name: 'Partners', description: 'Services of others that Northwind needs' },
];

const SITE = 'northwind.example';

/** An http monitor of the group. `interval` is in minutes. */
function web(group: string, interval: number, tags: readonly string[]) {
  return (
    name: string,
    url: string,
    answersInMs: number,
    more: Record<string, unknown> = {},
  ): NewMonitor => ({
    friendly_name: name,
    group,
    answersInMs,
    body: { url: `https://${url}`, check_interval: interval, tags, ...more },
  });
}

function host(group: string, tags: readonly string[]) {
  return (name: string, target: string, answersInMs: number, port?: number): NewMonitor => ({
    friendly_name: name,
    group,
    answersInMs,
    body: {
      url: target,
      check_interval: 1,
      tags,
      ...(port === undefined ? { monitor_type: 'ping' } : { monitor_type: 'port', port }),
    },
  });
}

function job(name: string, body: Record<string, unknown>, tags = ['jobs']): NewMonitor {
  return { friendly_name: name, group: 'Jobs', answersInMs: null, body: { tags, ...body } };
}

const cron = (name: string, expression: string, grace: number, more: object = {}) =>
  job(name, {
    monitor_type: 'cron',
    heartbeat_cron_expression: expression,
    heartbeat_timezone: 'Europe/Berlin',
    heartbeat_grace: grace,
    ...more,
  });
const heartbeat = (name: string, interval: number, more: object = {}) =>
  job(name, {
    monitor_type: 'heartbeat',
    heartbeat_interval: interval,
    heartbeat_grace: 120,
    ...more,
  });

const api = web('API & checkout', 0.5, ['production', 'api']);
const shop = web('Storefront', 1, ['production', 'web']);
const slow = web('Storefront', 5, ['web']);
const tool = web('Internal tools', 5, ['internal']);
const partner = web('Partners', 5, ['partners']);
const data = host('Data', ['production', 'data']);
const machine = host('Infrastructure', ['production', 'infrastructure']);

const ALL_CHECKS = { check_types: ['ssl', 'dns', 'domain'] };
const CERTIFICATE = { check_types: ['ssl'] };
const OK_STATUS = { assertions: [{ path: 'status', operator: 'equals', value: 'ok' }] };
const page = (phrase: string) => ({
  keyword_settings: { keywords: [{ phrase, mode: 'must_contain' }] },
});

/** The monitors of the team: 60. */
export const MONITORS: readonly NewMonitor[] = [
  api('Checkout API', `api.${SITE}/checkout/health`, 70, {
    ...ALL_CHECKS,
    check_types: ['ssl', 'dns', 'domain', 'json'],
    json_assertion_settings: OK_STATUS,
    request_timeout: 10,
    accepted_status_codes: ['2xx'],
  }),
  api('Search', `search.${SITE}/?q=tea`, 240, { slow_response_threshold: 800 }),
  api('Public API', `api.${SITE}/v2/ping`, 30, CERTIFICATE),
  api('Sign-in', `id.${SITE}/health`, 95, {
    check_types: ['ssl', 'json'],
    json_assertion_settings: OK_STATUS,
  }),
  api('Payments webhook', `api.${SITE}/payments/health`, 110, { check_interval: 1 }),
  api('Cart API', `api.${SITE}/cart/health`, 70, { check_interval: 1 }),
  api('Orders API', `api.${SITE}/orders/health`, 105, { check_interval: 1 }),
  api('Inventory API', `inventory.${SITE}/health`, 130, { check_interval: 1 }),
  api('Pricing API', `pricing.${SITE}/health`, 85, { check_interval: 1 }),
  api('GraphQL gateway', `graph.${SITE}/healthz`, 75, { check_interval: 1, ...CERTIFICATE }),

  shop('Storefront', `www.${SITE}/`, 120, { ...ALL_CHECKS, ...page('Add to basket') }),
  shop('Product pages', `www.${SITE}/products/earl-grey`, 180, page('In stock')),
  shop('Category pages', `www.${SITE}/teas`, 160),
  shop('Mobile site', `m.${SITE}/`, 115, CERTIFICATE),
  shop('Image CDN', `img.${SITE}/health.jpg`, 24),
  shop('File uploads', `files.${SITE}/health`, 165),
  slow('Help centre', `help.${SITE}/`, 210, CERTIFICATE),
  slow('Blog', `blog.${SITE}/`, 260, { check_types: ['ssl', 'dns'] }),
  slow('Careers', `careers.${SITE}/`, 230),
  slow('Gift cards', `gifts.${SITE}/`, 140),
  slow('Newsletter sign-up', `news.${SITE}/subscribe`, 190),
  slow('Store locator', `stores.${SITE}/`, 200),
  slow('Shop in German', 'www.northwind-tee.example/', 150, ALL_CHECKS),

  data('Postgres primary', `db-1.${SITE}`, 4, 5432),
  data('Postgres replica', `db-2.${SITE}`, 5, 5432),
  data('Redis', `cache-1.${SITE}`, 3, 6379),
  data('Queue', `mq-1.${SITE}`, 4, 5672),
  data('Search cluster', `es-1.${SITE}`, 6, 9200),
  {
    friendly_name: 'Object storage',
    group: 'Data',
    answersInMs: 44,
    body: {
      url: `https://storage.${SITE}/minio/health/live`,
      check_interval: 1,
      tags: ['production', 'data', 'storage'],
      ...CERTIFICATE,
    },
  },
  data('Data warehouse', `dwh.${SITE}`, 9, 5439),

  cron('Nightly backup', '0 3 * * *', 1_800, { heartbeat_max_runtime: 3_600 }),
  heartbeat('Invoice worker', 300),
  heartbeat('Ledger export', 3_600, { heartbeat_wait_for_first_ping: true }),
  heartbeat('E-mail worker', 60),
  heartbeat('Stock sync', 900),
  cron('Price import', '15 5 * * *', 1_200),
  cron('Sitemap', '30 4 * * *', 900),
  cron('Monthly statements', '0 6 1 * *', 3_600),
  cron('Log rotation', '0 0 * * *', 900),
  heartbeat('Fraud scoring', 600),

  machine('Gateway Nuremberg', `gw-nbg.${SITE}`, 3),
  machine('Gateway Ashburn', `gw-ash.${SITE}`, 4),
  machine('VPN', `vpn.${SITE}`, 6),
  machine('Bastion', `bastion.${SITE}`, 5, 22),
  machine('Mail relay', `smtp.${SITE}`, 8, 587),
  machine('Name server 1', `ns1.${SITE}`, 3, 53),
  machine('Name server 2', `ns2.${SITE}`, 4, 53),

  tool('Grafana', `grafana.${SITE}/api/health`, 80),
  tool('Wiki', `wiki.${SITE}/`, 220, CERTIFICATE),
  tool('Git', `git.${SITE}/-/health`, 130, CERTIFICATE),
  tool('Build server', `ci.${SITE}/health`, 150),
  tool('Container registry', `registry.${SITE}/v2/`, 90),
  tool('Staging shop', `staging.${SITE}/`, 170, { tags: ['staging'] }),
  tool('Staging API', `api.staging.${SITE}/v2/ping`, 90, { tags: ['staging'] }),
  tool('Legacy importer', `import.${SITE}/health`, 320),

  partner('Payment provider', 'api.paywell.example/health', 160, CERTIFICATE),
  partner('Shipping rates', 'rates.parcelline.example/v1/status', 280),
  partner('Address check', 'check.postcodes.example/health', 140),
  partner('Tax service', 'tax.dutycalc.example/health', 190),
  partner('SMS gateway', 'sms.textwave.example/health', 175),
];

/** Monitors that a person paused, how many days ago. */
export const PAUSED: readonly { monitor: string; days: number }[] = [
  { monitor: 'Legacy importer', days: 2 },
  { monitor: 'Staging API', days: 9 },
  { monitor: 'Careers', days: 21 },
];
