import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeSettings, readConfig, settingFacts } from './config.ts';
import { deriveRegionKey, probeKeyText } from '../lib/region-keys.ts';
import { fileWith } from '../../test/support/temporary-file.ts';
import { TABLE } from './table.ts';

const TOKEN = 'tok_0123456789abcdefghijklmnopqrstuv';
const POSTGRES = 'postgres://tocsin:secret@db:5432/tocsin';

const NKEY = `SU${'A'.repeat(56)}`;
const CREDENTIALS =
  '-----BEGIN NATS USER JWT-----\nx\n------END NATS USER JWT------\n-----BEGIN USER NKEY SEED-----\ny';
const PEM = '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----';
const PROBE_KEY = probeKeyText(deriveRegionKey('the secret key of a test', 'nbg'));

function configOf(env: Record<string, string>) {
  const { config, errors } = readConfig(env);
  expect(errors).toBeUndefined();
  return config!;
}

function errorsOf(env: Record<string, string>): string[] {
  const { config, errors } = readConfig(env);
  expect(config).toBeUndefined();
  return errors!;
}

test('an empty environment gives a whole installation on SQLite, closed to strangers', () => {
  expect(configOf({})).toMatchObject({
    databaseUrl: null,
    roles: ['api', 'scheduler', 'worker', 'probe'],
    regions: [{ code: 'ash', title: 'Ashburn' }, {}, {}, {}],
    probeRegions: ['ash', 'pdx', 'nbg', 'sin'],
    openSignup: false,
    allowPrivateTargets: 'true',
    allowHttpWebhooks: false,
    trustProxy: false,
    rateLimits: 'on',
    metricsToken: null,
    paused: false,
    secretKeys: [],
  });
});

/** Settings whose place in the program has another name. */
const RENAMED: Record<string, string> = {
  NATS_URL: 'natsUrls',
  PROBE_KEY: 'probeKeys',
  SECRET_KEY: 'secretKeys',
  VANTAGE_NAME: 'probeHostName',
};

test.each(Object.entries(TABLE))('%s is read by its name', (key, { name }) => {
  const camel = name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  expect(RENAMED[name] ?? camel).toBe(key);
});

