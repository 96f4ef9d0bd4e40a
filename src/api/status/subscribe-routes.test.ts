import { expect, test } from 'vitest';
import { secretBox } from '../../../test/support/deliveries.ts';
import { useStatusEdges, type StatusEdge } from '../../../test/support/status-edge.ts';
import { giveSubscriber, subscriberLinks } from '../../../test/support/subscribers.ts';
import { openMail } from '../../store/alerting/mails.ts';

const edgeWith = useStatusEdges();
const FORM = 'application/x-www-form-urlencoded';
const OWN = { 'content-type': FORM, 'sec-fetch-site': 'same-origin' };

const post = (
  edge: StatusEdge,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = OWN,
) => edge.call(path, { method: 'POST', headers, body: new URLSearchParams(fields).toString() });

const subscribers = ({ database }: StatusEdge) =>
  database.read.selectFrom('subscriber').selectAll().orderBy('id').execute();

/** A confirmed subscriber and the link that ends the subscription, without its host. */
async function subscribed(edge: StatusEdge, slug: string, columns = {}) {
  const pageId = await edge.page(slug, columns);
  const id = await giveSubscriber(edge.database, { teamId: edge.team, pageId }, 'sam@example.com');
  const token = subscriberLinks.manageToken(id);
  return { id, pageId, token, path: `/status/${slug}/unsubscribe?token=${token}` };
}

async function mailedLink({ database }: StatusEdge): Promise<URL> {
  const row = await database.read
    .selectFrom('delivery')
    .select(['body as sealed', 'message_id as messageId'])
    .executeTakeFirstOrThrow();
  return new URL(/https:\S+/.exec(openMail(secretBox, row).text)![0]);
}

test('a visitor subscribes, confirms, changes and ends a subscription by forms alone [44.26]', async () => {
  const edge = await edgeWith();
  await edge.page('acme');
  const form = await edge.call('/status/acme/subscribe');
  expect([form.status, form.headers['cache-control']]).toEqual([200, 'private, no-store']);
  expect(form.headers['content-security-policy']).toContain("form-action 'self'");
  expect(form.text).toMatch(/<form method="post" action="..\/acme\/subscribe"/);
  const asked = await post(edge, '/status/acme/subscribe', { email: 'sam@example.com' });
  expect([asked.status, asked.headers['set-cookie']]).toEqual([200, undefined]);
  expect(asked.text).not.toContain('sam@example.com');
  const link = await mailedLink(edge);
  const opened = await edge.call(link.pathname + link.search);
  expect(opened.status).toBe(200);
  expect((await subscribers(edge))[0]!.confirmed_at).toBeNull();
  const token = /name="token" value="([^"]+)"/.exec(opened.text)![1]!;
  expect((await post(edge, '/status/acme/confirm', { token })).status).toBe(200);
  const [subscriber] = await subscribers(edge);
  expect(subscriber!.confirmed_at).not.toBeNull();
  const manage = subscriberLinks.manageToken(subscriber!.id);
  expect((await post(edge, '/status/acme/subscription', { token: manage })).status).toBe(200);
  expect((await post(edge, '/status/acme/unsubscribe', { token: manage })).status).toBe(200);
  expect(await subscribers(edge)).toEqual([]);
  expect((await edge.call(`/status/acme/subscription?token=${manage}`)).status).toBe(410);
});

test('a subscription ends by its link also once its page is a draft, which answers to no other link [41.27, 44.19]', async () => {
  const edge = await edgeWith();
  const { path } = await subscribed(edge, 'acme', { draft: 1 });
  const unknown = await edge.call('/status/acme/unsubscribe?token=AAAA');
  expect(unknown.status).toBe(404);
  expect((await edge.call(path)).status).toBe(200);
  const oneClick = await post(
    edge,
    path,
    { 'List-Unsubscribe': 'One-Click' },
    { 'content-type': FORM },
  );
  expect(oneClick.status).toBe(200);
  expect(await subscribers(edge)).toEqual([]);
});

