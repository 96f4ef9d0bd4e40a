import { call, Refusal } from './api.js';
import { find, onPress, show, tell, wordsOf } from './page.js';
import { canPush, currentPush, subscribe, unsubscribe } from './push.js';

const CHANNEL = '/v1/notification-channels/web_push';

/**
 * As the API shows it.
 *
 * @typedef {object} PushChannel
 * @property {boolean} configured
 * @property {boolean} enabled
 * @property {string} public_key
 * @property {{ p256dh: string | null } | null} settings
 */

export async function startPush() {
  show('no-push', !canPush);
  show('push', canPush);
  if (!canPush) return;
  await load().catch((error) => tell(find('push-state'), wordsOf(error)));
  onPress(button('push-on'), async () => {
    const { public_key: publicKey } = await read();
    const settings = await subscribe(publicKey);
    await call('PUT', CHANNEL, { enabled: true, settings });
    await load();
  });
  onPress(button('push-off'), async () => {
    await call('DELETE', CHANNEL);
    await unsubscribe();
    await load();
  });
  onPress(button('push-test'), async () => {
    const { success, message } = await call('POST', `${CHANNEL}/test`);
    if (!success) throw new Refusal(0, { message });
    tell(find('push-tested'), message);
  });
}

/** @param {string} id */
function button(id) {
  return /** @type {HTMLButtonElement} */ (find(id));
}

/** @returns {Promise<PushChannel>} */
function read() {
  return call('GET', CHANNEL);
}

async function load() {
  const [channel, own] = await Promise.all([read(), currentPush()]);
  const isOn = channel.configured && channel.enabled;
  const isHere = isOn && own !== null && own.p256dh === channel.settings?.p256dh;
  tell(find('push-state'), isHere ? HERE : isOn ? ELSEWHERE : OFF);
  tell(find('push-tested'), '');
  show('push-on', !isHere);
  show('push-off', isOn);
  show('push-test', isHere);
}

const OFF = 'It is off.';
const HERE = 'It is on in this browser.';
const ELSEWHERE =
  'It is on in another browser. Turned on here, it is off there: one browser is told at a time.';
