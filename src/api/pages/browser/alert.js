import { headlineOf, lengthOf, stateOf, troubleOf } from './alert-words.js';
import { call, Refusal } from './api.js';
import { onSubmit } from './form.js';
import { find, findForm, make, show, takeQuery, tell, wordsOf } from './page.js';
import { fieldMessage } from './words.js';

/** @import { Alert, Incident } from './alert-words.js' */

const query = takeQuery();
const token = query.get('token') ?? '';
const state = find('state');

find('again').addEventListener('click', load);
onSubmit(findForm('acknowledge'), async () => {
  await call('POST', '/v1/alert-links/acknowledge', { token });
  await load();
  // The button is gone, and with it the focus.
  find('headline').focus();
});

// From the button of a message: it may lie far down on a small screen.
if ((await load()) && query.has('acknowledge'))
  findForm('acknowledge').scrollIntoView({ block: 'center' });

/** Shows how the alert stands now. @returns {Promise<boolean>} whether there is one */
async function load() {
  show('again', false);
  if (token === '') {
    showTrouble('Open the link of the message once more.');
    return false;
  }
  try {
    showAlert(await call('GET', `/v1/alert-links?${new URLSearchParams({ token })}`));
    return true;
  } catch (error) {
    showTrouble(fieldMessage(wordsOf(error), 'token', 'This link'));
    // What is wrong with the link itself does not get better.
    show('again', !(error instanceof Refusal) || error.status === 0 || error.status >= 429);
    return false;
  }
}

/** @param {string} text */
function showTrouble(text) {
  show('ready', false);
  state.className = 'notice bad';
  tell(state, text);
}

/** @param {Alert} alert */
function showAlert(alert) {
  const { tone, text } = stateOf(alert, Date.now());
  tell(find('team'), alert.team);
  find('headline').textContent = headlineOf(alert);
  document.title = `${headlineOf(alert)} · Tocsin`;
  state.className = tone === 'neutral' ? 'notice' : `notice ${tone}`;
  const shared = alert.shared_cause === null ? '' : ` In common: ${alert.shared_cause}.`;
  tell(state, text + shared);
  show('acknowledge', alert.can_acknowledge);
  show('may-not', !alert.can_acknowledge && alert.incidents.some(isWaiting));
  // One that is alone has its name above.
  const isAlone = alert.incidents_count === 1;
  const items = alert.incidents.map((one) => itemOf(one, isAlone));
  find('incidents').replaceChildren(...items);
  const hidden = alert.incidents_count - alert.incidents.length;
  tell(find('more'), hidden > 0 ? `and ${hidden} more` : '');
  show('ready');
}

/** @param {Incident} incident */
function isWaiting({ ended_at, acknowledged_at }) {
  return ended_at === null && acknowledged_at === null;
}

/** @param {Incident} incident @param {boolean} isAlone */
function itemOf(incident, isAlone) {
  const { monitor, root_cause, ended_at } = incident;
  const what = make('p', { text: troubleOf(incident), ...(ended_at === null && { class: 'bad' }) });
  const cause = root_cause === null ? [] : [make('p', { text: root_cause })];
  const facts = factsOf(incident).map(([name, value]) =>
    make('div', {}, [make('dt', { text: name }), make('dd', { text: value })]),
  );
  return make('li', {}, [
    ...(isAlone ? [] : [make('h2', { text: monitor })]),
    what,
    ...cause,
    make('dl', { class: 'facts' }, facts),
  ]);
}

/** @param {Incident} incident @returns {[string, string][]} */
function factsOf({ monitor, url, regions, evidence, started_at, ended_at, ...rest }) {
  const length = lengthOf(
    Date.parse(ended_at ?? new Date().toISOString()) - Date.parse(started_at),
  );
  const { acknowledged_at, acknowledged_by } = rest;
  const acknowledged =
    acknowledged_at === null
      ? ''
      : `${acknowledged_by === null ? '' : `${acknowledged_by}, `}${timeOf(acknowledged_at)}`;
  /** @type {[string, string][]} */
  const facts = [
    ['Since', timeOf(started_at)],
    ['Until', ended_at === null ? '' : timeOf(ended_at)],
    ['Lasted', ended_at === null ? '' : length],
    ['Regions', regions.join(', ')],
    ['Seen', evidence ?? ''],
    ['Address', url === null || url === monitor ? '' : url],
    ['Acknowledged', acknowledged],
  ];
  return facts.filter(([, value]) => value !== '');
}

/** In the zone of whoever reads it. @param {string} time */
function timeOf(time) {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
