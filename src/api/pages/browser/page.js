/** What the scripts of all pages share. */
import { Refusal } from './api.js';

/**
 * An element of the page, which its HTML promises.
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
export function make(tag, { text = '', ...attributes } = {}, children = []) {
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
 * A sentence where the page tells how it stands; none takes the place away.
 *
 * @param {HTMLElement} element
 * @param {string} text
 */
export function tell(element, text) {
  element.textContent = text;
  element.hidden = text === '';
}

/**
 * Of a page of ours, below the path of the installation where it has one.
 *
 * @param {string} page such as `account`
 * @returns {string}
 */
export function pathOf(page) {
  return new URL(page, location.href).pathname;
}

/** What went wrong, in words. @param {unknown} error @returns {string} */
export function wordsOf(error) {
  if (error instanceof Refusal) return error.message;
  console.error(error);
  return 'Something went wrong on this page. Load it again.';
}

/**
 * The query of the address, which is taken out of the address bar: it may hold a token, and should not stay in the
 * history or in a screenshot.
 *
 * @returns {URLSearchParams}
 */
export function takeQuery() {
  const query = new URLSearchParams(location.search);
  if (location.search !== '') history.replaceState(null, '', location.pathname + location.hash);
  return query;
}

/**
 * Does something at each press of a button, which waits meanwhile; what goes wrong is told in the alert of its section.
 *
 * @param {HTMLButtonElement} button
 * @param {() => Promise<void>} act
 */
export function onPress(button, act) {
  button.addEventListener('click', async () => {
    const alert = button.closest('section')?.querySelector('[role=alert]:not(form *)');
    if (alert instanceof HTMLElement) tell(alert, '');
    button.disabled = true;
    try {
      await act();
    } catch (error) {
      if (alert instanceof HTMLElement) tell(alert, wordsOf(error));
      else window.alert(wordsOf(error));
    } finally {
      button.disabled = false;
    }
  });
}

/** Tells password managers whose the passwords of this page are. @param {string} email */
export function nameAccount(email) {
  for (const input of document.querySelectorAll('input[name=username]')) {
    if (input instanceof HTMLInputElement) input.value = email;
  }
}

/** Copies what an element says when the button that names it is pressed. */
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
        // Without TLS browsers give no clipboard: then it is marked, to be copied by hand.
        getSelection()?.selectAllChildren(source);
        button.textContent = 'Marked: press Ctrl+C';
      }
    });
  }
}
