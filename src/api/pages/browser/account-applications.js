import { call } from './api.js';
import { accessText, destinationOf } from './connect-text.js';
import { find } from './page.js';
import { showRows } from './rows.js';

/**
 * @typedef {{
 *   id: number, name: string, host: string, team: { id: number, name: string }, permissions: string[],
 *   role_now: string | null, connected_at: string, last_used_at: string | null,
 * }} Application
 */

/** Shows the connected applications, and the address to enter in one. */
export async function startApplications() {
  find('tool-server').textContent = new URL('mcp', location.href).href;
  await load();
}

async function load() {
  await showRows(
    find('applications'),
    async () => {
      /** @type {{ data: Application[] }} */
      const { data } = await call('GET', '/v1/connected-applications');
      return data.map((application) => ({
        title: application.name,
        facts: factsOf(application),
        action: {
          label: 'Disconnect',
          question: `Disconnect "${application.name}" from the team ${application.team.name}? It loses access at once. To use it again, connect it anew.`,
          act: async () => {
            await call('DELETE', `/v1/connected-applications/${application.id}`);
            await load();
          },
        },
      }));
    },
    'No application is connected.',
  );
}

/** @param {Application} application */
function factsOf({ host, team, permissions, role_now, connected_at, last_used_at }) {
  return [
    { text: destinationOf(host) },
    { text: `team: ${team.name}` },
    { text: accessText(permissions, role_now) },
    { text: 'connected', time: connected_at },
    last_used_at === null ? { text: 'never used' } : { text: 'last used', time: last_used_at },
  ];
}