describe('accepted values', () => {
  const accepted: [name: string, text: string, key: string, value: unknown][] = [
    ['HOST', '::', 'host', '::'],
    ['HOST', 'localhost', 'host', 'localhost'],
    ['PORT', '0', 'port', 0],
    ['PORT', ' 65535\n', 'port', 65535],
    ['BASE_URL', 'https://status.example.com/', 'baseUrl', 'https://status.example.com'],
    ['BASE_URL', 'http://10.0.0.1:8080/up//', 'baseUrl', 'http://10.0.0.1:8080/up'],
    ['DATA_DIR', '/var/lib/my tocsin', 'dataDir', '/var/lib/my tocsin'],
    ['REGIONS', 'home', 'regions', [{ code: 'home', title: 'home' }]],
    ['PROBE_REGIONS', 'sin, ash', 'probeRegions', ['sin', 'ash']],
    [
      'REGION_KEY_VERSIONS',
      'sin=2, ash=1',
      'regionKeyVersions',
      [
        { region: 'sin', version: 2 },
        { region: 'ash', version: 1 },
      ],
    ],
    ['PROBE_WORKERS', '64', 'probeWorkers', 64],
    [
      'DNS_SERVERS',
      '192.0.2.53, 192.0.2.54:5353,2001:db8::53,[2001:db8::54]:5353',
      'dnsServers',
      ['192.0.2.53', '192.0.2.54:5353', '2001:db8::53', '[2001:db8::54]:5353'],
    ],
    [
      'SELF_CHECK_TARGETS',
      '192.0.2.1:53, [2001:db8::1]:443,example.com:80',
      'selfCheckTargets',
      [
        { host: '192.0.2.1', port: 53 },
        { host: '2001:db8::1', port: 443 },
        { host: 'example.com', port: 80 },
      ],
    ],
    [
      'WATCHDOG_PING_URL',
      'https://kuma.example.com/api/push/T?status={up|down}&msg={reason}',
      'watchdogPingUrl',
      'https://kuma.example.com/api/push/T?status={up|down}&msg={reason}',
    ],
    ['OPERATOR_WEBHOOK_URL', 'http://10.0.0.8/hook', 'operatorWebhookUrl', 'http://10.0.0.8/hook'],
    ['ROLES', 'all', 'roles', ['api', 'scheduler', 'worker', 'probe']],
    ['ROLES', 'probe, worker,scheduler,api', 'roles', ['api', 'scheduler', 'worker', 'probe']],
    ['NATS_URL', 'nats://me:pw@nats', 'natsUrls', ['nats://me:pw@nats']],
    ['NATS_URL', 'tls://a:4222, nats://b', 'natsUrls', ['tls://a:4222', 'nats://b']],
    ['NATS_URL', 'wss://nats.example.com/bus', 'natsUrls', ['wss://nats.example.com/bus']],
    ['NATS_NKEY', NKEY, 'natsNkey', NKEY],
    ['NATS_CREDENTIALS', CREDENTIALS, 'natsCredentials', CREDENTIALS],
    ['NATS_TLS_CA', PEM.replaceAll('\n', '\\n'), 'natsTlsCa', PEM],
    ['ADMIN_EMAIL', 'Root@localhost', 'adminEmail', 'Root@localhost'],
    ['ADMIN_PASSWORD', 'eight ch', 'adminPassword', 'eight ch'],
    ['TEAM_NAME', 'Bjørn & Søn', 'teamName', 'Bjørn & Søn'],
    ['OPEN_SIGNUP', 'true', 'openSignup', true],
    ['OPEN_SIGNUP', 'true', 'allowPrivateTargets', 'false'],
    [
      'SMTP_URL',
      'smtps://me:secret@mail.example.com',
      'smtpUrl',
      'smtps://me:secret@mail.example.com',
    ],
    ['SMTP_URL', 'smtp://localhost:2525', 'smtpUrl', 'smtp://localhost:2525'],
    ['MAIL_FROM', 'ops@example.com', 'mailFrom', 'ops@example.com'],
    ['MAIL_FROM', 'Night watch <ops@example.com>', 'mailFrom', 'Night watch <ops@example.com>'],
    ['OIDC_NAME', 'Our directory', 'oidcName', 'Our directory'],
    ['ADMIN_TOKEN', TOKEN, 'adminToken', TOKEN],
    ['SECRET_KEY', '0123456789abcdef', 'secretKeys', ['0123456789abcdef']],
    [
      'SECRET_KEY',
      'newer-0123456789, older-0123456789',
      'secretKeys',
      ['newer-0123456789', 'older-0123456789'],
    ],
    ['ALLOW_PRIVATE_TARGETS', 'false', 'allowPrivateTargets', 'false'],
    ['ALLOW_PRIVATE_TARGETS', '10.0.0.0/8, fd00::/8', 'allowPrivateTargets', '10.0.0.0/8,fd00::/8'],
    ['ALLOW_PRIVATE_TARGETS', '10.0.0.1,::1', 'allowPrivateTargets', '10.0.0.1,::1'],
    ['DEFAULT_CHECK_INTERVAL', '0.5', 'defaultCheckInterval', 0.5],
    ['DEFAULT_CHECK_INTERVAL', '60', 'defaultCheckInterval', 60],
    ['RATE_LIMITS', 'off', 'rateLimits', 'off'],
    ['RATE_LIMIT_STANDARD', '1000000', 'rateLimitStandard', 1_000_000],
    ['TRUST_PROXY', 'true', 'trustProxy', true],
    ['TRUST_PROXY', '2', 'trustProxy', 2],
    ['TRUST_PROXY', '10.0.0.1,fd00::/8', 'trustProxy', ['10.0.0.1', 'fd00::/8']],
    ['LOG_LEVEL', 'debug', 'logLevel', 'debug'],
    ['SLOW_QUERY_MS', '0', 'slowQueryMs', 0],
  ];
  test.each(accepted)('%s=%j is %s %j', (name, text, key, value) => {
    expect(configOf({ [name]: text })).toHaveProperty(key, value);
  });

  test.each([
    POSTGRES,
    'postgresql://tocsin@db/tocsin?sslmode=require',
    'postgres:///tocsin?host=/var/run/postgresql',
    'postgres://tocsin@/tocsin?host=/var/run/postgresql',
  ])('DATABASE_URL=%s', (url) => {
    const config = configOf({ DATABASE_URL: url, SECRET_KEY: '0123456789abcdef' });
    expect(config.databaseUrl).toBe(url);
  });

  test('a region may have a title, also a known one', () => {
    expect(configOf({ REGIONS: 'nbg=Home, eu-1=Rack 4 = cellar' }).regions).toEqual([
      { code: 'nbg', title: 'Home' },
      { code: 'eu-1', title: 'Rack 4 = cellar' },
    ]);
  });

  test('the probed regions default to those of the installation', () => {
    expect(configOf({ REGIONS: 'home,work' }).probeRegions).toEqual(['home', 'work']);
  });
});

