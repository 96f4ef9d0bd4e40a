import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  createMonitor,
  monitorOf,
  untilAll,
  useServices,
  type Json,
  type Service,
  type ShownIncident,
} from '../support/service.ts';
import { startTarget, type TargetServer } from '../support/target-server.ts';

vi.setConfig({ testTimeout: 90_000 });

const services = useServices(afterAll);
let service: Service;

beforeAll(async () => {
  service = await services.start({ DATA_DIR: await services.folder(), ...LOOPBACK });
});

interface Kind {
  /** What the monitor watches. */
  fields(target: TargetServer): object;
  breakIt(target: TargetServer, service: Service, id: number): Promise<unknown>;
  heal(target: TargetServer, service: Service, id: number): Promise<unknown>;
  cause(target: TargetServer): string;
  evidence(target: TargetServer): Json;
}

const LOOPBACK = { ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' };

const KINDS: [type: string, kind: Kind][] = [
  [
    'http',
    {
      fields: (target) => ({ url: target.url('/shop') }),
      breakIt: (target) => target.fail(),
      heal: (target) => target.heal(),
      cause: () => 'HTTP 503 Service Unavailable',
      evidence: () => ({
        failure: { code: 'http_status', text: 'HTTP 503 Service Unavailable' },
        status_code: 503,
        status_line: 'HTTP/1.1 503 Service Unavailable',
        body: 'It is broken.\n',
        remote_address: '127.0.0.1',
      }),
    },
  ],
  [
    'port',
    {
      fields: (target) => ({ url: '127.0.0.1', port: target.port }),
      breakIt: (target) => target.refuse(),
      heal: (target) => target.heal(),
      cause: ({ port }) => `Connection refused by 127.0.0.1 port ${port}`,
      evidence: () => ({ failure: expect.objectContaining({ code: 'connection_refused' }) }),
    },
  ],
  [
    'ping',
    {
      // All of loopback answers pings, but one of the two addresses of this name is not allowed here.
      fields: () => ({ url: '127.0.0.1' }),
      breakIt: (_, running, id) => running.put(`/api/v1/monitors/${id}`, { url: 'shop.localhost' }),
      heal: (_, running, id) => running.put(`/api/v1/monitors/${id}`, { url: '127.0.0.1' }),
      cause: () => 'Target shop.localhost is not allowed (ALLOW_PRIVATE_TARGETS)',
      evidence: () => ({ failure: expect.objectContaining({ code: 'target_not_allowed' }) }),
    },
  ],
];

test.each(KINDS)(
  '%s: up, broken, told with its cause and evidence, healed [20.1, 20.9]',
  async (type, kind) => {
    const target = services.use(await startTarget());
    const id = await createMonitor(service, { monitor_type: type, ...kind.fields(target) });
    await untilAll(service, [id], 'online');
    expect((await monitorOf(service, id)).incidents).toEqual([]);

    const brokenAt = Date.now();
    await kind.breakIt(target, service, id);
    await untilAll(service, [id], 'offline');
    const [open, ...others] = (await monitorOf(service, id)).incidents;
    expect(others).toEqual([]);
    expect(open).toMatchObject({ type: 'uptime', severity: 'critical', status: 'open' });
    expect(open!.root_cause).toContain(kind.cause(target));
    expect(Date.parse(open!.started_at)).toBeGreaterThanOrEqual(brokenAt);
    const single = await service.get<ShownIncident & { evidence: Json[]; activities: Json[] }>(
      `/api/v1/incidents/${open!.id}`,
    );
    expect(single.body.evidence.map(({ region }) => region)).toEqual(['ash', 'nbg', 'pdx', 'sin']);
    for (const evidence of single.body.evidence) {
      expect(evidence).toMatchObject(kind.evidence(target));
    }

    const healedAt = Date.now();
    await kind.heal(target, service, id);
    await untilAll(service, [id], 'online');
    const ended = (await monitorOf(service, id)).incidents;
    expect(ended).toMatchObject([{ id: open!.id, status: 'resolved' }]);
    expect(Date.parse(ended[0]!.ended_at!)).toBeGreaterThanOrEqual(healedAt);
    const { body } = await service.get<{ activities: Json[] }>(`/api/v1/incidents/${open!.id}`);
    expect(body.activities.map((activity) => activity['type'])).toEqual(['opened', 'resolved']);
  },
);

test('ends when it is told to', () => service.stop());
