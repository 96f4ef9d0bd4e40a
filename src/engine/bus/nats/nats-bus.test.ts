import { afterEach, expect, test } from 'vitest';
import { natsFleet, keyOf, upFrom, type NatsFleet } from '../../../../test/support/nats-fleet.ts';
import { onNats } from '../../../../test/support/nats.ts';
import type { AnyRequest } from '../../../monitor-types/registry.ts';
import type { ProbedResult } from '../contract.ts';
import { createOpener, createSealer } from './sealing.ts';
import { answerSubject, presenceSubject } from './messages.ts';

const ofTeam: AnyRequest = {
  type: 'port',
  monitorId: 7,
  teamId: 1,
  timeoutMs: 5_000,
  host: '192.0.2.1',
  port: 443,
};
const { teamId: _team, ...urgent } = ofTeam;

let open: NatsFleet | null = null;
afterEach(async () => {
  await open?.close();
  open = null;
});

/** A result once it has come, without waiting for it. */
function watched<T>(promise: Promise<T>): { value: T | null } {
  const seen: { value: T | null } = { value: null };
  void promise.then((value) => (seen.value = value));
  return seen;
}

const sized = (bytes: number): AnyRequest => ({
  type: 'http',
  monitorId: 1,
  teamId: 1,
  timeoutMs: 5_000,
  url: 'http://192.0.2.1/',
  method: 'POST',
  headers: {},
  body: 'x'.repeat(bytes),
  acceptedStatusCodes: null,
  followRedirects: true,
  errorTextDetection: false,
});

const from = (place: string) => () => ({ state: 'unknown', reason: place }) as const;

const codeOf = ({ failure }: ProbedResult) => failure?.code ?? null;