describe('values that are refused, each in one line that names the setting [35.12]', () => {
  const refused: [name: string, text: string, says: string][] = [
    ['HOST', 'http://localhost', 'HOST is "http://localhost", but must be an IP address'],
    ['HOST', 'localhost:3000', 'without a port'],
    ['HOST', '[::1]', 'without brackets'],
    ['HOST', '256.1.1.1', 'HOST is "256.1.1.1"'],
    ['HOST', '-a', 'HOST is "-a"'],
    ['PORT', 'abc', 'PORT is "abc", but must be a whole number from 0 to 65535.'],
    ['PORT', '65536', 'from 0 to 65535'],
    ['PORT', '-1', 'from 0 to 65535'],
    ['PORT', '80.5', 'whole number'],
    ['PORT', '0x50', 'whole number'],
    ['PORT', '1e3', 'whole number'],
    ['BASE_URL', 'status.example.com', 'absolute http or https URL'],
    ['BASE_URL', 'ftp://example.com', 'absolute http or https URL'],
    ['BASE_URL', 'https://', 'absolute http or https URL'],
    ['BASE_URL', 'https://a b', 'absolute http or https URL'],
    ['BASE_URL', 'https://me:pw@example.com', 'without user'],
    ['BASE_URL', 'https://example.com/?a=1', 'query'],
    ['BASE_URL', 'https://example.com/#a', 'fragment'],
    ['DATA_DIR', 'a\nb', 'DATA_DIR is "a\\nb", but must be one line'],
    ['ROLES', 'everything', 'ROLES has "everything", but each must be any of api, scheduler,'],
    ['ROLES', 'all,api', 'ROLES has "all", but each must be any of api, scheduler,'],
    ['ROLES', 'api,api', 'ROLES has "api" more than once'],
    ['ROLES', 'scheduler,worker,probe', 'DATABASE_URL must be set when ROLES leaves out api: only'],
    ['ROLES', 'api,scheduler,worker', 'NATS_URL must be set when ROLES has api or scheduler'],
    ['NATS_URL', 'http://nats', 'NATS_URL must be a comma list, each a URL such as nats://'],
    ['NATS_URL', 'nats://a,wss://b', 'NATS_URL must be'],
    ['NATS_URL', 'nats:', 'NATS_URL must be'],
    ['NATS_NKEY', 'UABC', 'NATS_NKEY must be the seed of a user nkey'],
    ['NATS_CREDENTIALS', 'abc', 'NATS_CREDENTIALS must be the content of a .creds file'],
    ['NATS_TLS_CA', 'abc', 'must be PEM text with a CERTIFICATE'],
    ['NATS_TLS_CERT', PEM, 'NATS_TLS_CERT and NATS_TLS_KEY must be set together'],
    ['PROBE_KEY', 'nbg.short', 'PROBE_KEY must be a key as'],
    ['PROBE_KEY', PROBE_KEY, 'PROBE_KEY is for processes that are a probe only'],
    ['REGIONS', 'ash,', 'REGIONS has ""'],
    [
      'REGIONS',
      'Ash,ok,b c,x=',
      'REGIONS has "Ash", "b c", "x=", but each must be name or name=Title',
    ],
    ['REGIONS', 'ash,pdx,ash=Again', 'REGIONS has "ash" more than once.'],
    ['REGIONS', `ash=${'x'.repeat(61)}`, 'but each must be'],
    [
      'PROBE_REGIONS',
      'ash,home',
      'PROBE_REGIONS has "home", but REGIONS has only ash, pdx, nbg, sin.',
    ],
    ['PROBE_REGIONS', 'ash,ash', 'more than once'],
    ['PRIVATE_REGIONS', 'office:7', 'NATS_URL must be set when PRIVATE_REGIONS is'],
    ['PRIVATE_REGIONS', 'office', 'PRIVATE_REGIONS has "office", but each must be name:TEAM_ID'],
    ['PRIVATE_REGIONS', 'office:0,office:x=A,Lab:7,lab:7=', 'has "office:0", "office:x=A",'],
    ['PRIVATE_REGIONS', 'lab:7,lab:8', 'PRIVATE_REGIONS has "lab" more than once.'],
    [
      'REGION_KEY_VERSIONS',
      'sin',
      'REGION_KEY_VERSIONS has "sin", but each must be region=version',
    ],
    ['REGION_KEY_VERSIONS', 'sin=0', 'a whole number from 1 to 9999'],
    ['REGION_KEY_VERSIONS', 'moon=2', 'has "moon", but there are only ash, pdx, nbg, sin.'],
    ['PROBE_WORKERS', '0', 'from 1 to 64'],
    ['DNS_SERVERS', 'dns.example.com', 'must be an IP address'],
    ['DNS_SERVERS', '192.0.2.53:0,192.0.2.53:70000,[192.0.2.53]:53', 'must be an IP address'],
    ['ADMIN_EMAIL', 'me', 'an e-mail address'],
    ['ADMIN_EMAIL', 'me@@example.com', 'an e-mail address'],
    ['ADMIN_EMAIL', 'a@b, c@d', 'an e-mail address'],
    ['ADMIN_PASSWORD', 'too-few', 'ADMIN_PASSWORD must be a password of 8 to 128 characters.'],
    ['TEAM_NAME', 'x'.repeat(101), 'at most 100 characters'],
    ['OPEN_SIGNUP', 'yes', 'OPEN_SIGNUP is "yes", but must be true or false.'],
    ['SMTP_URL', 'mail.example.com:25', 'SMTP_URL must be a URL such as smtps://'],
    ['SMTP_URL', 'https://user:secret@mail.example.com', 'SMTP_URL must be a URL'],
    ['SMTP_URL', 'smtp://u:secret@mail.example.com?tls.ca=x', 'has the parameter "tls.ca", but'],
    ['SMTP_URL', 'smtp://mail.example.com?debug=true', 'has the parameter "debug"'],
    ['SMTP_URL', 'smtp://mail.example.com?ignoreTLS=yes', 'neither true nor false for ignoreTLS.'],
    ['SMTP_URL', 'smtp://mail.example.com?ignoreTLS=true&requireTLS=true', 'has both'],
    ['SMTP_URL', 'smtp://user:secret%@mail.example.com', 'a % that begins no code: write %25'],
    ['DATABASE_URL', 'postgres://u:secret%@db/x', 'DATABASE_URL has a user or password with a %'],
    ['NATS_URL', 'nats://u:secret%@hub:4222', 'NATS_URL has a user or password with a %'],
    ['MAIL_FROM', 'nobody', 'an e-mail address'],
    ['MAIL_FROM', 'A <a@example.com>, B <b@example.com>', 'an e-mail address'],
    [
      'OIDC_ISSUER',
      'https://id.example.com',
      'OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set too',
    ],
    ['GITHUB_CLIENT_ID', 'x', 'GITHUB_CLIENT_SECRET must be set too'],
    ['GOOGLE_CLIENT_SECRET', 'x', 'GOOGLE_CLIENT_ID must be set too'],
    ['ADMIN_TOKEN', 'short', 'ADMIN_TOKEN must be 32 or more visible ASCII characters'],
    ['ADMIN_TOKEN', `${TOKEN} ${TOKEN}`, 'without spaces'],
    ['SECRET_KEY', 'changeme', 'SECRET_KEY must be a key of 16 characters or more'],
    ['SECRET_KEY', '0123456789abcdef,', 'SECRET_KEY must be'],
    ['SECRET_KEY', '0123456789abcdef,0123456789abcdef', 'different ones'],
    ['DATABASE_URL', 'mysql://db/tocsin', 'DATABASE_URL must be a URL such as postgres://'],
    ['DATABASE_URL', 'postgres://', 'DATABASE_URL must be'],
    ['DATABASE_URL', 'postgres://u:p@db:notaport/x', 'DATABASE_URL must be'],
    ['DATABASE_URL', POSTGRES, 'SECRET_KEY must be set when DATABASE_URL is'],
    ['ALLOW_PRIVATE_TARGETS', 'yes', 'ALLOW_PRIVATE_TARGETS is "yes", but must be true, false or'],
    ['ALLOW_PRIVATE_TARGETS', '10.0.0.256', 'has "10.0.0.256"'],
    ['ALLOW_PRIVATE_TARGETS', 'localhost,10.0.0.0/8', 'has "localhost"'],
    [
      'ALLOW_PRIVATE_TARGETS',
      '10.0.0.0/33,192.168.0.0/16,fd00::/129,x/8',
      'has "10.0.0.0/33", "fd00::/129", "x/8", but each must be a CIDR',
    ],
    ['ALLOW_PRIVATE_TARGETS', 'true,10.0.0.0/8', 'has "true"'],
    ['ALLOW_PRIVATE_TARGETS', 'fe80::%1/64', 'has "fe80::%1/64"'],
    ['DEFAULT_CHECK_INTERVAL', '0.4', 'a number of minutes from 0.5 to 60'],
    ['DEFAULT_CHECK_INTERVAL', '61', 'a number of minutes from 0.5 to 60'],
    ['DEFAULT_CHECK_INTERVAL', '5m', 'a number of minutes from 0.5 to 60'],
    ['RATE_LIMITS', 'false', 'RATE_LIMITS is "false", but must be one of on, off.'],
    ['WATCHDOG_PING_URL', 'hc-ping.com/uuid', 'an absolute http or https URL without user'],
    ['WATCHDOG_PING_URL', 'https://me:secret@hc-ping.com/', 'without user'],
    ['OPERATOR_WEBHOOK_URL', 'ftp://ops.example.com/', 'an absolute http or https URL'],
    ['ROLLUP_RETENTION_DAYS', '2', 'must not be below RAW_RETENTION_DAYS, which is 3.'],
    ['TRUST_PROXY', '0', 'TRUST_PROXY is "0", but must be true, false, the number of proxies'],
    ['TRUST_PROXY', 'loopback', 'a comma list of their addresses'],
    ['TRUST_PROXY', '10.0.0.1,proxy.local', 'has "proxy.local"'],
    [
      'LOG_LEVEL',
      'verbose',
      'LOG_LEVEL is "verbose", but must be one of silent, error, warn, info, debug.',
    ],
    ['LOG_LEVEL', 'INFO', 'one of'],
  ];
  test.each(refused)('%s=%j', (name, text, says) => {
    const errors = errorsOf({ [name]: text });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(says);
    expect(errors[0]).toMatch(/^[A-Z_]+ [^\n]+\.$/);
  });

  test('errors do not contain the value of a secret [39.8]', () => {
    const errors = errorsOf({
      ADMIN_TOKEN: 'hunter2',
      SECRET_KEY: 'hunter2,hunter2',
      DATABASE_URL: 'mysql://hunter2@db',
    });
    expect(errors).toHaveLength(3);
    expect(errors.join('\n')).not.toContain('hunter2');
  });

  test('a long value is truncated', () => {
    const [error] = errorsOf({ PORT: 'x'.repeat(10_000) });
    expect(error!.length).toBeLessThan(200);
  });
});

