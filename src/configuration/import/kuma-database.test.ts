import { copyFileSync, readFileSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { acceptedPlan } from '../../../test/support/accepted.ts';
import { sharedApi } from '../../../test/support/api.ts';
import { freshDirectory } from '../../../test/support/directories.ts';
import { readKumaDatabase } from './kuma-database.ts';
import { uptimeKuma } from './uptime-kuma.ts';

const NOW = Date.UTC(2030, 0, 1);
const shared = sharedApi();

/** Tables of version 2, with the columns that are read and some that are not. */
const VERSION_2 = `
  create table monitor (id integer primary key, name varchar(150), active boolean default 1, interval integer, url text,
    type varchar(20), hostname varchar(255), port integer, keyword varchar(255), maxretries integer default 0,
    ignore_tls boolean default 0, upside_down boolean default 0, maxredirects integer default 10,
    accepted_statuscodes_json text default '["200-299"]', retry_interval integer default 0, push_token varchar(32),
    method text default 'GET', body text, headers text, basic_auth_user text, basic_auth_pass text, auth_method varchar(250),
    proxy_id integer, expiry_notification boolean default 1, resend_interval integer default 0, parent integer,
    timeout double default 0, domain_expiry_notification boolean default 1, conditions text default '[]', screenshot blob);
  create table notification (id integer primary key, name varchar(255), active boolean, user_id integer, is_default boolean, config longtext);
  create table monitor_notification (id integer primary key, monitor_id integer, notification_id integer);
  create table tag (id integer primary key, name varchar(255), color varchar(255));
  create table monitor_tag (id integer primary key, monitor_id integer, tag_id integer, value text);
  create table maintenance (id integer primary key, title varchar(150), description text, active boolean, strategy varchar(50),
    start_date datetime, end_date datetime, start_time time, end_time time, weekdays varchar(250), days_of_month text,
    interval_day integer, cron text, timezone varchar(255), duration integer);
  create table monitor_maintenance (id integer primary key, monitor_id integer, maintenance_id integer);
  create table status_page (id integer primary key, slug varchar(255), title varchar(255), description text, icon varchar(255),
    theme varchar(30), published boolean, password varchar(255), footer_text text, custom_css text);
  create table status_page_cname (id integer primary key, status_page_id integer, domain varchar(255));
  create table "group" (id integer primary key, name varchar(255), public boolean, active boolean, weight integer, status_page_id integer);
  create table monitor_group (id integer primary key, monitor_id integer, group_id integer, weight integer, send_url boolean);
  create table setting (id integer primary key, key varchar(200), value text, type varchar(20));
  create table stat_daily (id integer primary key, monitor_id integer, timestamp integer, ping float, up integer, down integer, extras text);
  create table heartbeat (id integer primary key, important boolean, monitor_id integer, status smallint, msg text, time datetime, ping integer, duration integer);

  insert into monitor (id, name, type, interval, url) values (1, 'Shop', 'group', 60, 'https://');
  insert into monitor (id, name, type, interval, url, parent, maxretries, timeout, screenshot)
    values (2, 'Website', 'http', 60, 'https://www.example.com/', 1, 1, 48, x'00ff');
  insert into monitor (id, name, type, interval, hostname) values (3, 'Gateway', 'ping', 120, 'gateway.example.com');
  insert into monitor (id, name, type, interval, push_token) values (4, 'Job', 'push', 3600, 'q1w2e3r4t5y6u7i8');
  insert into notification values (1, 'Phone', 1, 1, 0, '{"type":"gotify","gotifyserverurl":"https://gotify.example.com/","gotifyapplicationToken":"AKsjdf83hfVbx2P"}');
  insert into monitor_notification (monitor_id, notification_id) values (2, 1), (3, 1), (4, 1);
  insert into tag values (1, 'env', '#fff'), (2, 'shop', '#000');
  insert into monitor_tag (monitor_id, tag_id, value) values (2, 1, 'prod'), (2, 2, '');
  insert into setting (key, value) values ('tlsExpiryNotifyDays', '["7","21"]'), ('serverTimezone', '"Europe/Berlin"');
  insert into status_page values (1, 'shop', 'Shop status', 'How it is', '/icon.svg', 'auto', 1, null, null, 'body {
  
}
'), (2, 'hidden', 'Hidden', null, '/icon.svg', 'auto', 0, null, 'Imprint', 'a{}');
  insert into status_page_cname (status_page_id, domain) values (1, 'status.example.com');
  insert into "group" values (1, 'Second', 1, 1, 2, 1), (2, 'First', 1, 1, 1, 1), (3, 'Empty', 1, 1, 3, 1);
  insert into monitor_group (monitor_id, group_id, weight) values (3, 1, 1), (2, 2, 1), (2, 1, 2), (1, 1, 3);
  insert into stat_daily (monitor_id, timestamp, ping, up, down, extras)
    values (2, 1893369600, 12.5, 1438, 2, '{"maintenance":3}'), (2, 1893283200, 12.5, 1600, 400, null), (3, 1893369600, 1, 300, 0, null), (9, 1893369600, 1, 1, 1, null);
  insert into heartbeat (monitor_id, status, time, duration) values (2, 1, '2029-12-31 00:00:00.000', 60);
`;

/** Columns of a window from `strategy` on. */
const WINDOWS = [
  `'single', '2030-02-01 22:00', '2030-02-02 01:00', null, null, '[]', '[]', null, null, 'Europe/Berlin', null`,
  `'recurring-weekday', '2029-01-01 00:00', null, '02:00', '04:30', '[0,3]', '[]', null, '0 2 * * 0,3', 'SAME_AS_SERVER', 9000`,
  `'recurring-day-of-month', null, '2030-12-31 00:00', '23:30', '00:30', '[]', '[1,"lastDay1"]', null, null, 'UTC', 3600`,
  `'recurring-interval', '2029-12-30 00:00', null, '10:00', '11:00', '[]', '[]', 3, null, 'UTC', 3600`,
  `'cron', null, null, null, null, null, null, null, '30 3 * * 1-5', 'America/New_York', 1800`,
  `'manual', null, null, null, null, null, null, null, null, 'UTC', null`,
  `'single', '2029-12-01 22:00', '2029-12-02 01:00', null, null, '[]', '[]', null, null, 'UTC', null`,
  `'cron', null, null, null, null, null, null, null, '*/5 * * * *', 'UTC', 1800`,
];

/** A database with these tables in a folder of its own, whose log is written back unless somebody has it open. */
async function databaseOf(statements: string, isOpen = false): Promise<string> {
  const { place, remove } = await freshDirectory();
  onTestFinished(remove);
  const file = path.join(place, 'kuma.db');
  const database = new DatabaseSync(file);
  database.exec(`pragma journal_mode = wal; pragma wal_autocheckpoint = 0; ${statements}`);
  if (isOpen) onTestFinished(() => database.close());
  else database.close();
  return file;
}

/** Names and contents of the files of its folder. */
const folderOf = (file: string) =>
  readdirSync(path.dirname(file)).map((name) => [
    name,
    readFileSync(path.join(path.dirname(file), name)).toString('base64'),
  ]);

const imported = (file: string) => uptimeKuma.read(readKumaDatabase(file, NOW));

const whole = async () => imported(await databaseOf(VERSION_2));

describe('a database of version 2', () => {
  test('becomes a set with all that Uptime Kuma holds', async () => {
    const { document, report, history } = await whole();
    expect(document.monitors).toEqual([
      {
        key: 'website',
        monitor_type: 'http',
        friendly_name: 'Website',
        check_interval: 1,
        request_timeout: 48,
        failure_threshold: 2,
        url: 'https://www.example.com/',
        accepted_status_codes: ['200-299'],
        follow_redirects: true,
        check_types: ['ssl', 'domain'],
        ssl_expiry_threshold: 21,
        group_id: 'shop',
        tags: ['env: prod', 'shop'],
      },
      {
        key: 'gateway',
        monitor_type: 'ping',
        friendly_name: 'Gateway',
        check_interval: 2,
        request_timeout: 60,
        failure_threshold: 1,
        url: 'gateway.example.com',
        check_types: ['domain'],
      },
      {
        key: 'job',
        monitor_type: 'heartbeat',
        friendly_name: 'Job',
        heartbeat_interval: 3_600,
        heartbeat_grace: 1,
        ping_aliases: ['/api/push/q1w2e3r4t5y6u7i8'],
      },
    ]);
    expect(document.status_pages).toEqual([
      {
        key: 'shop-status',
        name: 'Shop status',
        slug: 'shop',
        description: 'How it is',
        custom_domain: 'status.example.com',
        monitors: [{ id: 'website' }, { id: 'gateway' }],
        groups: [
          { name: 'First', monitors: ['website'] },
          { name: 'Second', monitors: ['gateway'] },
        ],
      },
      {
        key: 'hidden',
        name: 'Hidden',
        slug: 'hidden',
        access: { type: 'members' },
        monitors: [],
        groups: [],
      },
    ]);
    expect(report.filter(({ source }) => source.startsWith('status page'))).toMatchObject([
      {
        outcome: 'changed',
        notes: [
          'What was left out, and groups of monitors, are not shown on it.',
          'A monitor that stands on it several times is shown in the first place.',
          '"status.example.com" is served once you have verified it.',
        ],
      },
      {
        outcome: 'changed',
        notes: [
          'Its CSS is left out, since the page is another one.',
          'Its footer is left out.',
          'Only members of the team see it until you open it.',
        ],
      },
    ]);
    // The only channel of all monitors needs no route.
    expect(document.alert_routes).toBeUndefined();
    expect(document.alert_channels).toMatchObject([{ type: 'gotify', is_default: true }]);
    // A count of heartbeats is as long as they are, and at most a day.
    expect(history).toEqual([
      {
        key: 'website',
        days: [
          { date: '2029-12-30', up_seconds: 69_120, down_seconds: 17_280 },
          { date: '2029-12-31', up_seconds: 86_280, down_seconds: 120 },
        ],
      },
      { key: 'gateway', days: [{ date: '2029-12-31', up_seconds: 36_000, down_seconds: 0 }] },
    ]);
  });

  test('is accepted by the API', async () => {
    const api = await shared();
    await acceptedPlan(api, (await whole()).document);
  });

  test('has its maintenance', async () => {
    const rows = WINDOWS.map(
      (
        columns,
        index,
      ) => `insert into maintenance values (${index}, 'Window ${index}', '${index === 0 ? ' Carts are kept. ' : ''}', 1, ${columns});
        insert into monitor_maintenance (monitor_id, maintenance_id) values (${index === 0 ? 1 : 2}, ${index});`,
    );
    const { document, report } = imported(await databaseOf(`${VERSION_2}${rows.join('')}`));
    await acceptedPlan(await shared(), document);
    const times = document.maintenance_windows!.map(({ starts_at, ends_at, rrule, timezone }) =>
      [starts_at, ends_at, rrule, timezone].join(' '),
    );
    expect(times).toEqual([
      '2030-02-01T21:00:00.000Z 2030-02-02T00:00:00.000Z  Europe/Berlin',
      '2030-01-02T01:00:00.000Z 2030-01-02T03:30:00.000Z FREQ=WEEKLY;BYDAY=SU,WE Europe/Berlin',
      '2030-01-01T23:30:00.000Z 2030-01-02T00:30:00.000Z FREQ=MONTHLY;BYMONTHDAY=-1,1;UNTIL=20301231 UTC',
      '2030-01-02T10:00:00.000Z 2030-01-02T11:00:00.000Z FREQ=DAILY;INTERVAL=3 UTC',
      '2030-01-01T08:30:00.000Z 2030-01-01T09:00:00.000Z FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR America/New_York',
    ]);
    expect(document.maintenance_windows![0]).toMatchObject({
      description: 'Carts are kept.',
      groups: ['shop'],
    });
    expect(document.maintenance_windows![1]).not.toHaveProperty('description');
    const left = report.filter(({ outcome }) => outcome === 'left_out');
    expect(left.map(({ notes }) => notes)).toEqual([
      ['It goes on until somebody ends it: start maintenance by hand when you need it.'],
      ['It is over.'],
      ['It recurs in a way that a window of Tocsin can not.'],
    ]);
  });
});

test('a database of version 1, without what came later, has history from its heartbeats', async () => {
  const file = await databaseOf(`
    create table monitor (id integer primary key, name varchar(150), active boolean, interval integer, url text, type varchar(20), created_date datetime);
    create table heartbeat (id integer primary key, important boolean, monitor_id integer, status smallint, msg text, time datetime, ping integer, duration integer);
    insert into monitor values (7, 'Old', 0, 60, 'http://example.com', 'http', null);
    insert into heartbeat (monitor_id, status, time, duration) values (7, 1, '2029-12-30 23:59:00.000', 60), (7, 1, '2029-12-31 00:00:00.000', 600),
      (7, 0, '2029-12-31 00:10:00.000', 60), (7, 2, '2029-12-31 00:11:00.000', 60), (7, 3, '2029-12-31 00:12:00.000', 60), (7, 1, 'yesterday', 60);
  `);
  const { document, history } = imported(file);
  expect(document.monitors).toMatchObject([
    { key: 'old', url: 'http://example.com', is_paused: true },
  ]);
  expect(history).toEqual([
    {
      key: 'old',
      days: [
        { date: '2029-12-30', up_seconds: 60, down_seconds: 0 },
        { date: '2029-12-31', up_seconds: 600, down_seconds: 120 },
      ],
    },
  ]);
});

describe('a log beside the database', () => {
  test('is read while somebody has it open, and nothing changes', async () => {
    const file = await databaseOf(VERSION_2, true);
    const before = folderOf(file);
    expect(before.map(([name]) => name)).toEqual(['kuma.db', 'kuma.db-shm', 'kuma.db-wal']);
    expect(imported(file).document.monitors).toHaveLength(3);
    expect(folderOf(file).filter(([name]) => name !== 'kuma.db-shm')).toEqual(
      before.filter(([name]) => name !== 'kuma.db-shm'),
    );
  });

  test('is read where both were copied, and no file is left', async () => {
    const file = await databaseOf(VERSION_2, true);
    const { place, remove } = await freshDirectory();
    onTestFinished(remove);
    const copy = path.join(place, 'kuma.db');
    copyFileSync(file, copy);
    copyFileSync(`${file}-wal`, `${copy}-wal`);
    const before = folderOf(copy);
    expect(imported(copy).document.monitors).toHaveLength(3);
    expect(folderOf(copy)).toEqual(before);
  });

  test('was written back: a copy of the database alone is read, and no file is made', async () => {
    const file = await databaseOf(VERSION_2);
    const before = folderOf(file);
    expect(before.map(([name]) => name)).toEqual(['kuma.db']);
    expect(imported(file).document.monitors).toHaveLength(3);
    expect(folderOf(file)).toEqual(before);
  });
});

describe('what is no database of Uptime Kuma', () => {
  test.each<[what: string, breakIt: (file: string) => void, message: RegExp]>([
    [
      'a text',
      (file) => writeFileSync(file, 'SQLite, but no'),
      /^kuma\.db is no SQLite database\. /,
    ],
    ['an empty file', (file) => writeFileSync(file, ''), /^kuma\.db is no SQLite database\. /],
    ['one that is cut off', (file) => truncateSync(file, 6_000), /^kuma\.db can't be read: .*copy/],
    ['a head alone', (file) => truncateSync(file, 16), /^kuma\.db can't be read: .*copy/],
    [
      'one with noise',
      (file) => writeFileSync(file, readFileSync(file).fill(0x5a, 4_096)),
      /^kuma\.db can't be read: /,
    ],
  ])('%s', async (_what, breakIt, message) => {
    const file = await databaseOf(VERSION_2);
    breakIt(file);
    expect(() => readKumaDatabase(file, NOW)).toThrow(
      expect.objectContaining({
        name: 'ImportError',
        message: expect.stringMatching(message) as string,
      }),
    );
  });

  test('another database, and one whose monitors are a view', async () => {
    const endless = `create view monitor as with recursive n(i) as (select 1 union all select i + 1 from n) select i as id from n`;
    for (const statement of ['create table user (id integer)', endless])
      expect(await databaseOf(statement).then((file) => () => readKumaDatabase(file, NOW))).toThrow(
        /has no table of monitors/,
      );
  });
});