test.each([
  [{ 'sec-fetch-site': 'cross-site' }],
  [{ 'sec-fetch-site': 'same-site' }],
  [{ origin: 'https://evil.example' }],
  [{ origin: 'null' }],
])('a form that another site sends with %j is refused [44.26]', async (headers) => {
  const edge = await edgeWith();
  const { token } = await subscribed(edge, 'acme');
  const send = (name: string, fields: Record<string, string>) =>
    post(edge, `/status/acme/${name}`, fields, { 'content-type': FORM, ...headers });
  const answers = [
    await send('subscribe', { email: 'pat@example.com' }),
    await send('confirm', { token }),
    await send('subscription', { token }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  expect(await subscribers(edge)).toHaveLength(1);
});

test.each([
  [FORM, 'List-Unsubscribe=One-Click'],
  [
    'multipart/form-data; boundary=x',
    '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
  ],
  ['text/plain', ''],
])('mail programs end a subscription by one POST with %s [44.14]', async (type, body) => {
  const edge = await edgeWith();
  const { path } = await subscribed(edge, 'acme', {
    access_type: 'password',
    access_password: 'x',
  });
  const headers = { 'content-type': type, 'content-length': String(body.length) };
  expect((await edge.call(path, { method: 'POST', headers, body })).status).toBe(200);
  expect(await subscribers(edge)).toEqual([]);
});

test('opening a link changes nothing, with GET or HEAD [44.18, 44.19]', async () => {
  const edge = await edgeWith();
  const { path, id } = await subscribed(edge, 'acme');
  for (const method of ['GET', 'HEAD'])
    expect((await edge.call(path, { method })).status).toBe(200);
  expect(await subscribers(edge)).toMatchObject([{ id }]);
});

test('a link is for its page, its purpose and its subscriber alone [44.27]', async () => {
  const edge = await edgeWith();
  const { id, token } = await subscribed(edge, 'acme');
  await edge.page('other');
  const confirm = subscriberLinks.confirmToken(id, Date.now() + 60_000);
  const past = subscriberLinks.confirmToken(id, Date.now() - 60_000);
  const changed = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
  const statusOf = async (path: string) => (await edge.call(`/status/${path}`)).status;
  expect(await statusOf(`acme/confirm?token=${confirm}`)).toBe(200);
  for (const path of [
    `other/subscription?token=${token}`,
    `other/confirm?token=${confirm}`,
    `acme/confirm?token=${token}`,
    `acme/confirm?token=${past}`,
    `acme/subscription?token=${confirm}`,
    `acme/unsubscribe?token=${changed}`,
    `acme/unsubscribe?token=${token}=`,
    `acme/unsubscribe?token=a&token=b`,
    'acme/unsubscribe',
  ])
    expect([path, await statusOf(path)]).toEqual([path, 410]);
  expect((await post(edge, '/status/other/unsubscribe', { token })).status).toBe(200);
  expect(await subscribers(edge)).toHaveLength(1);
});

test('a page of which one may see nothing takes no address, and its links work [44.27]', async () => {
  const edge = await edgeWith();
  const { token } = await subscribed(edge, 'acme', {
    access_type: 'password',
    access_password: 'x',
  });
  const asked = await post(edge, '/status/acme/subscribe', { email: 'pat@example.com' });
  expect(asked.status).toBe(403);
  expect(await subscribers(edge)).toHaveLength(1);
  const { status } = await edge.call(`/status/acme/subscription?token=${token}`);
  expect(status).toBe(200);
});

test('forms work on the domain of the page, whose links lead there [44.26]', async () => {
  const edge = await edgeWith();
  await edge.pageOnDomain('acme', 'status.acme.example');
  const host = 'status.acme.example';
  const form = await edge.call('/acme/subscribe', { headers: { host } });
  expect(form.status).toBe(200);
  expect(form.text).toMatch(/<form method="post" action="..\/acme\/subscribe"/);
  const own = { ...OWN, host, origin: `https://${host}` };
  expect((await post(edge, '/acme/subscribe', { email: 'sam@example.com' }, own)).status).toBe(200);
  const link = await mailedLink(edge);
  expect([link.host, link.pathname]).toEqual([host, '/acme/confirm']);
  const path = link.pathname + link.search;
  expect((await edge.call(path, { headers: { host } })).status).toBe(200);
  const token = link.searchParams.get('token')!;
  expect((await post(edge, '/acme/confirm', { token }, own)).status).toBe(200);
  expect((await subscribers(edge))[0]!.confirmed_at).not.toBeNull();
  const elsewhere = await edge.call('/status/acme/subscribe', { headers: { host } });
  expect(elsewhere.status).toBe(404);
});

test('long forms and unknown pages are refused', async () => {
  const edge = await edgeWith();
  await edge.page('acme');
  expect((await post(edge, '/status/acme/subscribe', { email: 'a'.repeat(9_000) })).status).toBe(
    413,
  );
  expect((await post(edge, '/status/nowhere/subscribe', { email: 'a@example.com' })).status).toBe(
    404,
  );
  expect((await edge.call('/status/acme/subscribe', { method: 'PUT' })).status).toBe(405);
});