onNats((startNats) => {
  const start = async (options?: Parameters<typeof natsFleet>[1]) => {
    const server = await startNats();
    const fleet = await natsFleet(server.url, options);
    open = fleet;
    return { server, fleet };
  };

  test('a check reaches a probe of its region, and the result comes back with its place', async () => {
    const { fleet } = await start();
    const probe = await fleet.probe({ vantage: 'rack 4' });
    const result = watched(fleet.bus.check('nbg', ofTeam));
    await fleet.until(() => probe.asked.length === 1);
    expect(probe.asked[0]!.request).toEqual(ofTeam);
    probe.asked[0]!.answer(upFrom('192.0.2.1'));
    await fleet.until(() => result.value !== null);
    expect(result.value).toMatchObject({
      vote: 'up',
      remoteAddress: '192.0.2.1',
      vantage: 'rack 4',
    });
  });

  test('clocks need not agree', async () => {
    const { fleet } = await start();
    const ahead = 3_600_000;
    const probe = await fleet.probe({ clockAheadMs: ahead });
    const askedAt = fleet.clock.now();
    const result = watched(fleet.bus.check('nbg', ofTeam));
    await fleet.until(() => probe.asked.length === 1);
    const sentAt = probe.clock.now() + 40;
    await fleet.advance(100);
    probe.asked[0]!.answer({ ...upFrom('a'), sentAt });
    await fleet.until(() => result.value !== null);
    expect(result.value!.sentAt).toBe(askedAt + 40);
    const [known] = fleet.bus.probesOf('nbg');
    expect(known).toMatchObject({ seenAt: askedAt, takesChecks: true });
  });

  test('a round gets one result of each region, in order', async () => {
    const { fleet } = await start();
    for (const region of ['sin', 'nbg'])
      await fleet.probe({ regions: [region], vantage: region, answers: () => upFrom(region) });
    const results = watched(fleet.bus.checkAll(['nbg', 'sin', 'nowhere'], ofTeam));
    await fleet.until(() => results.value !== null);
    expect(results.value!.map((one) => one.remoteAddress ?? codeOf(one))).toEqual([
      'nbg',
      'sin',
      'no_probe',
    ]);
  });

  test('the probes of a region share its checks', async () => {
    const { fleet } = await start();
    for (const vantage of ['one', 'two'])
      await fleet.probe({ vantage, answers: () => upFrom(vantage) });
    const results: { value: ProbedResult | null }[] = [];
    for (let round = 0; round < 50; round++) {
      results.push(
        watched(fleet.bus.check('nbg', ofTeam)),
        watched(fleet.bus.check('nbg', ofTeam)),
      );
      await fleet.until(() => results.every(({ value }) => value !== null));
    }
    const places = new Set(results.map(({ value }) => value!.vantage));
    expect(places).toEqual(new Set(['one', 'two']));
    expect(fleet.bus.vantageOf('nbg')).toBeNull();
  });

  test('inspections and reports of machines reach probes, too', async () => {
    const { fleet } = await start();
    const request = { kind: 'domain', timeoutMs: 5_000, domain: 'a.example' } as const;
    expect(await fleet.bus.inspect(request)).toEqual({
      state: 'unknown',
      reason: 'No probe is running',
    });
    const report = {
      ipv4: 'works',
      ipv6: 'broken',
      gateway: 'works',
      resolver: 'works',
      gatewayAddress: '192.0.2.1',
      resolverAddress: null,
    } as const;
    await fleet.probe({
      answers: (asked) =>
        'kind' in asked && asked.kind === 'machine' ? report : { state: 'unknown', reason: 'busy' },
    });
    const machine = watched(fleet.bus.inspectMachine('nbg'));
    const inspection = watched(fleet.bus.inspect(request));
    await fleet.until(() => machine.value !== null && inspection.value !== null);
    expect(machine.value).toEqual(report);
    expect(inspection.value).toEqual({ state: 'unknown', reason: 'busy' });
  });

  test('a private region runs the inspections that name it, and no others', async () => {
    const { fleet } = await start({ regions: ['office', 'nbg'], privateRegions: ['office'] });
    const request = { kind: 'ssl', timeoutMs: 5_000, host: 'shop.test', port: 443 } as const;
    await fleet.probe({ regions: ['office'], vantage: 'inside', answers: from('inside') });
    expect(await fleet.bus.inspect(request)).toMatchObject({ reason: 'No probe is running' });
    expect(await fleet.bus.inspect(request, 'moon')).toMatchObject({
      reason: 'No probe is running',
    });
    await fleet.probe({ regions: ['nbg'], vantage: 'outside', answers: from('outside') });
    const seen = watched(
      Promise.all([
        ...Array.from({ length: 4 }, () => fleet.bus.inspect(request)),
        fleet.bus.inspect(request, 'office'),
      ]),
    );
    await fleet.until(() => seen.value !== null);
    expect(seen.value!.map((one) => ('reason' in one ? one.reason : null))).toEqual([
      ...Array.from({ length: 4 }, () => 'outside'),
      'inside',
    ]);
  });

  test('the holder of one key can not crowd out the probes of other regions', async () => {
    const { fleet } = await start();
    const invented = await fleet.probe({ regions: ['sin'], vantage: 'crowd' });
    const place = presenceSubject('sin', keyOf('sin').id);
    const sealer = createSealer(keyOf('sin'));
    for (let index = 0; index < 1_200; index++) {
      const presence = JSON.stringify({
        protocol: 1,
        probe: `invented ${index}`,
        sequence: 1,
        vantage: 'crowd',
        version: '1',
        load: [],
        now: 0,
      });
      invented.connection.nats.publish(place, sealer.seal(presence, place));
    }
    await fleet.until(() => fleet.bus.probesOf('sin').length === 200);
    await fleet.advance(0);
    expect(fleet.bus.probesOf('sin')).toHaveLength(200);
    await fleet.probe({ regions: ['nbg'], vantage: 'honest' });
    expect(fleet.bus.probesOf('nbg')).toHaveLength(1);
  });

  test('a region that never had a probe is unknown at once', async () => {
    const { fleet } = await start();
    const result = watched(fleet.bus.check('nbg', ofTeam));
    await fleet.until(() => result.value !== null);
    expect(result.value).toMatchObject({
      vote: 'unknown',
      failure: { code: 'no_probe', text: 'No probe is running in region nbg' },
    });
    expect(fleet.bus.lastSeen('nbg')).toBeNull();
  });

  test('a probe that stops finishes what it has, and the next check goes to another one', async () => {
    const { fleet } = await start();
    const stopping = await fleet.probe({ vantage: 'stopping' });
    const first = watched(fleet.bus.check('nbg', ofTeam));
    await fleet.until(() => stopping.asked.length === 1);
    await fleet.probe({ vantage: 'staying', answers: () => upFrom('staying') });
    const stopped = watched(stopping.service.stop(10_000).then(() => true));
    await fleet.until(
      () => fleet.bus.probesOf('nbg').filter(({ takesChecks }) => takesChecks).length === 1,
    );
    const second = watched(fleet.bus.check('nbg', ofTeam));
    await fleet.until(() => second.value !== null);
    expect([second.value!.vantage, first.value]).toEqual(['staying', null]);
    stopping.asked[0]!.answer(upFrom('stopping'));
    await fleet.until(() => first.value !== null && stopped.value === true);
    expect(first.value!.vantage).toBe('stopping');
  });

  test('what a killed probe was working on is checked by another one', async () => {
    const { fleet } = await start();
    const killed = await fleet.probe({ vantage: 'killed' });
    const result = watched(fleet.bus.check('nbg', ofTeam));
    await fleet.until(() => killed.asked.length === 1);
    await fleet.probe({ vantage: 'other', answers: () => upFrom('other') });
    await killed.kill();
    await fleet.advance(5_000);
    expect(result.value).toBeNull();
    await fleet.advance(4_000);
    expect(result.value).toMatchObject({ vote: 'up', vantage: 'other' });
    expect(fleet.bus.counters).toMatchObject({ requests_sent_again: 1, requests_lost: 0 });
  });

  test('a check that is lost twice is unknown', async () => {
    const { fleet } = await start();
    const [one, two] = [await fleet.probe({ vantage: '1' }), await fleet.probe({ vantage: '2' })];
    const result = watched(fleet.bus.check('nbg', ofTeam));
    await fleet.until(() => one.asked.length + two.asked.length === 1);
    const [first, second] = one.asked.length === 1 ? [one, two] : [two, one];
    await first.kill();
    await fleet.advance(9_000);
    expect(second.asked).toHaveLength(1);
    await second.kill();
    await fleet.advance(9_000);
    expect(codeOf(result.value!)).toBe('probe_lost');
    expect(fleet.bus.counters.requests_lost).toBe(1);
  });

  test('what a suspended probe does not take goes to one that was heard of since', async () => {
    const { fleet } = await start();
    const suspended = await fleet.probe({ vantage: 'suspended' });
    await fleet.probe({ vantage: 'other', answers: () => upFrom('other') });
    suspended.suspend();
    // As many as the queue group needs to choose the suspended one for some of them.
    const results: { value: ProbedResult | null }[] = [];
    for (let round = 0; round < 20; round++) {
      results.push(watched(fleet.bus.check('nbg', ofTeam)));
      await fleet.clock.settle();
    }
    await fleet.advance(1_000);
    expect(results.some(({ value }) => value === null)).toBe(true);
    await fleet.advance(3_500);
    expect(new Set(results.map(({ value }) => value?.vantage))).toEqual(new Set(['other']));
    expect(fleet.bus.counters.requests_lost).toBe(0);
  });

  test('while a probe is silent, the others are sent their checks by name', async () => {
    const { fleet } = await start();
    const suspended = await fleet.probe({ vantage: 'suspended' });
    for (const vantage of ['one', 'two'])
      await fleet.probe({ vantage, answers: () => upFrom(vantage) });
    suspended.suspend();
    await fleet.advance(7_000);
    const results = Array.from({ length: 20 }, () => watched(fleet.bus.check('nbg', ofTeam)));
    await fleet.until(() => results.every(({ value }) => value !== null));
    expect(fleet.bus.counters.requests_sent_again).toBe(0);
    expect(new Set(results.map(({ value }) => value!.vantage))).toEqual(new Set(['one', 'two']));
  });

  test('a check that its only probe lost waits until the probe is heard of again', async () => {
    const { fleet } = await start();
    const suspended = await fleet.probe({ vantage: 'suspended' });
    suspended.suspend();
    const result = watched(fleet.bus.check('nbg', ofTeam));
    await fleet.advance(5_000);
    expect(result.value).toBeNull();
    await fleet.probe({ vantage: 'next', answers: () => upFrom('next') });
    await fleet.advance(1_000);
    expect(result.value).toMatchObject({ vote: 'up', vantage: 'next' });
  });

  test('a probe whose subject nobody answers gets no more checks', async () => {
    const { fleet } = await start();
    const suspended = await fleet.probe({ vantage: 'suspended' });
    const killed = await fleet.probe({ vantage: 'killed' });
    await fleet.probe({ vantage: 'other', answers: () => upFrom('other') });
    suspended.suspend();
    await fleet.advance(5_000);
    await killed.kill();
    // The server sees that it is gone, the bus does not yet.
    await fleet.advance(2_000);
    const results = Array.from({ length: 6 }, () => watched(fleet.bus.check('nbg', ofTeam)));
    await fleet.advance(1_500);
    expect(new Set(results.map(({ value }) => value?.vantage))).toEqual(new Set(['other']));
  });

  test('a region whose only probe starts again misses nothing', async () => {
    const { fleet } = await start();
    const before = await fleet.probe({ vantage: 'before' });
    await before.service.stop(0);
    await before.kill();
    const result = watched(fleet.bus.check('nbg', ofTeam));
    await fleet.advance(4_000);
    expect(result.value).toBeNull();
    await fleet.probe({ vantage: 'after', answers: () => upFrom('after') });
    await fleet.advance(1_000);
    expect(result.value).toMatchObject({ vote: 'up', vantage: 'after' });
  });

  test('without a new probe the check is unknown after ten seconds, and later ones at once', async () => {
    const { fleet } = await start();
    const only = await fleet.probe();
    await only.kill();
    const result = watched(fleet.bus.check('nbg', ofTeam));
    await fleet.advance(8_000);
    expect(result.value).toBeNull();
    await fleet.advance(4_000);
    expect(codeOf(result.value!)).toBe('no_probe');
    const next = watched(fleet.bus.check('nbg', ofTeam));
    await fleet.until(() => next.value !== null);
    expect(codeOf(next.value!)).toBe('no_probe');
  });

  test('a probe may take as long as a check needs', async () => {
    const { fleet } = await start();
    const probe = await fleet.probe();
    const result = watched(fleet.bus.check('nbg', ofTeam));
    await fleet.until(() => probe.asked.length === 1);
    await fleet.advance(60_000);
    expect([result.value, probe.asked.length]).toEqual([null, 1]);
    probe.asked[0]!.answer(upFrom('slow'));
    await fleet.until(() => result.value !== null);
    expect(result.value!.vote).toBe('up');
  });

  test('a check that somebody waits for ends in time', async () => {
    const { fleet } = await start();
    await fleet.probe();
    const result = watched(fleet.bus.check('nbg', urgent));
    await fleet.advance(urgent.timeoutMs + 1_500);
    expect(codeOf(result.value!)).toBe('probe_lost');
  });

  test('checks wait for a NATS server that starts again', async () => {
    const { server, fleet } = await start();
    await fleet.probe({ answers: () => upFrom('a') });
    await server.stop('SIGKILL');
    await fleet.until(() => !fleet.connection.isConnected());
    const result = watched(fleet.bus.check('nbg', ofTeam));
    await fleet.advance(3_000);
    expect(result.value).toBeNull();
    await startNats({ port: server.port });
    await fleet.until(() => fleet.connection.isConnected());
    for (let waited = 0; result.value === null && waited < 6_000; waited += 500) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await fleet.advance(500);
    }
    expect(result.value).toMatchObject({ vote: 'up' });
  });

  test('without NATS checks are unknown after ten seconds', async () => {
    const { server, fleet } = await start();
    await fleet.probe();
    await server.stop('SIGKILL');
    await fleet.until(() => !fleet.connection.isConnected());
    const result = watched(fleet.bus.check('nbg', ofTeam));
    await fleet.advance(11_000);
    expect(result.value!.failure).toEqual({
      code: 'no_probe',
      text: 'The connection to NATS is lost',
    });
  });

  test('checks that are under way when NATS dies are unknown after ten seconds', async () => {
    const { server, fleet } = await start();
    const probe = await fleet.probe();
    const result = watched(fleet.bus.check('nbg', ofTeam));
    await fleet.until(() => probe.asked.length === 1);
    await fleet.advance(500);
    await server.stop('SIGKILL');
    await fleet.until(() => !fleet.connection.isConnected());
    await fleet.advance(9_000);
    expect(result.value).toBeNull();
    await fleet.advance(3_000);
    expect(result.value!.failure!.text).toBe('The connection to NATS is lost');
  });

  test('a server that was frozen reads what arrived before it judges', async () => {
    const { fleet } = await start();
    const probe = await fleet.probe();
    const result = watched(fleet.bus.check('nbg', ofTeam));
    await fleet.until(() => probe.asked.length === 1);
    fleet.clock.freeze(60_000);
    await fleet.advance(1_000);
    expect(result.value).toBeNull();
    probe.asked[0]!.answer(upFrom('a'));
    await fleet.until(() => result.value !== null);
    expect(result.value!.vote).toBe('up');
  });

  test('a probe that was suspended leaves what others took for lost meanwhile', async () => {
    const { fleet } = await start();
    const probe = await fleet.probe({ answers: () => upFrom('frozen') });
    const first = watched(fleet.bus.check('nbg', ofTeam));
    await fleet.until(() => first.value !== null);
    // Its messages wait in its socket while its clock goes on.
    const late = watched(fleet.bus.check('nbg', ofTeam));
    probe.clock.freeze(20_000);
    await fleet.clock.settle();
    await fleet.connection.nats.flush();
    await fleet.advance(1_000);
    expect(late.value).toBeNull();
    // Both clocks agree again on what is late, and the server hears of the probe.
    fleet.clock.freeze(20_000);
    await fleet.advance(2_500);
    const next = watched(fleet.bus.check('nbg', ofTeam));
    await fleet.until(() => next.value !== null);
    expect(next.value).toMatchObject({ vote: 'up' });
  });

  test('a large batch is divided, and a check too large for NATS is unknown', async () => {
    const { fleet } = await start();
    const sizes: number[] = [];
    await fleet.probe({
      answers: (request) => {
        const { body } = request as { body?: string };
        sizes.push(body?.length ?? 0);
        return upFrom('a');
      },
    });
    const large = Array.from({ length: 8 }, () => fleet.bus.check('nbg', sized(300_000)));
    const tooLarge = fleet.bus.check('nbg', sized(1_100_000));
    const results = watched(Promise.all([...large, tooLarge]));
    await fleet.until(() => results.value !== null);
    expect(results.value!.map((one) => codeOf(one) ?? one.vote)).toEqual([
      ...large.map(() => 'up'),
      'probe_error',
    ]);
    expect(sizes).toEqual(large.map(() => 300_000));
  });

  test('clients without the key of a region can neither answer nor pose as its probe', async () => {
    const { fleet } = await start();
    const probe = await fleet.probe();
    const result = watched(fleet.bus.check('nbg', ofTeam));
    await fleet.until(() => probe.asked.length === 1);
    const { nats } = probe.connection;
    const subject = answerSubject('server', '1');
    const forged = JSON.stringify({ protocol: 1, probe: 'x', vantage: 'x', results: [[1, null]] });
    nats.publish(subject, forged);
    // The key of another region answers for that region only.
    nats.publish(subject, createSealer(keyOf('sin')).seal(forged, subject));
    const presence = JSON.stringify({
      protocol: 1,
      probe: 'x',
      sequence: 1,
      vantage: 'x',
      version: '1',
      load: [],
      now: 0,
    });
    const place = presenceSubject('nbg', keyOf('nbg').id);
    nats.publish(place, createSealer(keyOf('sin')).seal(presence, place));
    nats.publish(place, presence);
    // A probe of one region can't pose as one of another.
    const elsewhere = presenceSubject('nbg', keyOf('sin').id);
    nats.publish(elsewhere, createSealer(keyOf('sin')).seal(presence, elsewhere));
    await fleet.advance(1_000);
    expect(result.value).toBeNull();
    expect(fleet.bus.probesOf('nbg').map(({ vantage }) => vantage)).toEqual(['rack']);
    expect(fleet.bus.counters.messages_unreadable).toBe(4);
    probe.asked[0]!.answer(upFrom('a'));
    await fleet.until(() => result.value !== null);
    expect(result.value!.vote).toBe('up');
  });

  test('probes with a new and with an old key work while keys are rotated', async () => {
    const { fleet } = await start({ secrets: ['the new secret key', 'the old secret key'] });
    const old = keyOf('nbg', 'the old secret key');
    await fleet.probe({ vantage: 'old', keys: [old], answers: () => upFrom('old') });
    const first = watched(fleet.bus.check('nbg', ofTeam));
    await fleet.until(() => first.value !== null);
    expect(first.value!.vantage).toBe('old');
    const both = [keyOf('nbg', 'the new secret key'), old];
    await fleet.probe({ vantage: 'new', keys: both, answers: () => upFrom('new') });
    // It announces itself once for each key.
    await fleet.advance(0);
    const second = watched(fleet.bus.check('nbg', ofTeam));
    await fleet.until(() => second.value !== null);
    expect(second.value!.vantage).toBe('new');
  });

  test('a withdrawn key neither opens a check nor answers one', async () => {
    const { fleet } = await start({ versions: { nbg: 2 } });
    const [lost, present] = [keyOf('nbg'), keyOf('nbg', undefined, 2)];
    const thief = await fleet.probe({ regions: [], keys: [lost], answers: () => upFrom('thief') });
    const overheard: [subject: string, data: Uint8Array][] = [];
    thief.connection.nats.subscribe('tocsin.check.>', {
      callback: (_error, { subject, reply, data }) =>
        void overheard.push([`${subject} ${reply}`, data]),
    });
    await thief.connection.nats.flush();
    await fleet.advance(2_500);
    expect(fleet.bus.probesOf('nbg')).toEqual([]);
    const probe = await fleet.probe({ vantage: 'rack', keys: [present] });
    const result = watched(fleet.bus.check('nbg', ofTeam));
    await fleet.until(() => probe.asked.length === 1 && overheard.length === 1);
    const opened = (key: typeof lost) =>
      createOpener([key]).open(overheard[0]![1], overheard[0]![0]);
    expect(opened(lost)).toBeNull();
    expect(opened(present)?.text).toContain(ofTeam.type);
    const subject = answerSubject('server', '1');
    const forged = { protocol: 1, probe: 'x', vantage: 'thief', results: [[1, upFrom('thief')]] };
    thief.connection.nats.publish(
      subject,
      createSealer(lost).seal(JSON.stringify(forged), subject),
    );
    await fleet.advance(1_000);
    expect(result.value).toBeNull();
    probe.asked[0]!.answer(upFrom('rack'));
    await fleet.until(() => result.value !== null);
    expect(result.value).toMatchObject({ vote: 'up', vantage: 'rack' });
  });

  test('a probe with both keys checks without a gap while one is withdrawn', async () => {
    const { server, fleet } = await start();
    const keys = [keyOf('nbg', undefined, 2), keyOf('nbg')];
    await fleet.probe({ keys, answers: () => upFrom('rack') });
    const after = await natsFleet(server.url, { versions: { nbg: 2 }, node: 'restarted' });
    await fleet.advance(2_500);
    await after.until(() => after.bus.probesOf('nbg').length === 1);
    for (const { bus, advance } of [fleet, after]) {
      const result = watched(bus.check('nbg', ofTeam));
      while (result.value === null) {
        await advance(0);
        await fleet.advance(0);
      }
      expect(result.value).toMatchObject({ vote: 'up' });
    }
    await after.close();
  });

  test('a probe of a later protocol is reported as outdated, not as missing', async () => {
    const { fleet } = await start();
    const place = presenceSubject('nbg', keyOf('nbg').id);
    const presence = JSON.stringify({
      protocol: 2,
      probe: 'x',
      sequence: 1,
      vantage: 'rack',
      version: '9.0.0',
      load: [],
      now: 0,
    });
    fleet.connection.nats.publish(place, createSealer(keyOf('nbg')).seal(presence, place));
    await fleet.until(() => fleet.bus.probesOf('nbg').length === 1);
    expect(fleet.bus.probesOf('nbg')).toMatchObject([{ version: '9.0.0', takesChecks: false }]);
    const result = watched(fleet.bus.check('nbg', ofTeam));
    await fleet.until(() => result.value !== null);
    expect(codeOf(result.value!)).toBe('probe_unable');
  });

  test('what is open when the process ends is aborted', async () => {
    const { fleet } = await start();
    await fleet.probe();
    const result = watched(fleet.bus.check('nbg', ofTeam));
    await fleet.clock.settle();
    await fleet.bus.close();
    await fleet.until(() => result.value !== null);
    expect(codeOf(result.value!)).toBe('aborted');
    expect(codeOf(await fleet.bus.check('nbg', ofTeam))).toBe('aborted');
  });
});
