import { createElement, onPress, messageOf } from './page.js';
import { relativeTime } from './format.js';

/**
 * Entry of a list, with its facts and an optional action.
 *
 * @typedef {object} Row
 * @property {string} title
 * @property {{ text: string, time?: string }[]} facts `time` is ISO 8601
 * @property {{ label: string, question: string | null, act: () => Promise<void> } | null} action `question` is asked first
 */

/**
 * @param {HTMLElement} list
 * @param {() => Promise<Row[]>} read
 * @param {string} emptyText
 */
export async function showRows(list, read, emptyText) {
  /** @type {Row[]} */
  let rows;
  try {
    rows = await read();
  } catch (error) {
    list.replaceChildren(createElement('li', { class: 'bad', text: messageOf(error) }));
    return;
  }
  const items = rows.map(itemOf);
  list.replaceChildren(...(items.length > 0 ? items : [createElement('li', { text: emptyText })]));
}

/** @param {Row} row */
function itemOf({ title, facts, action }) {
  const parts = facts.map(({ text, time }) =>
    time === undefined
      ? createElement('span', { text })
      : createElement('span', { text: `${text} ` }, [timeOf(time)]),
  );
  const about = createElement('div', {}, [
    createElement('strong', { text: title }),
    createElement('div', { class: 'facts-line' }, parts),
  ]);
  return createElement('li', {}, action === null ? [about] : [about, buttonOf(action, title)]);
}

/** @param {string} iso */
function timeOf(iso) {
  const time = new Date(iso);
  return createElement('time', {
    datetime: iso,
    title: time.toLocaleString(),
    text: relativeTime(time.getTime(), Date.now()),
  });
}

/** @param {NonNullable<Row['action']>} action @param {string} title */
function buttonOf({ label, question, act }, title) {
  const button = /** @type {HTMLButtonElement} */ (
    createElement('button', { type: 'button', text: label, 'aria-label': `${label}: ${title}` })
  );
  onPress(button, async () => {
    if (question !== null && !confirm(question)) return;
    const list = button.closest('ul');
    await act();
    // The row with the focus was removed.
    if (!button.isConnected) list?.focus();
  });
  return button;
}
