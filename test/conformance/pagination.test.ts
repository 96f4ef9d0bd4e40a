import { describe, expect, it } from 'vitest';
import { client, expectRefused, freshApi, idsOf, type Answer, names } from '../support/client.ts';

const { get, monitor, incident } = client();
const KEYS = names(`
  current_page data first_page_url from last_page last_page_url next_page_url path per_page
  prev_page_url to total
`);
const BASE = 'https://up.example.com/api/v1';

/** A list with 45 monitors of one path, so that no other test changes it. */
async function many(): Promise<string> {
  const host = `many-${crypto.randomUUID()}.example.com`;
  for (let index = 0; index < 45; index += 1)
    await monitor('http', { url: `https://${host}/${index}` });
  return `search=${host}`;
}
const ready = many();

const pageOf = async (query = '') => get(`/monitors?${await ready}${query}`);
const numbers = ({ body }: Answer) =>
  ['current_page', 'per_page', 'total', 'last_page', 'from', 'to'].map((key) => body[key]);
const paramsOf = (url: unknown) => Object.fromEntries(new URL(url as string).searchParams);
const URLS = names('first_page_url prev_page_url next_page_url last_page_url');
const pages = (body: Record<string, unknown>) =>
  URLS.map((key) => (body[key] === null ? null : Number(paramsOf(body[key])['page'])));

describe('pages of a list', () => {
  it('every list is an envelope of the twelve fields [4.1]', async () => {
    const { id } = await monitor();
    await incident(id);
    const ofMonitor = names('incidents results pings dns certificates activities');
    const paths = ofMonitor.map((one) => `/monitors/${id}/${one}`);
    for (const path of ['/monitors', '/incidents', '/audit-log', ...paths]) {
      const { body } = await get(path);
      expect(Object.keys(body).toSorted(), path).toEqual(KEYS);
      expect(body['data'], path).toBeInstanceOf(Array);
      expect(body['path']).toBe(`${BASE}${path}`);
    }
  });

  it('page is 1 and per_page 20 when they are not given [4.2]', async () => {
    const first = await pageOf();
    expect(numbers(first)).toEqual([1, 20, 45, 3, 1, 20]);
    expect(first.body['data']).toHaveLength(20);
  });

  it('per_page is 100 at most [4.2]', async () => {
    expect(numbers(await pageOf('&per_page=100'))).toEqual([1, 100, 45, 1, 1, 45]);
    expectRefused(await pageOf('&per_page=101'), 'per_page');
  });

  it('from and to are the indexes of the first and last item on the page [4.4]', async () => {
    expect(numbers(await pageOf('&page=2&per_page=7'))).toEqual([2, 7, 45, 7, 8, 14]);
    expect(numbers(await pageOf('&page=7&per_page=7'))).toEqual([7, 7, 45, 7, 43, 45]);
  });

  it('the pages together are the list, each item once [4.5]', async () => {
    const ids: number[] = [];
    for (const page of [1, 2, 3]) ids.push(...idsOf(await pageOf(`&page=${page}`)));
    expect(new Set(ids).size).toBe(45);
    expect(ids).toEqual(idsOf(await pageOf('&per_page=100')));
  });

  it('the urls lead to the first, last, next and previous page; there is none before the first and after the last [4.6]', async () => {
    const { body: middle } = await pageOf('&page=2');
    const { body: first } = await pageOf('&page=1');
    const { body: last } = await pageOf('&page=3');
    expect(pages(middle)).toEqual([1, 1, 3, 3]);
    expect(pages(first)).toEqual([1, null, 2, 3]);
    expect(pages(last)).toEqual([1, 2, null, 3]);
  });

  it('path is the url of the list without query [4.7]', async () => {
    expect((await pageOf('&page=2')).body['path']).toBe(`${BASE}/monitors`);
  });

  it('a page past the end has empty data, from and to null [4.8]', async () => {
    for (const page of [9, Number.MAX_SAFE_INTEGER]) {
      const answer = await pageOf(`&page=${page}`);
      expect([answer.status, answer.body['data']]).toEqual([200, []]);
      expect(numbers(answer)).toEqual([page, 20, 45, 3, null, null]);
      expect(pages(answer.body)).toEqual([1, 3, null, 3]);
    }
  });

  it('an empty list is one empty page [4.9]', async () => {
    const api = await freshApi();
    const { body } = await api.call(api.alice, 'GET', '/api/v1/monitors');
    expect(body).toMatchObject({
      data: [],
      current_page: 1,
      total: 0,
      last_page: 1,
      from: null,
      to: null,
      next_page_url: null,
      prev_page_url: null,
    });
  });

  it('page urls are absolute and keep the other query parameters [4.10]', async () => {
    const query = '&status=pending&sort=url&direction=desc&per_page=10&page=2&mine=a%26b';
    const { body } = await pageOf(query);
    for (const key of URLS) {
      const url = new URL(body[key] as string);
      expect(`${url.origin}${url.pathname}`).toBe(`${BASE}/monitors`);
      expect(paramsOf(url.href)).toMatchObject({
        search: (await ready).slice('search='.length),
        status: 'pending',
        sort: 'url',
        direction: 'desc',
        per_page: '10',
        mine: 'a&b',
      });
    }
  });

  it('the query is kept as it was written, also of a path without its version [1.1, 4.10]', async () => {
    const { call, alice } = await freshApi();
    const query = 'per_page=2&search=ex%C3%A4%26&foo=b+r';
    const { body } = await call(alice, 'GET', `/api/monitors/?${query}`);
    expect(body).toMatchObject({
      first_page_url: `${BASE}/monitors?${query}&page=1`,
      path: `${BASE}/monitors`,
    });
  });

  it('a page url is followed to that page [4.11]', async () => {
    const { body } = await pageOf('&per_page=10');
    const next = new URL(body['next_page_url'] as string);
    const answer = await get(`${next.pathname.slice('/api/v1'.length)}${next.search}`);
    expect(idsOf(answer)).toEqual(idsOf(await pageOf('&per_page=10&page=2')));
  });
});
