import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkResult } from '../support/rounds.ts';
import { MINUTE, openLine, type Json, type Line } from '../support/client.ts';

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
});
