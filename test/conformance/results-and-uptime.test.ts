import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefused, expectStatus, MINUTE, openLine, type Json, type Line } from './support.ts';

let line: Line;
let id: number;
beforeAll(async () => {
  line = await openLine();
  id = await line.watched({ failure_threshold: 1 });
  line.turn(id, 'down', ['sin']);
  await line.pass(3 * MINUTE);
});
afterAll(() => line.house.close());

const results = (query = '') => line.get(`/monitors/${id}/results?${query}`);
const timeOf = (offset: number) => new Date(line.house.clock.now() + offset).toISOString();

describe('results and uptime', () => {
  it('time paused counts as unobserved [24.14]', async () => {
    const own = await openLine();
    const other = await own.watched();
    const now = () => new Date(own.house.clock.now()).toISOString();
    const from = now();
    await own.pass(10 * MINUTE);
    await own.post(`/monitors/${other}/pause`);
    await own.pass(10 * MINUTE);
    const query = new URLSearchParams({ from, to: now() }).toString();
    const { body } = await own.get(`/monitors/${other}/uptime?${query}`);
    await own.house.close();
    expect(body['observed_percent']).toBeGreaterThan(45);
    expect(body['observed_percent']).toBeLessThan(55);
    expect(body['uptime_percent']).toBe(100);
  });

  it('GET /monitors/{id}/results is a page of what each region saw [24.1]', async () => {
    const answer = await results('per_page=100');
    expectStatus(answer, 200);
    expect(answer.body).toMatchObject({ current_page: 1, per_page: 100 });
    const rows = answer.body['data'] as Json[];
    expect(answer.body['total']).toBe(rows.length);
    expect(new Set(rows.map((row) => row['region']))).toEqual(
      new Set(['ash', 'pdx', 'nbg', 'sin']),
    );
    const kinds = new Set(rows.map((row) => `${row['region'] === 'sin'} ${String(row['is_up'])}`));
    expect(kinds).toEqual(new Set(['true true', 'true false', 'false true']));
  });

  it('region narrows the results to that region [24.2]', async () => {
    const { body } = await results('region=sin&per_page=100');
    const rows = body['data'] as Json[];
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(rows.map((row) => row['region']))).toEqual(new Set(['sin']));
  });

  it('from and to narrow the results to a time [24.2]', async () => {
    const all = (await results()).body['total'] as number;
    const from = encodeURIComponent(timeOf(-MINUTE));
    const late = (await results(`from=${from}`)).body['total'] as number;
    const early = (await results(`to=${from}`)).body['total'] as number;
    expect(late).toBeGreaterThan(0);
    expect(early).toBeGreaterThan(0);
    expect(late + early).toBe(all);
  });

  it('an unusable from, to or region is 422 on that parameter [24.3]', async () => {
    expectRefused(await results('from=yesterday'), 'from');
    expectRefused(await results('to=x'), 'to');
    expectRefused(await results('region=moon'), 'region');
  });

  it('GET /monitors/{id}/uptime tells of the time asked for [24.4]', async () => {
    const [from, to] = [timeOf(-MINUTE), timeOf(0)];
    const query = new URLSearchParams({ from, to }).toString();
    const answer = await line.get(`/monitors/${id}/uptime?${query}`);
    expectStatus(answer, 200);
    expect(answer.body).toMatchObject({ from, to });
    expectStatus(await line.get(`/monitors/${id}/uptime`), 200);
  });

  it('an unusable from or to of the uptime is 422 on that parameter [24.5]', async () => {
    for (const parameter of ['from', 'to'])
      expectRefused(await line.get(`/monitors/${id}/uptime?${parameter}=x`), parameter);
  });
});
