import { make, onPress, wordsOf } from './page.js';
import { relativeTime } from './words.js';

/**
 * One entry of a list: what it is, what is known about it, and what can be done.
 *
 * @typedef {object} Row
 * @property {string} title
 * @property {{ words: string, time?: string }[]} facts `time` is ISO 8601
 * @property {{ label: string, question: string | null, act: () => Promise<void> } | null} action `question` is asked first
 */

/**
 * @param {HTMLElement} list
 * @param {() => Promise<Row[]>} read
 * @param {string} emptyWords
 */
export async function showRows(list, read, emptyWords) {
  /** @type {Row[]} */
  let rows;
  try {
    rows = await read();
  } catch (error) {
    list.replaceChildren(make('li', { class: 'bad', text: wordsOf(error) }));
    return;
  }
  const items = rows.map(itemOf);
  list.replaceChildren(...(items.length > 0 ? items : [make('li', { text: emptyWords })]));
}

/** @param {Row} row */
function itemOf({ title, facts, action }) {
  const parts = facts.map(({ words, time }) =>
    time === undefined
      ? make('span', { text: words })
      : make('span', { text: `${words} ` }, [timeOf(time)]),
  );
  const about = make('div', {}, [
    make('strong', { text: title }),
    make('div', { class: 'facts-line' }, parts),
  ]);
  return make('li', {}, action === null ? [about] : [about, buttonOf(action, title)]);
}

/** @param {string} iso */
function timeOf(iso) {
  const time = new Date(iso);
  return make('time', {
    datetime: iso,
    title: time.toLocaleString(),
    text: relativeTime(time.getTime(), Date.now()),
  });
}

/** @param {NonNullable<Row['action']>} action @param {string} title */
function buttonOf({ label, question, act }, title) {
  const button = /** @type {HTMLButtonElement} */ (
    make('button', { type: 'button', text: label, 'aria-label': `${label}: ${title}` })
  );
  onPress(button, async () => {
    if (question !== null && !confirm(question)) return;
    const list = button.closest('ul');
    await act();
    // Its row is gone, and the focus would be with it.
    if (!button.isConnected) list?.focus();
  });
  return button;
}
