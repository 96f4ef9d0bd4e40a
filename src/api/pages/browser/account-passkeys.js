import { withProof } from './account-proof.js';
import { call } from './api.js';
import { onSubmit } from './form.js';
import { find, findForm, show } from './page.js';
import { addPasskey, canUsePasskeys } from './passkeys.js';
import { showRows } from './rows.js';

export async function startPasskeys() {
  show('passkey', canUsePasskeys);
  show('no-passkeys', !canUsePasskeys);
  await load();
  onSubmit(findForm('passkey'), async (values) => {
    await withProof(() => addPasskey(String(values.get('name')).trim()));
    findForm('passkey').reset();
    await load();
  });
}

/** @typedef {{ id: string, name?: string | null, createdAt?: string | null }} Passkey */

async function load() {
  await showRows(
    find('passkeys'),
    async () => {
      /** @type {Passkey[]} */
      const passkeys = await call('GET', '/auth/passkey/list-user-passkeys');
      return passkeys.map(({ id, name, createdAt }) => ({
        title: name || 'Passkey',
        facts: createdAt ? [{ text: 'added', time: createdAt }] : [],
        action: {
          label: 'Remove',
          question: `Remove the passkey "${name || 'Passkey'}"? You can no longer sign in with it.`,
          act: async () => {
            await withProof(() => call('POST', '/auth/passkey/delete-passkey', { id }));
            await load();
          },
        },
      }));
    },
    'No passkey yet.',
  );
}
