// Tells whether a webhook comes from Tocsin. Node 20 or newer, nothing to install.
//
//     import { createServer } from 'node:http';
//     import { buffer } from 'node:stream/consumers';
//     import { isFromTocsin } from './webhook.mjs';
//
//     createServer(async (request, response) => {
//       const body = await buffer(request);
//       if (!isFromTocsin(request.headers, body, process.env.WEBHOOK_SECRET)) {
//         return response.writeHead(401).end();
//       }
//       console.log(JSON.parse(body).event);
//       response.writeHead(204).end();
//     }).listen(8080);

import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_SECONDS = 300;

/**
 * By the headers of Standard Webhooks, which sign the id and the time as well: what somebody recorded and sends again
 * later is refused. `headers` as Node has them, in lower case; `body` the bytes that came, not parsed.
 */
export function isFromTocsin(headers, body, secret, now = Date.now()) {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': sent = '' } = headers;
  if (!(Math.abs(now / 1000 - Number(time)) <= TOLERANCE_SECONDS)) return false;
  const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${time}.`).update(body).digest('base64');
  // While a secret is being replaced there are two.
  return sent.split(' ').some((one) => isSame(one, `v1,${signature}`));
}

/** The same by `X-Webhook-Signature`, which signs the body alone. Its key is the whole secret, `whsec_` included. */
export function hasPlainSignature(headers, body, secret) {
  const wanted = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const sent = [headers['x-webhook-signature'], headers['x-webhook-signature-previous']];
  return sent.some((one) => isSame(one ?? '', wanted));
}

/** What the base64 after `whsec_` stands for; of a secret that is written otherwise, its UTF-8 bytes. */
function keyOf(secret) {
  const encoded = secret.startsWith('whsec_') ? secret.slice(6) : '';
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(encoded) && encoded.length % 4 === 0;
  return isBase64 ? Buffer.from(encoded, 'base64') : secret;
}

function isSame(one, other) {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
