import { Refusal } from './api.js';
import { tell, wordsOf } from './page.js';
import { fieldMessage } from './words.js';

/**
 * Sends a form by script: its button waits meanwhile, what was typed stays, and errors stand at their fields.
 *
 * @param {HTMLFormElement} form
 * @param {(values: FormData) => Promise<string | void>} send the text that it answers is shown as good news
 * @param {Record<string, string>} [fieldOfCode] the field that is meant by a code of the sign-in routes
 */
export function onSubmit(form, send, fieldOfCode = {}) {
  let isSending = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (isSending) return;
    isSending = true;
    const button = form.querySelector('button[type=submit]');
    // Of a disabled button the focus would go astray.
    button?.setAttribute('aria-disabled', 'true');
    form.setAttribute('aria-busy', 'true');
    clearErrors(form);
    try {
      const news = await send(new FormData(form));
      const place = form.querySelector(':scope > [role=status]');
      if (news && place instanceof HTMLElement) tell(place, news);
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
 * The new password of a form that asks for it twice. Throws a Refusal when they differ.
 *
 * @param {FormData} values
 * @param {string} name
 * @returns {string}
 */
export function newPassword(values, name) {
  const password = String(values.get(name));
  if (password === String(values.get('repeated_password'))) return password;
  throw new Refusal(422, {
    message: 'The two passwords differ.',
    errors: { repeated_password: ['The two passwords differ: type the same one twice.'] },
  });
}

/** The texts of fields, those that are empty left out. @param {FormData} values @param {string[]} names */
export function filled(values, names) {
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
    if (element instanceof HTMLElement) tell(element, '');
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
  const message = wordsOf(error);
  const left = [];
  for (const [name, texts] of Object.entries(errorsOf(error, message, fieldOfCode))) {
    if (!showAtField(form, name, texts)) left.push(...texts);
  }
  const invalid = form.querySelector('[aria-invalid]');
  const alert = form.querySelector(':scope > [role=alert]');
  const rest = invalid === null && left.length === 0 ? message : left.join(' ');
  if (alert instanceof HTMLElement) tell(alert, rest);
  if (invalid instanceof HTMLElement) invalid.focus();
}

/**
 * @param {unknown} error
 * @param {string} message
 * @param {Record<string, string>} fieldOfCode
 * @returns {Record<string, string[]>}
 */
function errorsOf(error, message, fieldOfCode) {
  if (!(error instanceof Refusal)) return {};
  const field = fieldOfCode[error.code];
  return field === undefined ? error.errors : { [field]: [message] };
}

/**
 * @param {HTMLFormElement} form
 * @param {string} name
 * @param {string[]} texts
 * @returns {boolean} whether there is one
 */
function showAtField(form, name, texts) {
  const field = form.querySelector(`[data-field="${CSS.escape(name.split('.', 1)[0] ?? '')}"]`);
  const place = field?.querySelector('.error');
  const input = field?.querySelector('input, select');
  if (!(place instanceof HTMLElement) || !(input instanceof HTMLElement)) return false;
  // Nobody sees what stands at a hidden field.
  if (input.closest('[hidden]') !== null) return false;
  const label = field?.querySelector('label, legend')?.firstChild?.textContent?.trim() ?? name;
  tell(place, texts.map((text) => fieldMessage(text, name, label)).join(' '));
  input.setAttribute('aria-invalid', 'true');
  return true;
}
