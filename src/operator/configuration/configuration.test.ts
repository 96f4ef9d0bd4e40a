import fc from 'fast-check';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { freshDirectory } from '../../../test/support/directories.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { operatorContext } from '../../../test/support/operator.ts';
import { systemClock } from '../../lib/clock.ts';
import { silentLog } from '../../lib/log.ts';
import { InvalidInput, Problem } from '../../resources/common/errors.ts';
import type { LocalConfiguration, LocalContext } from '../command.ts';
import { environmentText } from './import.ts';
import { runCommandLine } from '../run.ts';
import { openOperatorSocket } from '../server.ts';

const EMPTY = {
  name: 'shop',
  fingerprint: 'print',
  is_empty: true,
  changes: [] as object[],
  drift: [] as object[],
  left_alone: {},
  kept: [],
  warnings: [],
};
const thing = { kind: 'monitor', section: 'monitors', key: 'home', id: null, name: 'Home' };
const PLAN = { ...EMPTY, is_empty: false, changes: [{ action: 'create', ...thing, fields: [] }] };
const SET = `name: shop
monitors:
  - key: home
    url: https://example.com
    auth_password: {env: PASSWORD}
`;

/** Follows errors of items. */
const WAY_ON =
  'Nothing was changed. Correct what is refused, or remove it from the files and go on without it: monitors home.';

let folder = '';
/** What servers were asked. */
let asked: unknown[] = [];
let answer: () => object = () => EMPTY;

beforeEach(async () => {
  const fresh = await freshDirectory();
  onTestFinished(fresh.remove);
  folder = fresh.place;
  asked = [];
  answer = () => EMPTY;
  await writeFile(path.join(folder, 'shop.yaml'), SET);
});

const clean = (text: string) => text.replaceAll(folder, '@');

/** Runs a command line, in which `@` stands for the folder. */
async function run(
  line: string,
  {
    environment = {},
    reply,
    databaseUrl = null,
  }: { environment?: Record<string, string>; reply?: string; databaseUrl?: string | null } = {},
) {
  const ran = { code: -1, out: '', err: '', questions: [] as string[] };
  ran.code = await runCommandLine(
    line.split(' ').map((word) => word.replaceAll('@/', `${folder}/`)),
    {
      version: '1.2.3',
      settings: async () =>
        ({ dataDir: folder, databaseUrl, secretKeys: [] }) as unknown as LocalContext,
      openDatabase: () => Promise.reject(new Error('No command opens it.')),
      write: async (text) => void (ran.out += clean(text)),
      writeError: async (text) => void (ran.err += `${clean(text)}\n`),
      readInput: async () => '',
      environment,
      now: () => 0,
      isInteractive: reply !== undefined,
      hasColors: false,
      ask: async (question) => (ran.questions.push(question), reply ?? ''),
      sources: () => Promise.reject(new Error('No source is asked for.')),
      clock: systemClock,
      interrupted: async () => {},
    },
  );
  return ran;
}

/** Notes what was asked, and answers. */
const noted =
  (name: string) =>
  async (...given: unknown[]) => {
    asked.push([name, ...given]);
    return answer();
  };

/** A server on the folder, with a fake in place of what it does. */
async function startLocal() {
  const database = await openInMemory();
  onTestFinished(database.close);
  const configuration: LocalConfiguration = {
    plan: noted('plan'),
    apply: noted('apply'),
    export: noted('export'),
    importDays: noted('importDays'),
    items: noted('items'),
  };
  const context = operatorContext(database, { clock: systemClock, configuration });
  const socket = await openOperatorSocket({ context, log: silentLog }, folder);
  onTestFinished(async () => socket?.close());
}

