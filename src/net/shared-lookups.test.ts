import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { startDnsServer } from '../../test/support/dns-server.ts';
import { systemClock } from '../lib/clock.ts';
import { createAddressGuard } from './address-guard.ts';
import { createResolver, findTarget, type Resolution, type Resolver } from './resolver.ts';
import { LOOKUP_TTL_MS, shareLookups } from './shared-lookups.ts';

const FOUND: Resolution = {
  ok: true,
  addresses: [{ address: '192.0.2.7', family: 4 }],
  lookupMs: 40,
};
const MISSING: Resolution = { ok: false, code: 'dns_not_found' };

/** Resolver whose lookups the test completes. */
function scripted() {
  const clock = createFakeClock();
  const asked: { name: string; signal: AbortSignal; answer(resolution: Resolution): void }[] = [];
  const resolver: Resolver = {
    hasNetwork: () => true,
    resolve: (name, signal) =>
      new Promise((answer) => {
        asked.push({ name, signal, answer });
      }),
  };
  const shared = shareLookups(resolver, clock);
  const ask = (name = 'www.example.com', controller = new AbortController()) => {
    let settled: Resolution | null = null;
    const resolution = shared.resolve(name, controller.signal);
    void resolution.then((answer) => (settled = answer));
    return { resolution, settled: () => settled, end: (why: string) => controller.abort(why) };
  };
  return { clock, asked, ask };
}

describe('a lookup', () => {
  test('serves callers while it runs and within 5 s of its start [15.4]', async () => {
    const { clock, asked, ask } = scripted();
    const first = [ask(), ask('WWW.example.com.'), ask()];
    await clock.advance(40);
    asked[0]!.answer(FOUND);
    expect(await Promise.all(first.map(({ resolution }) => resolution))).toEqual([
      FOUND,
      FOUND,
      FOUND,
    ]);
    await clock.advance(LOOKUP_TTL_MS - 41);
    expect(await ask().resolution).toEqual(FOUND);
    expect(asked).toHaveLength(1);
    await clock.advance(1);
    ask();
    expect(asked).toHaveLength(2);
  });

  test('is not shared after 5 s, even if still running', async () => {
    const { clock, asked, ask } = scripted();
    const early = ask();
    await clock.advance(LOOKUP_TTL_MS);
    const late = ask();
    expect(asked).toHaveLength(2);
    asked[1]!.answer(FOUND);
    expect(await late.resolution).toEqual(FOUND);
    asked[0]!.answer(MISSING);
    expect(await early.resolution).toEqual(MISSING);
    // The answer of the older one doesn't affect the newer one.
    expect(await ask().resolution).toEqual(FOUND);
    expect(asked).toHaveLength(2);
  });

  test('that is abandoned after 5 s does not affect the newer one', async () => {
    const { clock, asked, ask } = scripted();
    const early = ask();
    await clock.advance(LOOKUP_TTL_MS);
    ask();
    early.end('deadline');
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    ask();
    expect(asked).toHaveLength(2);
  });

  test('for an already aborted caller is not shared', async () => {
    const { asked, ask } = scripted();
    const controller = new AbortController();
    controller.abort('deadline');
    const late = ask('www.example.com', controller);
    expect(asked[0]!.signal.aborted).toBe(true);
    asked[0]!.answer({ ok: false, code: 'dns_timeout' });
    expect(await late.resolution).toEqual({ ok: false, code: 'dns_timeout' });
    ask();
    expect(asked).toHaveLength(2);
  });

  test.each<[string, Resolution]>([
    ['fails', MISSING],
    ['is partial', { ...FOUND, isPartial: true }],
  ])('that %s serves its current callers only', async (_, answer) => {
    const { asked, ask } = scripted();
    const both = [ask(), ask()];
    asked[0]!.answer(answer);
    for (const { resolution } of both) expect(await resolution).toEqual(answer);
    ask();
    expect(asked).toHaveLength(2);
  });

  test('ends for each caller at its own deadline, and stops with the last one', async () => {
    const { clock, asked, ask } = scripted();
    const [hasty, patient] = [ask(), ask()];
    hasty.end('deadline');
    expect(await hasty.resolution).toEqual({ ok: false, code: 'dns_timeout' });
    await clock.settle();
    expect(patient.settled()).toBeNull();
    expect(asked[0]!.signal.aborted).toBe(false);
    patient.end('shutdown');
    expect(await patient.resolution).toEqual({ ok: false, code: 'aborted' });
    expect(asked[0]!.signal.aborted).toBe(true);
    ask();
    expect(asked).toHaveLength(2);
  });

  test('is shared per name', () => {
    const { asked, ask } = scripted();
    ask();
    ask('api.example.com');
    expect(asked.map(({ name }) => name)).toEqual(['www.example.com', 'api.example.com']);
  });

  test('is one query per family for four regions, evaluated for each [15.5]', async () => {
    const server = await startDnsServer((_name, type) =>
      type === 'A' ? { addresses: ['127.0.0.9'] } : 'empty',
    );
    const resolver = shareLookups(
      createResolver({ clock: systemClock, servers: [server.address], hostsFile: '/dev/null' }),
      systemClock,
    );
    const signal = new AbortController().signal;
    const look = (isAllowed: boolean) =>
      findTarget('www.example.com', { resolver, signal, guard: createAddressGuard(isAllowed) });
    const targets = await Promise.all([look(true), look(true), look(true), look(false)]);
    await server.close();
    expect(server.questions.toSorted()).toEqual(['www.example.com A', 'www.example.com AAAA']);
    expect(targets.map(({ ok }) => ok)).toEqual([true, true, true, false]);
    for (const target of targets.slice(0, 3))
      expect(target).toMatchObject({ lookupMs: expect.any(Number) });
  });
});
