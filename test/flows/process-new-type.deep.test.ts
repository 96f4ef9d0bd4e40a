import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ADMIN_TOKEN, PATIENTLY, useServices } from '../support/service.ts';

const { folder, start } = useServices();
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const TYPE = `
import { hostOf } from '../lib/url-host.ts';
import type { PullTypeDefinition } from './definition.ts';
import { HOST, HOST_HINT, INTERVAL_HINT } from './common.ts';

export const pigeon = {
  ...HOST,
  name: 'pigeon',
  takes: ['pull', 'port'],
  required: [HOST_HINT, ['port', 'give a window'], INTERVAL_HINT],
  checkTypes: [],
  events: {
    open: { name: 'monitor.pigeon_lost', when: 'A pigeon does not return.' },
    resolve: { name: 'monitor.pigeon_found', when: 'A pigeon returns again.' },
  },
  eventExample: { monitor: { id: 12, name: 'Loft', url: '192.0.2.1' }, cause: 'Fog' },
  example: { url: '192.0.2.1', port: 7, check_interval: 1 },
  request: ({ url, port }, base) => ({ ...base, type: 'pigeon', host: hostOf(url), port }) as never,
} as const satisfies PullTypeDefinition;
`;

const CARRIER = `
import { HOST_HINT, INTERVAL_HINT } from './common.ts';
import type { PullTypeDefinition } from './definition.ts';
import { pigeon } from './pigeon.ts';

export const carrier = {
  ...pigeon,
  name: 'carrier',
  required: [HOST_HINT, INTERVAL_HINT],
  defaults: { port: 7 },
  example: { url: '192.0.2.1', check_interval: 1 },
} as const satisfies PullTypeDefinition;
`;

const PROBE = `
import { NO_TIMINGS } from '../../model/check.ts';

export const probePigeon = async ({ host, port }) => ({
  vote: port === 7 ? 'up' : 'down',
  failure: port === 7 ? null : { code: 'connection_refused', text: 'No pigeon from ' + host },
  responseTimeMs: port === 7 ? 42 : null,
  statusCode: null,
  timings: NO_TIMINGS,
  remoteAddress: null,
  evidence: null,
});
`;

/** The tree with a type that has a probe of its own, and one that asks the same probe at a port of its own. */
function treeWithPigeons(place: string): void {
  for (const part of ['src', 'scripts', 'package.json', 'openapi.json'])
    cpSync(`${ROOT}${part}`, `${place}/${part}`, { recursive: true });
  symlinkSync(`${ROOT}node_modules`, `${place}/node_modules`);
  writeFileSync(`${place}/src/monitor-types/pigeon.ts`, TYPE);
  writeFileSync(`${place}/src/monitor-types/carrier.ts`, CARRIER);
  mkdirSync(`${place}/src/probe/pigeon`);
  writeFileSync(`${place}/src/probe/pigeon/pigeon.ts`, PROBE);
  edit(`${place}/src/monitor-types/registry.ts`, {
    import: "import { carrier } from './carrier.ts';\nimport { pigeon } from './pigeon.ts';\n",
    before: 'const TYPES = [',
    line: 'pigeon, carrier, ',
  });
  edit(`${place}/src/probe/agent/registry.ts`, {
    import: "import { probePigeon } from '../pigeon/pigeon.ts';\n",
    before: 'Registry {\n  return {',
    line: 'pigeon: probePigeon,',
  });
}

/** Writes an import, and a line after the beginning of the list. */
function edit(file: string, change: { import: string; before: string; line: string }): void {
  const text = readFileSync(file, 'utf8');
  expect(text.split(change.before)).toHaveLength(2);
  const listed = text.replace(change.before, `${change.before}${change.line}`);
  writeFileSync(file, change.import + listed);
}

test('a new monitor type is its file and a line in the list, and the same of a probe unless it has one', async () => {
  const place = await folder();
  treeWithPigeons(place);

  const reference = execFileSync(
    process.execPath,
    ['-e', `import('./scripts/openapi.ts').then((it) => console.log(it.documentText()))`],
    { cwd: place, encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 },
  );
  const { components, webhooks } = JSON.parse(reference);
  expect(components.schemas.Monitor.properties.monitor_type.enum).toContain('pigeon');
  expect(components.schemas.MonitorSettings.description).toContain(
    '| pigeon | `url`, `port`, `check_interval` | `{"monitor_type":"pigeon",',
  );
  expect(Object.keys(webhooks)).toEqual(
    expect.arrayContaining(['monitor.pigeon_lost', 'monitor.pigeon_found']),
  );

  const service = await start({ DATA_DIR: `${place}/data` }, null, `${place}/src/start.js`);
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${service.url}/api/v1/monitors${path}`, {
      method,
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await response.json()) as Record<string, unknown> & { id: number };
  };
  const pigeon = { monitor_type: 'pigeon', check_interval: 0.5, failure_threshold: 1 };
  const refused = await call('POST', '', { ...pigeon, url: 'loft.example' });
  expect(refused['errors']).toEqual({ port: ['port is required: give a window.'] });
  const home = await call('POST', '', { ...pigeon, url: 'home.example', port: 7 });
  const lost = await call('POST', '', { ...pigeon, url: 'lost.example', port: 8 });
  expect(home).toMatchObject({ monitor_type: 'pigeon', url: 'home.example', port: 7 });

  const carrier = { ...pigeon, monitor_type: 'carrier', url: 'carrier.example' };
  const carried = await call('POST', '', carrier);
  expect(carried).toMatchObject({ monitor_type: 'carrier', port: 7 });

  const newest = (id: number) => call('GET', `/${id}`);
  await expect
    .poll(() => newest(home.id), PATIENTLY)
    .toMatchObject({
      status: 'online',
      response_times: [{ response_time: 42 }, {}, {}, {}],
    });
  await expect.poll(() => newest(carried.id), PATIENTLY).toMatchObject({ status: 'online' });
  await expect
    .poll(() => newest(lost.id), PATIENTLY)
    .toMatchObject({
      status: 'offline',
      incidents: [{ root_cause: expect.stringContaining('No pigeon from lost.example') }],
    });
});
