import { call } from './api.js';
import { onSubmit } from './form.js';
import { find, findForm, show } from './page.js';
import { showRows } from './rows.js';

const DAY_MS = 86_400_000;

export async function startTokens() {
  await load();
  onSubmit(findForm('token-form'), async (values) => {
    show('new-token', false);
    const days = Number(values.get('expires_in'));
    const { token } = await call('POST', '/v1/tokens', {
      name: String(values.get('name')).trim(),
      permissions: values.getAll('permissions'),
      expires_at: days === 0 ? null : new Date(Date.now() + days * DAY_MS).toISOString(),
    });
    find('token').textContent = token;
    show('new-token');
    find('new-token').querySelector('p')?.focus();
    findForm('token-form').reset();
    await load();
  });
}

/** @typedef {{ id: number, name: string, permissions: string[], last_used_at: string | null, expires_at: string | null }} Token */

async function load() {
  await showRows(
    find('tokens'),
    async () => {
      /** @type {{ data: Token[] }} */
      const { data } = await call('GET', '/v1/tokens');
      return data.map(({ id, name, permissions, last_used_at, expires_at }) => ({
        title: name,
        facts: [
          { text: permissions.join(', ') },
          last_used_at === null
            ? { text: 'never used' }
            : { text: 'last used', time: last_used_at },
          expires_at === null ? { text: 'never expires' } : { text: 'expires', time: expires_at },
        ],
        action: {
          label: 'Revoke',
          question: `Revoke the token "${name}"? Programs that use it will be refused.`,
          act: async () => {
            await call('DELETE', `/v1/tokens/${id}`);
            await load();
          },
        },
      }));
    },
    'No token yet.',
  );
}