/** A server on another machine. */
async function startRemote(status = 200, headers: Record<string, string> = {}): Promise<string> {
  const server = createServer((request: IncomingMessage, response) => {
    void (async () => {
      const { authorization, 'if-match': ifMatch } = request.headers;
      const body = request.method === 'POST' ? await json(request) : null;
      asked.push({ at: `${request.method} ${request.url}`, authorization, ifMatch, body });
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(answer()));
    })();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('plan and drift say by their exit codes whether there is something', async () => {
  await startLocal();
  expect(await run('plan @/shop.yaml')).toMatchObject({
    code: 0,
    out: 'Nothing to do.\n',
    err: '',
  });
  expect(await run('drift @/shop.yaml')).toMatchObject({ code: 0, out: 'No drift.\n' });
  answer = () => ({
    ...PLAN,
    drift: [{ action: 'deleted', ...thing, fields: [], changed_by: [] }],
  });
  expect(await run('plan @/shop.yaml')).toMatchObject({ code: 2, err: '' });
  expect(await run('drift @/shop.yaml')).toMatchObject({
    code: 2,
    out: '! monitors home  deleted\n1 drifted.\n',
  });
  const { out } = await run('drift @/shop.yaml --json');
  expect(JSON.parse(out)).toMatchObject({ drift: [{ key: 'home' }] });
});

const documentWith = (value: string) => ({
  name: 'shop',
  monitors: [
    { key: 'home', url: 'https://example.com', auth_password: { from: 'env PASSWORD', value } },
  ],
});

test('the server gets the document with its secrets, and the options', async () => {
  await startLocal();
  const environment = { PASSWORD: 'one' };
  await run('plan @/shop.yaml', { environment });
  await writeFile(path.join(folder, 'secrets.env'), "PASSWORD='two three'\n");
  await run('plan @/shop.yaml --team ours --prune --max-deletions 7 --env-file @/secrets.env', {
    environment,
  });
  expect(asked).toEqual([
    [
      'plan',
      null,
      { document: documentWith('one'), prune: false, max_deletions: null, delete_history: false },
    ],
    [
      'plan',
      'ours',
      { document: documentWith('two three'), prune: true, max_deletions: 7, delete_history: false },
    ],
  ]);
});

test('apply shows the plan, asks, and applies no other one [39.72]', async () => {
  await startLocal();
  answer = () => PLAN;
  expect(await run('apply @/shop.yaml')).toEqual({
    code: 1,
    out: '',
    err: 'Nobody can be asked here: look at "plan" first, and add --yes.\n',
    questions: [],
  });
  expect(asked).toEqual([]);
  const shownPlan = '+ monitors home  "Home"\n\n1 to create, 0 to change, 0 to delete.\n';
  expect(await run('apply @/shop.yaml', { reply: '' })).toEqual({
    code: 1,
    out: shownPlan,
    err: 'Nothing was changed.\n',
    questions: ['Apply this? [y/N] '],
  });
  const applied = `${shownPlan}Applied: 1 created, 0 changed, 0 deleted.\n`;
  expect(await run('apply @/shop.yaml', { reply: 'y' })).toMatchObject({ code: 0, out: applied });
  expect(await run('apply @/shop.yaml --yes')).toMatchObject({
    code: 0,
    out: applied,
    questions: [],
  });
  expect(asked.at(-1)).toEqual([
    'apply',
    null,
    expect.objectContaining({ prune: false }),
    '"print"',
  ]);
  answer = () => EMPTY;
  asked = [];
  expect(await run('apply @/shop.yaml --yes')).toMatchObject({ code: 0, out: 'Nothing to do.\n' });
  expect(asked).toHaveLength(1);
});

test('a plan that changed meanwhile is not applied', async () => {
  await startLocal();
  answer = () => {
    if (asked.length === 1) return PLAN;
    throw new Problem('precondition_failed', 'The plan is another one now.');
  };
  expect(await run('apply @/shop.yaml --yes')).toMatchObject({
    code: 1,
    err: 'The team was changed since this plan was made, and nothing was applied. Plan again.\n',
  });
});

test('errors of files and of the server are at their places [39.72]', async () => {
  await startLocal();
  answer = () => {
    throw new InvalidInput({
      'monitors.0.url': ['monitors.0.url must be a URL.'],
      'monitors.0': ['monitors.0 is one too many.'],
      'document.name': ['document.name is taken.'],
      max_deletions: ['max_deletions must be at least 6.'],
    });
  };
  const errors = [
    '@/shop.yaml:1:1: document.name is taken.',
    '@/shop.yaml:3:5: monitors home is one too many.',
    '@/shop.yaml:4:5: url must be a URL.',
  ];
  expect(await run('plan @/shop.yaml')).toMatchObject({
    code: 1,
    out: '',
    err: ['max_deletions must be at least 6.', ...errors, WAY_ON, ''].join('\n'),
  });
  const { out } = await run('plan @/shop.yaml --json');
  expect(JSON.parse(out)).toMatchObject({
    errors: [{ line: 1 }, { line: 3 }, { line: 4, column: 5 }],
  });

  await writeFile(path.join(folder, 'bad.yaml'), 'name: x\nmonitors: [{}]\n');
  asked = [];
  expect(await run('apply @/bad.yaml --yes')).toMatchObject({
    code: 1,
    err: '@/bad.yaml:2:12: The item has no key. Write "key:" with a name that stays, such as "key: website".\n',
  });
  expect(asked).toEqual([]);
});

test('another server is asked over HTTP, with a token', async () => {
  const url = await startRemote();
  answer = () => PLAN;
  const environment = { TOCSIN_TOKEN: 'secret' };
  expect(await run(`apply @/shop.yaml --yes --url ${url}/`, { environment })).toMatchObject({
    code: 0,
  });
  await writeFile(path.join(folder, 'token'), 'other\n');
  answer = () => ({ document: { name: 'shop' }, secrets: [], warnings: [] });
  await run(`export set --name shop --url ${url} --token-file @/token`, { environment });
  const document = {
    name: 'shop',
    monitors: [
      { key: 'home', url: 'https://example.com', auth_password: { from: 'env PASSWORD' } },
    ],
  };
  const body = { document, prune: false, max_deletions: null, delete_history: false };
  const api = '/api/v1/configuration';
  expect(asked).toEqual([
    { at: `POST ${api}/plan`, authorization: 'Bearer secret', ifMatch: undefined, body },
    { at: `POST ${api}/apply`, authorization: 'Bearer secret', ifMatch: '"print"', body },
    {
      at: `GET ${api}/export?name=shop`,
      authorization: 'Bearer other',
      ifMatch: undefined,
      body: null,
    },
  ]);
});

test('what a server refuses is said', async () => {
  const environment = { TOCSIN_TOKEN: 'secret' };
  const table: [number, object, string][] = [
    [401, { message: 'The token is invalid.' }, 'The token is invalid. Check the token.'],
    [403, { error: 'You may not.' }, 'You may not.'],
    [
      412,
      { message: 'Changed.' },
      'The team was changed since this plan was made, and nothing was applied. Plan again.',
    ],
    [
      422,
      { errors: { 'monitors.0.url': ['monitors.0.url is odd.'] } },
      `@/shop.yaml:4:5: url is odd.\n${WAY_ON}`,
    ],
    [500, {}, 'The server answered 500.'],
  ];
  for (const [status, given, message] of table) {
    const url = await startRemote(status);
    answer = () => given;
    const { code, err } = await run(`plan @/shop.yaml --url ${url}`, { environment });
    expect([code, err]).toEqual([1, `${message}\n`]);
  }
  const moved = await startRemote(302, { location: 'http://127.0.0.1:1/' });
  const { code, err } = await run(`plan @/shop.yaml --url ${moved}`, { environment });
  expect([code, err]).toEqual([1, `${moved} can't be reached: unexpected redirect.\n`]);
});

test.each([
  [
    'plan @/shop.yaml',
    'No server runs on this DATA_DIR. Start it, or name a server with --url and its token with TOCSIN_TOKEN.',
  ],
  [
    'plan @/shop.yaml --url example.com',
    '--url must be the address of a server, such as https://status.example.com.',
  ],
  [
    'plan @/shop.yaml --url https://a:b@example.com',
    '--url must not hold a password: give a token with TOCSIN_TOKEN.',
  ],
  [
    'plan @/shop.yaml --url https://example.com',
    '--url needs a token: set TOCSIN_TOKEN, or give --token-file.',
  ],
  [
    'plan @/shop.yaml --url https://example.com --token-file @/none',
    "The token can't be read from @/none (ENOENT).",
  ],
  [
    'plan @/shop.yaml --url https://example.com --team ours',
    'Give either --team or --url: the token says which team.',
  ],
  [
    'plan @/shop.yaml --token-file @/none',
    '--token-file needs --url: the server on this machine asks for no token.',
  ],
  ['plan @/shop.yaml --max-deletions many', '--max-deletions must be a whole number.'],
  ['plan @/shop.yaml --env-file @/none', "--env-file @/none can't be read (ENOENT)."],
  ['import kuma @/shop.yaml', 'There is no import of "kuma".'],
  ['import gatus', 'Name a file of Gatus, too.'],
])('%s is refused', async (line, message) => {
  const { code, out, err } = await run(line);
  expect([code, out, err.split('\n', 1)[0]]).toEqual([1, '', message]);
});

test('the database of an Uptime Kuma is imported as it is', async () => {
  const database = new DatabaseSync(path.join(folder, 'kuma.db'));
  database.exec(`create table monitor (id integer primary key, name text, type text, url text, interval integer);
    insert into monitor values (1, 'Shop', 'http', 'https://shop.example.com/', 60), (2, 'Box', 'docker', null, 60)`);
  database.close();
  const { code, out } = await run('import uptime-kuma @/kuma.db --out @/moved');
  expect([code, out]).toEqual([
    0,
    `+ monitor 1 "Shop"  monitors shop
- monitor 2 "Box": left out
    Tocsin has no monitors of the type "docker". A heartbeat monitor can be called by a job there.
1 imported, 0 imported with changes, 1 left out.
Wrote @/moved/uptime-kuma.yaml.
`,
  ]);
  const text = await readFile(path.join(folder, 'moved/uptime-kuma.yaml'), 'utf8');
  expect(text).toContain('url: https://shop.example.com/');
  await writeFile(path.join(folder, 'kuma.db'), 'no database');
  expect(await run('import uptime-kuma @/kuma.db')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^@\/kuma\.db:1:1: kuma\.db is no JSON from here on\./) as string,
  });
});

