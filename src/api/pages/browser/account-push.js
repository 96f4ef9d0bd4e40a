import { call, ApiError } from './api.js';
import { find, onPress, show, setText, messageOf } from './page.js';
import { canPush, currentPush, subscribe, unsubscribe } from './push.js';

const CHANNEL = '/v1/notification-channels/web_push';

/**
 * Push channel in the format of the API.
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
  await load().catch((error) => setText(find('push-state'), messageOf(error)));
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
    if (!success) throw new ApiError(0, { message });
    setText(find('push-tested'), message);
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
  setText(find('push-state'), isHere ? HERE : isOn ? ELSEWHERE : OFF);
  setText(find('push-tested'), '');
  show('push-on', !isHere);
  show('push-off', isOn);
  show('push-test', isHere);
}

const OFF = 'Off.';
const HERE = 'On in this browser.';
const ELSEWHERE =
  'On in another browser. Only one browser is notified at a time: turning it on here turns it off there.';