test('all mistakes are reported at once', () => {
  const errors = errorsOf({
    PORT: 'abc',
    REGIONS: 'A,b',
    PROBE_REGIONS: 'b',
    LOG_LEVEL: 'loud',
    RAW_RETENTION_DAYS: '500',
    DATABASE_URL: POSTGRES,
    SECRET_KEY_FILE: '/nowhere/at/all',
    PROBE_WORKERS: '1',
    PROBE_WORKERS_FILE: '/nowhere/at/all',
  });
  // REGIONS is invalid, so PROBE_REGIONS is not compared with it; nor is a key reported missing that can't be read.
  expect(errors.map((error) => error.split(' ')[0])).toEqual([
    'PORT',
    'REGIONS',
    'PROBE_WORKERS',
    'SECRET_KEY_FILE',
    'LOG_LEVEL',
    'ROLLUP_RETENTION_DAYS',
  ]);
});

test('an empty or blank value counts as unset, for every setting', () => {
  const names = describeSettings().flatMap(({ name }) => [name, `${name}_FILE`]);
  expect(configOf(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(configOf({}));
  expect(configOf(Object.fromEntries(names.map((name) => [name, ' \n'])))).toEqual(configOf({}));
});

test('other environment variables change nothing', () => {
  expect(configOf({ PATH: '/bin', PORTS: 'x', port: '1', constructor: 'x' })).toEqual(configOf({}));
});

test('any environment gives a config or errors, never an exception', () => {
  const names = describeSettings().map(({ name }) => name);
  const environment = fc.dictionary(
    fc.constantFrom(...names),
    fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('1', 'true', '1.5', 'a,b', '::/0')),
  );
  fc.assert(
    fc.property(environment, (env) => {
      const { config, errors } = readConfig(env);
      expect(config === undefined).toBe(errors !== undefined);
      for (const line of errors ?? []) expect(line).toMatch(/^[A-Z_]+ [^\n]+\.$/);
    }),
  );
});

describe('NAME_FILE', () => {
  test('contains the value, without its last line break', () => {
    const config = configOf({
      ADMIN_TOKEN_FILE: fileWith(`${TOKEN}\n`),
      SECRET_KEY_FILE: fileWith('newer-0123456789,\nolder-0123456789\r\n'),
      DATABASE_URL_FILE: fileWith(POSTGRES),
      PORT_FILE: fileWith('8080'),
    });
    expect(config).toMatchObject({
      adminToken: TOKEN,
      secretKeys: ['newer-0123456789', 'older-0123456789'],
      databaseUrl: POSTGRES,
      port: 8080,
    });
  });

  test('an empty NAME beside it is no conflict', () => {
    expect(configOf({ PORT: '', PORT_FILE: fileWith('8080') }).port).toBe(8080);
  });

  test('a name set both ways is an error, even with the same value [39.7]', () => {
    expect(errorsOf({ ADMIN_TOKEN: TOKEN, ADMIN_TOKEN_FILE: fileWith(TOKEN) })).toEqual([
      'ADMIN_TOKEN and ADMIN_TOKEN_FILE are both set: keep one of them.',
    ]);
  });

  test('a missing file, a folder and an empty file are errors that name the file', () => {
    const empty = fileWith(' \n');
    expect(errorsOf({ SECRET_KEY_FILE: '/nowhere/at/all', DATABASE_URL: POSTGRES })).toEqual([
      `SECRET_KEY_FILE names "/nowhere/at/all", which can't be read (ENOENT).`,
    ]);
    expect(errorsOf({ SECRET_KEY_FILE: path.dirname(empty) })[0]).toContain('(EISDIR)');
    expect(errorsOf({ SECRET_KEY_FILE: empty })).toEqual([
      `SECRET_KEY_FILE names ${JSON.stringify(empty)}, which is empty.`,
    ]);
  });

  test('errors do not contain the content of a file', () => {
    const [error] = errorsOf({ PORT_FILE: fileWith('hunter2') });
    expect(error).toMatch(/^PORT \(in "[^"]+"\) must be a whole number from 0 to 65535\.$/);
    expect(error).not.toContain('hunter2');
  });
});

const problemOfPlans = (text: string) => (text === '{}' ? null : "can't be used. No.");

const readWithPlans = (env: Record<string, string>) => readConfig(env, undefined, problemOfPlans);

test('PLANS_FILE is read at start, unless the process is a probe only', () => {
  const good = fileWith('{}');
  expect(readWithPlans({ PLANS_FILE: good }).config!.plansFile).toBe(good);
  expect(readWithPlans({ PLANS_FILE: fileWith('[]'), PORT: 'none' }).errors).toEqual([
    expect.stringMatching(/^PORT /),
    expect.stringMatching(/^PLANS_FILE names "[^"]+", which can't be used\. No\.$/),
  ]);
  const missing = { PLANS_FILE: '/there/is/none' };
  expect(readWithPlans(missing).errors).toEqual([
    'PLANS_FILE names "/there/is/none", which can\'t be read (ENOENT).',
  ]);
  expect(
    readWithPlans({ ...missing, ROLES: 'probe', NATS_URL: 'nats://hub', PROBE_KEY }).errors,
  ).toBeUndefined();
});

describe('RDAP_BOOTSTRAP_FILE', () => {
  test('is kept as a path when it contains a list in the format of IANA [23.26]', () => {
    const file = fileWith('{"services": [[["com"], ["https://rdap.example/com/"]]]}');
    expect(configOf({ RDAP_BOOTSTRAP_FILE: file }).rdapBootstrapFile).toBe(file);
  });

  test('is read at start, so that an invalid one is found at once', () => {
    const file = fileWith('{"services": []}');
    expect(errorsOf({ RDAP_BOOTSTRAP_FILE: file })).toEqual([
      `RDAP_BOOTSTRAP_FILE names ${JSON.stringify(file)}, which is not a list of RDAP servers as IANA's: it names no RDAP server.`,
    ]);
    expect(errorsOf({ RDAP_BOOTSTRAP_FILE: '/nowhere/at/all' })).toEqual([
      `RDAP_BOOTSTRAP_FILE names "/nowhere/at/all", which can't be read (ENOENT).`,
    ]);
  });
});

test('the documentation describes each setting once, with the allowed values of its errors', () => {
  const described = describeSettings();
  expect(new Set(described.map(({ name }) => name)).size).toBe(described.length);
  const port = described.find(({ name }) => name === 'PORT');
  expect(port).toEqual({
    name: 'PORT',
    allowed: 'a whole number from 0 to 65535',
    default: '3000',
    meaning: expect.stringContaining('0 picks a free port'),
  });
});

const SECRET = 'planted-secret-of-32-characters-or-more';

function factsOf(environment: Record<string, string>) {
  const { config, errors } = readConfig(environment);
  expect(errors).toBeUndefined();
  return new Map(settingFacts(config!).map((fact) => [fact.name, fact]));
}

test('all settings are at their defaults in an empty environment', () => {
  const facts = factsOf({});
  expect(facts.size).toBe(Object.keys(TABLE).length);
  expect([...facts.values()].filter(({ isDefault }) => !isDefault)).toEqual([]);
});

test('what is set has its value, and secrets have none', () => {
  const facts = factsOf({
    PORT: '8080',
    REGIONS: 'nbg=Home',
    SECRET_KEY: SECRET,
    SMTP_URL: `smtp://user:${SECRET}@mail.example.com`,
  });
  expect(facts.get('PORT')).toMatchObject({ isDefault: false, value: '8080' });
  expect(facts.get('REGIONS')).toMatchObject({
    isDefault: false,
    isSecret: false,
    value: 'nbg=Home',
  });
  expect(facts.get('SECRET_KEY')).toMatchObject({ isDefault: false, isSecret: true, value: null });
  expect(facts.get('SMTP_URL')).toMatchObject({ isDefault: false, value: null });
  expect(JSON.stringify([...facts])).not.toContain(SECRET);
});

test('lists are shown as their variables hold them', () => {
  const variables = {
    ROLES: 'api,scheduler',
    NATS_URL: 'nats://127.0.0.1',
    REGIONS: 'nbg=Home,sin=Singapore',
    PRIVATE_REGIONS: 'office:7=Office Berlin,lab:7=Lab',
    REGION_KEY_VERSIONS: 'sin=2,office=3',
    SECRET_KEY: SECRET,
    DATABASE_URL: 'postgres://tocsin@127.0.0.1/tocsin',
  };
  const facts = factsOf(variables);
  for (const name of ['ROLES', 'REGIONS', 'PRIVATE_REGIONS', 'REGION_KEY_VERSIONS'] as const)
    expect(facts.get(name)?.value).toBe(variables[name]);
  expect(factsOf({ DISCOVER: 'docker=web-1' }).get('DISCOVER')?.value).toBe('docker=web-1');
});

test('a meaning has no links, which lead into the documentation', () => {
  for (const { meaning } of factsOf({}).values()) expect(meaning).not.toMatch(/\]\(/);
});
