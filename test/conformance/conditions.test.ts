import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkResult } from '../support/rounds.ts';
import { expectStatus, MINUTE, openLine, SECOND, type Json, type Line } from '../support/client.ts';

let line: Line;
beforeEach(async () => void (line = await openLine()));
afterEach(() => line.harness.close());

/** A monitor that is down, confirmed, with its open incident. */
async function broken(fields: object = {}): Promise<{ id: number; trouble: Json }> {
  const id = await line.watched(fields);
  line.turn(id, 'down');
  await line.until(id, 'offline');
  const [trouble] = await line.incidentsOf(id, 'status=open');
  return { id, trouble: trouble! };
}

const open = (id: number) => line.incidentsOf(id, 'status=open');
const typesOf = (incidents: Json[]) => incidents.map((one) => one['type']);

/** From now on all regions answer so; the virtual times at which rounds begin. */
function rounds(id: number, vote: 'up' | 'down'): number[] {
  const begun: number[] = [];
  line.harness.targets.set(id, (region) => {
    if (region === 'ash') begun.push(line.harness.clock.now());
    return checkResult(vote);
  });
  return begun;
}

/** Whole seconds between them. */
const gaps = (times: number[]) =>
  times.slice(1).map((time, index) => Math.round((time - times[index]!) / SECOND));

describe('conditions and their incidents', () => {
  it('a down verdict that is confirmed raises an incident of type uptime, critical: offline [19.5]', async () => {
    const { id, trouble } = await broken();
    expect(trouble).toMatchObject({
      type: 'uptime',
      severity: 'critical',
      status: 'open',
      is_regional: false,
      region: null,
      root_cause: 'Connection refused by 10.0.0.1 port 80',
      ended_at: null,
      duration: null,
    });
    expect(await line.statusOf(id)).toBe('offline');
    expect(await open(id)).toHaveLength(1);
  });

  it('at each interval every monitored region checks once [14.1]', async () => {
    const id = await line.watched({ check_interval: 0.5, monitored_regions: ['ash', 'sin'] });
    const before = line.harness.checks.length;
    await line.pass(5 * MINUTE);
    const regions = line.harness.checks.slice(before).map(({ region }) => region);
    expect(regions.filter((region) => region === 'ash')).toHaveLength(10);
    expect(regions.filter((region) => region === 'sin')).toHaveLength(10);
    expect(regions).toHaveLength(20);
    expect(await line.statusOf(id)).toBe('online');
  });

  it('a bad round is rechecked after 10 s, further ones after 20 s [18.11]', async () => {
    const id = await line.watched({ failure_threshold: 4, check_interval: 2 });
    const begun = rounds(id, 'down');
    await line.until(id, 'offline');
    expect(gaps(begun)).toEqual([10, 20, 20]);
  });

  it('recovery is rechecked at the same pace [18.16]', async () => {
    const { id } = await broken({ recovery_threshold: 4, check_interval: 2 });
    const begun = rounds(id, 'up');
    await line.until(id, 'online');
    expect(gaps(begun)).toEqual([10, 20, 20]);
  });

  it('a regional verdict raises an incident of type regional, warning, which names the region: degraded [19.6]', async () => {
    const id = await line.watched();
    line.turn(id, 'down', ['sin']);
    await line.until(id, 'degraded');
    expect(await open(id)).toMatchObject([
      { type: 'regional', severity: 'warning', is_regional: true, region: 'sin' },
    ]);
  });

  it('a median of the round over the threshold raises slow_response, warning: degraded [19.8]', async () => {
    const id = await line.watched({ slow_response_threshold: 500 });
    line.harness.targets.set(id, () => checkResult('up', { responseTimeMs: 900 }));
    await line.until(id, 'degraded');
    expect(await open(id)).toMatchObject([{ type: 'slow_response', severity: 'warning' }]);
  });

  it('a condition whose check is switched off while open is resolved with an activity that says so [19.12]', async () => {
    const id = await line.watched({ slow_response_threshold: 500 });
    line.harness.targets.set(id, () => checkResult('up', { responseTimeMs: 900 }));
    await line.until(id, 'degraded');
    expectStatus(await line.put(`/monitors/${id}`, { slow_response_threshold: null }), 200);
    await line.until(id, 'online');
    const [ended] = await line.incidentsOf(id);
    expect(ended!['status']).toBe('resolved');
    const { body } = await line.get(`/incidents/${ended!.id}`);
    const descriptions = (body['activities'] as Json[]).map((each) => String(each['description']));
    expect(
      descriptions.some((text) => /no longer|off|not .*(check|watch)/i.test(text)),
      descriptions.join('\n'),
    ).toBe(true);
  });

  it('an incident by hand leaves the status as it is [19.2]', async () => {
    const id = await line.watched();
    await line.incident(id, { severity: 'critical' });
    await line.pass(2 * MINUTE);
    expect(await line.statusOf(id)).toBe('online');
    expect(typesOf(await open(id))).toEqual(['manual']);
  });

  it('there is one open incident for a monitor and type, manual ones excepted [19.1]', async () => {
    const { id } = await broken();
    await line.incident(id);
    await line.incident(id);
    await line.pass(10 * MINUTE);
    expect(typesOf(await open(id)).toSorted()).toEqual(['manual', 'manual', 'uptime']);
  });

  it('a paused monitor is resumed into the trouble that it had [21.42]', async () => {
    const { id, trouble } = await broken();
    await line.post(`/monitors/${id}/pause`);
    await line.pass(30 * MINUTE);
    await line.post(`/monitors/${id}/resume`);
    await line.pass(5 * MINUTE);
    expect((await open(id)).map((one) => one.id)).toEqual([trouble.id]);
    line.turn(id, 'up');
    await line.until(id, 'online');
    expect(await open(id)).toEqual([]);
  });

  it('the incident keeps evidence for each region [20.9]', async () => {
    const { trouble } = await broken();
    const evidence = (await line.get(`/incidents/${trouble.id}`)).body['evidence'] as Json[];
    expect(evidence.map((each) => each['region'])).toEqual(
      expect.arrayContaining(['ash', 'pdx', 'nbg', 'sin']),
    );
  });
});
