/** Functions shared by all pages. */
import { ApiError } from './api.js';

/**
 * Finds an element of the page. Throws when it is missing.
 *
 * @param {string} id
 * @returns {HTMLElement}
 */
export function find(id) {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`There is no #${id} on this page.`);
  return element;
}

/** @param {string} id @returns {HTMLFormElement} */
export function findForm(id) {
  return /** @type {HTMLFormElement} */ (find(id));
}

/**
 * @param {string} tag
 * @param {Record<string, string>} attributes `text` is its content
 * @param {Node[]} children
 */
export function createElement(tag, { text = '', ...attributes } = {}, children = []) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...(text === '' ? [] : [text]), ...children);
  return element;
}

/** @param {string} id @param {boolean} [isShown] */
export function show(id, isShown = true) {
  find(id).hidden = !isShown;
}

/**
 * Sets the text of a status element; an empty text hides it.
 *
 * @param {HTMLElement} element
 * @param {string} text
 */
export function setText(element, text) {
  element.textContent = text;
  element.hidden = text === '';
}

/**
 * Path of a page, below the path of the installation.
 *
 * @param {string} page such as `account`
 * @returns {string}
 */
export function pathOf(page) {
  return new URL(page, location.href).pathname;
}

/** Message of an error for people. @param {unknown} error @returns {string} */
export function messageOf(error) {
  if (error instanceof ApiError) return error.message;
  console.error(error);
  return 'Something went wrong on this page. Load it again.';
}

/**
 * Reads the query and removes it from the address bar: it may contain a token, which should not stay in the history or
 * appear in screenshots.
 *
 * @returns {URLSearchParams}
 */
export function takeQuery() {
  const query = new URLSearchParams(location.search);
  if (location.search !== '') history.replaceState(null, '', location.pathname + location.hash);
  return query;
}

/**
 * Handles presses of a button, which is disabled meanwhile; errors are shown in the alert of its section.
 *
 * @param {HTMLButtonElement} button
 * @param {() => Promise<void>} act
 */
export function onPress(button, act) {
  button.addEventListener('click', async () => {
    const alert = button.closest('section')?.querySelector('[role=alert]:not(form *)');
    if (alert instanceof HTMLElement) setText(alert, '');
    button.disabled = true;
    try {
      await act();
    } catch (error) {
      if (alert instanceof HTMLElement) setText(alert, messageOf(error));
      else window.alert(messageOf(error));
    } finally {
      button.disabled = false;
    }
  });
}

/** Sets the user name of this page's passwords for password managers. @param {string} email */
export function setUsername(email) {
  for (const input of document.querySelectorAll('input[name=username]')) {
    if (input instanceof HTMLInputElement) input.value = email;
  }
}

/** Enables the buttons that copy the text of an element. */
export function enableCopying() {
  for (const element of document.querySelectorAll('[data-copy]')) {
    const button = /** @type {HTMLButtonElement} */ (element);
    button.addEventListener('click', async () => {
      const source = find(button.dataset['copy'] ?? '');
      const text = source.dataset['value'] ?? source.textContent ?? '';
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = 'Copied';
      } catch {
        // Without TLS browsers have no clipboard API: select the text to be copied by hand.
        getSelection()?.selectAllChildren(source);
        button.textContent = 'Selected: press Ctrl+C';
      }
    });
  }
}