test('variables whose values the file of another service lacks are named', async () => {
  const check = { checkType: 'URL', request: { url: '{{SHOP_URL}}' } };
  await writeFile(path.join(folder, 'checks.json'), JSON.stringify(check));
  expect(await run('import checkly @/checks.json --out @/moved')).toMatchObject({
    code: 0,
    err: expect.stringContaining(
      "Set these variables yourself, as @/checks.json lacks their values, or an --env-file can't hold them: SHOP_URL.",
    ) as string,
  });
});

test('days of uptime are written beside the set, and sent for its monitors', async () => {
  const database = new DatabaseSync(path.join(folder, 'kuma.db'));
  database.exec(`create table monitor (id integer primary key, name text, type text, url text, interval integer);
    insert into monitor values (1, 'Shop', 'http', 'https://shop.example.com/', 60);
    create table stat_daily (id integer primary key, monitor_id integer, timestamp integer, ping float, up integer, down integer);
    insert into stat_daily values (1, 1, ${Date.UTC(2029, 11, 30) / 1_000}, 12, 1400, 40)`);
  database.close();
  const { err } = await run('import uptime-kuma @/kuma.db --out @/moved');
  expect(err).toContain('Once it is applied: tocsin history @/moved/uptime-kuma.history.json');
  const file = path.join(folder, 'moved/uptime-kuma.history.json');
  const written = await readFile(file, 'utf8');
  await startLocal();
  answer = () => ({ monitors: 1, days: 1 });
  expect(await run('history @/moved/uptime-kuma.history.json')).toMatchObject({
    code: 0,
    out: 'Imported: monitors (1), days (1).\n',
  });
  expect(asked).toEqual([['importDays', null, JSON.parse(written)]]);
  expect(await run('history @/kuma.db')).toMatchObject({
    code: 1,
    err: expect.stringContaining('no file of days') as string,
  });
});

