import { ApiError } from './api.js';
import { setText, messageOf } from './page.js';
import { fieldMessage } from './format.js';

/**
 * Submits a form by script: disables its button while sending, keeps the input, and shows errors at their fields.
 *
 * @param {HTMLFormElement} form
 * @param {(values: FormData) => Promise<string | void>} send its result is shown as a success message
 * @param {Record<string, string>} [fieldOfCode] fields by error codes of the sign-in routes
 */
export function onSubmit(form, send, fieldOfCode = {}) {
  let isSending = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (isSending) return;
    isSending = true;
    const button = form.querySelector('button[type=submit]');
    // A disabled button would lose the focus.
    button?.setAttribute('aria-disabled', 'true');
    form.setAttribute('aria-busy', 'true');
    clearErrors(form);
    try {
      const message = await send(new FormData(form));
      const place = form.querySelector(':scope > [role=status]');
      if (message && place instanceof HTMLElement) setText(place, message);
    } catch (error) {
      showErrors(form, error, fieldOfCode);
    } finally {
      isSending = false;
      button?.removeAttribute('aria-disabled');
      form.removeAttribute('aria-busy');
    }
  });
}

/**
 * Reads the new password of a form that asks for it twice. Throws an ApiError when they differ.
 *
 * @param {FormData} values
 * @param {string} name
 * @returns {string}
 */
export function newPassword(values, name) {
  const password = String(values.get(name));
  if (password === String(values.get('repeated_password'))) return password;
  throw new ApiError(422, {
    message: 'The two passwords differ.',
    errors: { repeated_password: ['The two passwords differ: type the same one twice.'] },
  });
}

/** Values of the fields that are not empty. @param {FormData} values @param {string[]} names */
export function filledFields(values, names) {
  /** @type {Record<string, string>} */
  const texts = {};
  for (const name of names) {
    const text = String(values.get(name) ?? '').trim();
    if (text !== '') texts[name] = text;
  }
  return texts;
}

/** @param {HTMLFormElement} form */
function clearErrors(form) {
  for (const element of form.querySelectorAll('.error, :scope > .notice[role]')) {
    if (element instanceof HTMLElement) setText(element, '');
  }
  for (const input of form.querySelectorAll('[aria-invalid]'))
    input.removeAttribute('aria-invalid');
}

/**
 * @param {HTMLFormElement} form
 * @param {unknown} error
 * @param {Record<string, string>} fieldOfCode
 */
function showErrors(form, error, fieldOfCode) {
  const message = messageOf(error);
  const left = [];
  for (const [name, texts] of Object.entries(errorsOf(error, message, fieldOfCode))) {
    if (!showAtField(form, name, texts)) left.push(...texts);
  }
  const invalid = form.querySelector('[aria-invalid]');
  const alert = form.querySelector(':scope > [role=alert]');
  const rest = invalid === null && left.length === 0 ? message : left.join(' ');
  if (alert instanceof HTMLElement) setText(alert, rest);
  if (invalid instanceof HTMLElement) invalid.focus();
}

/**
 * @param {unknown} error
 * @param {string} message
 * @param {Record<string, string>} fieldOfCode
 * @returns {Record<string, string[]>}
 */
function errorsOf(error, message, fieldOfCode) {
  if (!(error instanceof ApiError)) return {};
  const field = fieldOfCode[error.code];
  return field === undefined ? error.errors : { [field]: [message] };
}

/**
 * @param {HTMLFormElement} form
 * @param {string} name
 * @param {string[]} texts
 * @returns {boolean} false when the form has no such visible field
 */
function showAtField(form, name, texts) {
  const field = form.querySelector(`[data-field="${CSS.escape(name.split('.', 1)[0] ?? '')}"]`);
  const place = field?.querySelector('.error');
  const input = field?.querySelector('input, select');
  if (!(place instanceof HTMLElement) || !(input instanceof HTMLElement)) return false;
  // An error at a hidden field would not be visible.
  if (input.closest('[hidden]') !== null) return false;
  const label = field?.querySelector('label, legend')?.firstChild?.textContent?.trim() ?? name;
  setText(place, texts.map((text) => fieldMessage(text, name, label)).join(' '));
  input.setAttribute('aria-invalid', 'true');
  return true;
}
