import { describe, expect, it } from 'vitest';
import { client, expectStatus } from './support.ts';

const { open, call, get, put, del, token } = client();

describe('which error comes first', () => {
  it('401 comes before 404 and 405 of the route and before everything else [2.16]', async () => {
    for (const [method, path, body] of [
      ['GET', '/nothing'],
      ['PATCH', '/monitors', {}],
      ['POST', '/monitors', '{'],
      ['GET', '/monitors/0'],
      ['POST', '/monitors', {}],
    ] as const)
      expectStatus(await call(null, method, path, body), 401);
  });

  it('404 and 405 of the route come before 403 [2.17]', async () => {
    const nothing = await token([]);
    expectStatus(await call(nothing, 'POST', '/nothing', {}), 404);
    expectStatus(await call(nothing, 'DELETE', '/monitors'), 405);
    expectStatus(await call('vera', 'DELETE', '/monitors'), 405);
  });

  it('403 comes before 413, 415 and 400 [2.18]', async () => {
    const { app, vera } = await open();
    const send = (payload: string, type = 'application/json') =>
      app.inject({
        method: 'POST',
        url: '/api/v1/monitors',
        headers: { authorization: `Bearer ${vera.token}`, 'content-type': type },
        payload,
      });
    expect((await send(`"${'x'.repeat(2 ** 20)}"`)).statusCode).toBe(403);
    expect((await send('url=x', 'application/x-www-form-urlencoded')).statusCode).toBe(403);
    expect((await send('{')).statusCode).toBe(403);
  });

  it('403 comes before 404 of the id [2.19]', async () => {
    expectStatus(await del('/monitors/0', 'vera'), 403);
    expectStatus(await put('/monitors/x', {}, 'vera'), 403);
  });

  it('413, 415 and 400 come before 404 of the id [2.20]', async () => {
    const { app, alice } = await open();
    const send = (payload: string, type = 'application/json') =>
      app.inject({
        method: 'PUT',
        url: '/api/v1/monitors/999999',
        headers: { authorization: `Bearer ${alice.token}`, 'content-type': type },
        payload,
      });
    expect((await send(`"${'x'.repeat(2 ** 20)}"`)).statusCode).toBe(413);
    expect((await send('url=x', 'application/x-www-form-urlencoded')).statusCode).toBe(415);
    expect((await send('{')).statusCode).toBe(400);
  });

  it('404 of the id comes before 422 [2.21]', async () => {
    expectStatus(await put('/monitors/999999', { check_interval: 'wrong' }), 404);
    expectStatus(await put('/incidents/999999', { status: 'wrong' }), 404);
    expectStatus(await put('/groups/999999', {}), 404);
    expectStatus(await get('/monitors/999999/incidents?status=wrong'), 404);
  });
});