test('with DATABASE_URL the server is named', async () => {
  const { err } = await run('plan @/shop.yaml', { databaseUrl: 'postgres://db/' });
  expect(err).toMatch(/^With DATABASE_URL, a server is asked over HTTP/);
});

test('invalid arguments have an exit code of their own [39.24]', async () => {
  expect(await run('plan')).toMatchObject({
    code: 64,
    err: expect.stringMatching(/^FILES… is missing\./) as string,
  });
});

test('a set is exported as a file that can be applied', async () => {
  await startLocal();
  answer = () => ({
    document: {
      name: 'shop',
      monitors: [{ key: 'home', auth_password: { from: 'env PASSWORD' } }],
    },
    secrets: [],
    warnings: ['One is left out.'],
  });
  const text = 'name: shop\n\nmonitors:\n  - key: home\n    auth_password: {env: PASSWORD}\n';
  const note =
    'Warning: One is left out.\nSecrets are left out. Where their variables are not set, what is stored stays: PASSWORD.\n';
  expect(await run('export set --team ours --name shop')).toMatchObject({
    code: 0,
    out: text,
    err: note,
  });
  expect(asked).toEqual([['export', 'ours', 'shop']]);
  expect(await run('export set @/new.yaml')).toMatchObject({
    code: 0,
    out: 'Exported to @/new.yaml.\n',
  });
  expect(await readFile(path.join(folder, 'new.yaml'), 'utf8')).toBe(text);
  expect(await run('export set @/new.yaml')).toMatchObject({ code: 1 });
  expect(await run('export set @/new.yaml --force')).toMatchObject({ code: 0 });
});

