/** What the session alone does not prove: asked for in a dialog, then the action is repeated. */
import { call, ApiError } from './api.js';
import { onSubmit } from './form.js';
import { find, findForm, onPress, setText } from './page.js';

/** Dialogs by error codes of the sign-in routes. @type {Record<string, string>} */
const DIALOGS = { PROOF_NEEDED: 'proof', ENROLLMENT_CODE_NEEDED: 'enrollment' };

/** Ends the dialog that is open. @type {(isProven: boolean) => void} */
let settle = () => {};

/**
 * Runs the action, and again after the person has proven who they are.
 *
 * @template Value
 * @param {() => Promise<Value>} action
 * @returns {Promise<Value>} rejects with the refusal when the dialog is closed
 */
export async function withProof(action) {
  try {
    return await action();
  } catch (error) {
    const dialog = error instanceof ApiError ? DIALOGS[error.code] : undefined;
    if (dialog === undefined) throw error;
    setText(find(`${dialog}-why`), /** @type {ApiError} */ (error).message);
    if (!(await ask(dialog))) throw error;
    return withProof(action);
  }
}

/** @param {string} id @returns {Promise<boolean>} false when it was closed */
function ask(id) {
  const dialog = /** @type {HTMLDialogElement} */ (find(id));
  findForm(`${id}-form`).reset();
  dialog.showModal();
  return new Promise((resolve) => {
    settle = (isProven) => {
      resolve(isProven);
      dialog.close();
    };
    dialog.addEventListener('close', () => resolve(false), { once: true });
  });
}

export function startProof() {
  onSubmit(
    findForm('proof-form'),
    async (values) => {
      const code = String(values.get('code')).replaceAll(/\D/g, '');
      const password = values.get('password');
      await (code === ''
        ? call('POST', '/auth/confirm-password', { password })
        : call('POST', '/auth/two-factor/verify-totp', { code }));
      settle(true);
    },
    { INVALID_PASSWORD: 'password', INVALID_CODE: 'code', CODE_USED: 'code' },
  );
  onSubmit(
    findForm('enrollment-form'),
    async (values) => {
      await call('POST', '/auth/two-factor/confirm-enrollment-code', { code: values.get('code') });
      settle(true);
    },
    { INVALID_CODE: 'code' },
  );
  onPress(/** @type {HTMLButtonElement} */ (find('send-enrollment-code')), async () => {
    await call('POST', '/auth/two-factor/send-enrollment-code', {});
    setText(find('enrollment-sent'), 'The code is on its way. It works for 15 minutes.');
    find('enrollment-code').focus();
  });
  for (const button of document.querySelectorAll('[data-close]')) {
    button.addEventListener('click', () => settle(false));
  }
}
