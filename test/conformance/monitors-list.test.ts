import { describe, expect, it } from 'vitest';
import {
  client,
  expectRefused,
  expectStatus,
  freshApi,
  idsOf,
  MINUTE,
  openLine,
  SECOND,
} from './support.ts';

const shared = client();

/** Monitors of a team of their own, a second after one another: what each test looks for among. */
function shelf() {
  const opened = freshApi();
  const calls = client(() => opened);
  return {
    ...calls,
    async fill(list: [type: Parameters<typeof calls.monitor>[0], fields?: object][]) {
      const ids: number[] = [];
      for (const [type, fields] of list) {
        ids.push((await calls.monitor(type, fields)).id);
        await (await opened).clock.advance(SECOND);
      }
      return ids;
    },
    found: async (query: string) => idsOf(await calls.get(`/monitors?${query}`)),
  };
}

describe('the list of monitors', () => {
  it('the list holds the monitors of the team and no others [6.19]', async () => {
    const { fill, monitor, found } = shelf();
    const ids = await fill([['http'], ['cron']]);
    await monitor('http', {}, 'mallory');
    expect((await found('')).toSorted()).toEqual(ids);
  });

  it('search is a partial match on the url [4.21]', async () => {
    const { fill, found } = shelf();
    const [one, other] = await fill([
      ['http', { url: 'https://shop.example.com/cart' }],
      ['ping', { url: 'mail.example.com' }],
      ['http', { url: 'https://elsewhere.test', friendly_name: 'shop.example.com' }],
    ]);
    expect(await found('search=example.com&sort=created_at')).toEqual([one, other]);
    expect(await found('search=op.ex')).toEqual([one]);
    expect(await found('search=nothing')).toEqual([]);
  });

  it('type filters by monitor_type [4.23]', async () => {
    const { fill, found } = shelf();
    const types = ['http', 'ping', 'port', 'heartbeat', 'cron'] as const;
    const ids = await fill(types.map((type) => [type]));
    for (const [index, type] of types.entries())
      expect(await found(`type=${type}`)).toEqual([ids[index]]);
  });

  it('interval filters by check_interval in minutes [4.23]', async () => {
    const { fill, found } = shelf();
    const [half] = await fill([
      ['http', { check_interval: 0.5 }],
      ['http', { check_interval: 5 }],
      ['heartbeat'],
    ]);
    expect(await found('interval=0.5')).toEqual([half]);
    expect(await found('interval=7')).toEqual([]);
  });

  it('status filters by status [4.23]', async () => {
    const line = await openLine();
    const bad = await line.watched({ failure_threshold: 1 });
    const slow = await line.watched({ failure_threshold: 1 });
    line.turn(bad, 'down');
    line.turn(slow, 'down', ['ash']);
    await line.until(bad, 'offline');
    await line.until(slow, 'degraded');
    const good = await line.watched();
    const { id: fresh } = await line.monitor('heartbeat');
    const found = async (status: string) => idsOf(await line.get(`/monitors?status=${status}`));
    expect(await found('offline')).toEqual([bad]);
    expect(await found('degraded')).toEqual([slow]);
    expect(await found('online')).toEqual([good]);
    expect(await found('pending')).toEqual([fresh]);
    await line.house.close();
  });

  it('filters together narrow the list [4.24]', async () => {
    const { fill, found } = shelf();
    const [one] = await fill([
      ['http', { url: 'https://a.example', check_interval: 5 }],
      ['http', { url: 'https://a.example', check_interval: 6 }],
      ['ping', { url: 'a.example', check_interval: 5 }],
    ]);
    expect(await found('search=a.example&type=http&interval=5&status=pending')).toEqual([one]);
  });

  it('url, check_interval and created_at can be sorted by, both ways [4.12]', async () => {
    const { fill, found } = shelf();
    const [b, a, c] = await fill([
      ['http', { url: 'https://b.example', check_interval: 10 }],
      ['http', { url: 'https://a.example', check_interval: 9.5 }],
      ['http', { url: 'https://c.example', check_interval: 2 }],
    ]);
    expect(await found('sort=url&direction=asc')).toEqual([a, b, c]);
    expect(await found('sort=url&direction=desc')).toEqual([c, b, a]);
    expect(await found('sort=check_interval&direction=asc')).toEqual([c, a, b]);
    expect(await found('sort=check_interval&direction=desc')).toEqual([b, a, c]);
    expect(await found('sort=created_at&direction=asc')).toEqual([b, a, c]);
    expect(await found('sort=created_at&direction=desc')).toEqual([c, a, b]);
  });

  it('status and last_checked_at can be sorted by [4.12]', async () => {
    const line = await openLine();
    const late = await line.watched({ check_interval: 60 });
    const { id: never } = await line.monitor('heartbeat');
    await line.pass(MINUTE);
    const later = await line.watched({ check_interval: 60 });
    const found = async (query: string) => idsOf(await line.get(`/monitors?sort=${query}`));
    expect(await found('last_checked_at&direction=asc')).toEqual([late, later, never]);
    expect(await found('last_checked_at&direction=desc')).toEqual([later, late, never]);
    expect(new Set((await found('status&direction=asc')).slice(0, 2))).toEqual(
      new Set([late, later]),
    );
    expect((await found('status&direction=desc'))[0]).toBe(never);
    await line.house.close();
  });

  it('search is case-insensitive [4.21]', async () => {
    const { fill, found } = shelf();
    const [one] = await fill([['http', { url: 'https://Shop.Example.com/CART' }]]);
    expect(await found('search=sHOP.example.com/cart')).toEqual([one]);
  });

  it('% and _ are literal in search [4.21]', async () => {
    const { fill, found } = shelf();
    const [percent, underscore] = await fill([
      ['http', { url: 'https://a.example/100%25' }],
      ['http', { url: 'https://a.example/snake_case' }],
      ['http', { url: 'https://a.example/snakeXcase' }],
    ]);
    expect(await found('search=%25')).toEqual([percent]);
    expect(await found('search=e_c')).toEqual([underscore]);
    expect(await found('search=%5C')).toEqual([]);
  });

  it('q also looks at the name and the tags [4.22]', async () => {
    const { fill, found } = shelf();
    const ids = await fill([
      ['http', { url: 'https://needle.example' }],
      ['http', { friendly_name: 'The NEEDLE' }],
      ['http', { tags: ['blunt', 'needles'] }],
      ['http', { tags: ['none'], friendly_name: 'None' }],
    ]);
    expect(await found('q=needle&sort=created_at')).toEqual(ids.slice(0, 3));
  });

  it('without sort the newest comes first [4.13]', async () => {
    const { fill, found } = shelf();
    const ids = await fill([['http'], ['ping'], ['cron']]);
    expect(await found('')).toEqual(ids.toReversed());
  });

  it('a sort without direction is ascending [4.16]', async () => {
    const { fill, found } = shelf();
    const [b, a] = await fill([
      ['http', { url: 'https://b.example' }],
      ['http', { url: 'https://a.example' }],
    ]);
    expect(await found('sort=url')).toEqual([a, b]);
    expect(await found('sort=created_at')).toEqual([b, a]);
  });

  it('a direction without sort turns the default order [4.17]', async () => {
    const { fill, found } = shelf();
    const ids = await fill([['http'], ['ping']]);
    expect(await found('direction=asc')).toEqual(ids);
    expect(await found('direction=desc')).toEqual(ids.toReversed());
  });

  it('ties are ordered by id [4.18]', async () => {
    const { fill, found } = shelf();
    const ids = await fill(Array.from({ length: 5 }, () => ['http']));
    for (const sort of ['url', 'status', 'check_interval']) {
      expect(await found(`sort=${sort}&direction=asc`), sort).toEqual(ids);
    }
  });

  it('nulls come last, whichever way [4.19]', async () => {
    const { fill, found } = shelf();
    const [beat, slow, fast] = await fill([
      ['heartbeat'],
      ['http', { check_interval: 5 }],
      ['http', { check_interval: 1 }],
    ]);
    expect(await found('sort=check_interval&direction=asc')).toEqual([fast, slow, beat]);
    expect(await found('sort=check_interval&direction=desc')).toEqual([slow, fast, beat]);
  });

  it('an unknown sort, status, type, direction or interval is 422 on that parameter [4.25]', async () => {
    for (const [parameter, value] of [
      ['sort', 'friendly_name'],
      ['status', 'up'],
      ['type', 'tcp'],
      ['direction', 'down'],
      ['interval', 'often'],
    ])
      expectRefused(await shared.get(`/monitors?${parameter}=${value}`), parameter!);
  });

  it('all faults of a query are told at once [2.10]', async () => {
    expectRefused(
      await shared.get('/monitors?sort=x&status=x&page=0&per_page=0'),
      'sort',
      'status',
      'page',
      'per_page',
    );
  });

  it('parameters that are not known are ignored [1.17]', async () => {
    expectStatus(await shared.get('/monitors?colour=red'), 200);
  });
});