test('a set that is too large is not sent', async () => {
  await startLocal();
  await writeFile(
    path.join(folder, 'big.yaml'),
    `name: x\nmonitors: [{key: a, b: ${'x'.repeat(5_000_000)}}]\n`,
  );
  expect(await run('plan @/big.yaml')).toMatchObject({
    code: 1,
    err: 'The set has 4.8 MiB as JSON, and a server takes 2 MiB. Divide it into several sets.\n',
  });
  await writeFile(
    path.join(folder, 'big.yaml'),
    `name: x\nmonitors: [{key: a, b: ${'x'.repeat(1_900_000)}}]\n`,
  );
  expect(await run('plan @/big.yaml')).toMatchObject({ code: 0 });
  expect((await stat(path.join(folder, 'operator.sock'))).isSocket()).toBe(true);
});

test('files are checked without a server, and without the values of secrets [39.73]', async () => {
  expect(await run('check @/shop.yaml')).toMatchObject({
    code: 0,
    out: 'The set shop can be read: monitors (1).\n',
    err: 'There is no value for env PASSWORD.\n',
  });
  const { out } = await run('check @/shop.yaml --json', { environment: { PASSWORD: 'one' } });
  expect(JSON.parse(out)).toMatchObject({
    monitors: [{ auth_password: { from: 'env PASSWORD' } }],
  });
  expect(out).not.toContain('one');
  await writeFile(path.join(folder, 'bad.yaml'), 'name: x\nmonitors: {}\n');
  expect(await run('check @/bad.yaml')).toMatchObject({
    code: 1,
    err: '@/bad.yaml:2:1: "monitors" must be a list: begin each item with "- key: …".\n',
  });
});

