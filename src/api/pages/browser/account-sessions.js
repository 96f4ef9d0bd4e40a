import { call } from './api.js';
import { find, onPress } from './page.js';
import { showRows } from './rows.js';
import { agentName } from './format.js';

/** @type {Record<string, string | undefined>} */
const METHODS = {
  password: 'by password',
  passkey: 'by passkey',
  oidc: 'by single sign-on',
  github: 'by GitHub',
  google: 'by Google',
};

let isStarted = false;

/** Shows the sessions; can be called again to update them. */
export async function startSessions() {
  if (!isStarted) {
    isStarted = true;
    onPress(/** @type {HTMLButtonElement} */ (find('end-others')), async () => {
      await call('DELETE', '/v1/sessions');
      await load();
    });
  }
  await load();
}

/** @typedef {{ id: number, method: string, ip_address: string | null, user_agent: string | null, is_current: boolean, last_used_at: string | null, created_at: string }} Session */

async function load() {
  await showRows(
    find('sessions'),
    async () => {
      /** @type {{ data: Session[] }} */
      const { data } = await call('GET', '/v1/sessions');
      return data.map((session) => ({
        title: agentName(session.user_agent) + (session.is_current ? ' (this one)' : ''),
        facts: [
          { text: METHODS[session.method] ?? session.method },
          ...(session.ip_address === null ? [] : [{ text: `from ${session.ip_address}` }]),
          { text: 'last used', time: session.last_used_at ?? session.created_at },
        ],
        action: session.is_current
          ? null
          : {
              label: 'End',
              question: null,
              act: async () => {
                await call('DELETE', `/v1/sessions/${session.id}`);
                await load();
              },
            },
      }));
    },
    'No session.',
  );
}