test('unknown fields are found without a server, and those of defaults with the items concerned [39.72]', async () => {
  const items = ['a', 'b', 'c', 'd'].map((key) => `  - {key: ${key}, method: GET}\n`).join('');
  const job = '  - {key: job, monitor_type: cron}\n';
  await writeFile(
    path.join(folder, 'typos.yaml'),
    `name: x\ndefaults:\n  monitors: {check_interval: 5, regions: [ash]}\nmonitors:\n${items}${job}`,
  );
  const typo = 'method is no field of this monitor (did you mean http_method?).';
  expect(await run('check @/typos.yaml')).toMatchObject({
    code: 1,
    err: [
      '@/typos.yaml:3:14: check_interval is not for monitors of type cron: remove it, or take away what a preset or a default says by "check_interval: null" in the item (monitors job).',
      '@/typos.yaml:3:33: regions is no field of this monitor (did you mean monitored_regions?) (monitors a, monitors b, monitors c and 2 more).',
      ...[5, 6, 7, 8].map((line) => `@/typos.yaml:${line}:14: ${typo}`),
      '',
    ].join('\n'),
  });
});

const fixture = (name: string) =>
  fileURLToPath(new URL(`../../configuration/import/fixtures/${name}`, import.meta.url));

describe('what another service exported', () => {
  test('becomes files that can be checked, with secrets apart', async () => {
    const { code, out, err } = await run(
      `import uptime-kuma ${fixture('uptime-kuma.json')} --out @/moved --name kuma`,
    );
    expect(code).toBe(0);
    expect(out).toMatch(
      /\d+ imported, \d+ imported with changes, \d+ left out\.\nWrote @\/moved\/kuma\.yaml and @\/moved\/kuma\.secrets\.env\.\n$/,
    );
    expect(err).toContain(
      'Go on with: tocsin plan @/moved/kuma.yaml --env-file @/moved/kuma.secrets.env\n',
    );
    expect(err).toContain(
      'the addresses that jobs call at Uptime Kuma work at Tocsin, too: change only',
    );
    const secrets = path.join(folder, 'moved/kuma.secrets.env');
    expect((await stat(secrets)).mode & 0o777).toBe(0o600);
    const values = Object.values(parseEnv(await readFile(secrets, 'utf8')));
    expect(values.length).toBeGreaterThan(0);
    const text = await readFile(path.join(folder, 'moved/kuma.yaml'), 'utf8');
    for (const value of values) if (value!.length > 5) expect(text).not.toContain(value);
    const checked = await run('check @/moved/kuma.yaml --env-file @/moved/kuma.secrets.env');
    expect(checked).toMatchObject({ code: 0, err: '' });
    expect(checked.out).toMatch(/^The set kuma can be read: .*monitors \(\d+\)/);

    const again = await run(
      `import uptime-kuma ${fixture('uptime-kuma.json')} --out @/moved --name kuma`,
    );
    expect(again).toMatchObject({
      code: 1,
      err: '@/moved/kuma.yaml exists already: choose another name, or add --force.\n',
    });
  });

  test('is refused with the place of the fault', async () => {
    await writeFile(path.join(folder, 'kuma.json'), '{"monitorList":\n x}');
    const { code, err } = await run('import uptime-kuma @/kuma.json');
    expect([code, err]).toEqual([1, expect.stringMatching(/^@\/kuma\.json:2:2: .+\n$/)]);
    expect((await run('import uptime-kuma @/kuma.json --name A')).code).toBe(1);
  });

  test('has secrets that are read as they were', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'\'"`$\n #\\a=é') }), (value) => {
        const { text, unwritten } = environmentText([{ variable: 'A', value }]);
        if (unwritten.length === 0) expect(parseEnv(text)).toEqual({ A: value });
        else expect(value).toMatch(/'.*`|`.*'/s);
      }),
    );
  });

  test('is named by services', async () => {
    const { code, err } = await run('import');
    expect(code).toBe(1);
    expect(err).toContain('  uptime-kuma  Uptime Kuma: ');
  });
});
