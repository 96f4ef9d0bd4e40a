import { causeOf, headlineOf, lengthOf, stateOf, timeOf, troubleOf } from './alert-words.js';
import { call, Refusal } from './api.js';
import { onSubmit } from './form.js';
import { find, findForm, make, show, takeQuery, tell, wordsOf } from './page.js';
import { fieldMessage } from './words.js';

/** @import { Alert, Incident } from './alert-words.js' */

const query = takeQuery();
/** Kept with the tab: a phone that was busy with something else loads the page again. @type {string} */
const token = query.get('token') ?? history.state?.token ?? '';
history.replaceState({ token }, '');
const state = find('state');
/** More of them are a list to open, one by one. */
const MOST_OPENED = 3;

find('again').addEventListener('click', () => load(!isShown()));
onSubmit(findForm('acknowledge'), async () => {
  await call('POST', '/v1/alert-links/acknowledge', { token });
  await load();
  // The button is gone, and with it the focus.
  find('headline').focus();
});

// Who comes back to the page wants to know how it stands by now.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') void load(!isShown());
});

// From the button of a message: it may lie far down on a small screen.
if ((await load()) && query.has('acknowledge'))
  findForm('acknowledge').scrollIntoView({ block: 'center' });

function isShown() {
  return find('ready').hidden === false;
}

/**
 * Shows how the alert stands now.
 *
 * @param {boolean} [isFirst] else what is shown stays where there is no answer now, and is said to be old
 * @returns {Promise<boolean>} whether there is one
 */
async function load(isFirst = true) {
  show('again', false);
  if (token === '') {
    showTrouble('Open the link of the message once more.');
    return false;
  }
  try {
    showAlert(await call('GET', `/v1/alert-links?${new URLSearchParams({ token })}`));
    return true;
  } catch (error) {
    const words = fieldMessage(wordsOf(error), 'token', 'This link');
    const sentence = /[.!?]$/.test(words) ? words : `${words}.`;
    // What is wrong with the link itself does not get better.
    const mayPass = !(error instanceof Refusal) || error.status === 0 || error.status >= 429;
    if (isFirst || !mayPass) showTrouble(sentence);
    else {
      state.className = 'notice bad';
      tell(state, `What stands below may be out of date. ${sentence}`);
    }
    show('again', mayPass);
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
  tell(find('team'), `${alert.team} · sent to ${alert.sent_to}`);
  find('headline').textContent = headlineOf(alert);
  document.title = `${headlineOf(alert)} · Tocsin`;
  state.className = tone === 'neutral' ? 'notice' : `notice ${tone}`;
  const shared = alert.shared_cause === null ? '' : ` In common: ${alert.shared_cause}.`;
  tell(state, text + shared);
  show('acknowledge', alert.can_acknowledge);
  const button = findForm('acknowledge').querySelector('button');
  if (button !== null)
    button.textContent = alert.open_count > 1 ? 'Acknowledge all' : 'Acknowledge';
  show('may-not', !alert.can_acknowledge && alert.incidents.some(isWaiting));
  const items = alert.incidents.map((one) => itemOf(one, alert));
  find('incidents').replaceChildren(...items);
  const hidden = alert.incidents_count - alert.incidents.length;
  tell(find('more'), hidden > 0 ? `and ${hidden} more` : '');
  show('ready');
}

/** @param {Incident} incident */
function isWaiting({ ended_at, acknowledged_at }) {
  return ended_at === null && acknowledged_at === null;
}

/** @param {Incident} incident @param {Alert} alert that it belongs to */
function itemOf(incident, { incidents_count: count, timezone }) {
  const { id, monitor, type, started_at, ended_at } = incident;
  const tone = ended_at === null ? { class: 'bad' } : {};
  const cause = causeOf({ type, root_cause: incident.root_cause }, timezone);
  const facts = factsOf(incident, timezone).map(([name, value]) =>
    make('div', {}, [make('dt', { text: name }), make('dd', { text: value })]),
  );
  const body = [
    ...(cause === '' ? [] : [make('p', { text: cause })]),
    make('dl', { class: 'facts' }, facts),
  ];
  // Of one that is alone the name and how it stands are above.
  if (count === 1) return make('li', {}, body);
  const name = make('h2', { text: monitor });
  const what = troubleOf(incident);
  if (count <= MOST_OPENED)
    return make('li', {}, [name, make('p', { text: what, ...tone }), ...body]);
  const lasted = lengthOf(
    Date.parse(ended_at ?? new Date().toISOString()) - Date.parse(started_at),
  );
  const standing = make('span', { text: `${what}, ${lasted}`, ...tone });
  const summary = make('summary', {}, [name, standing]);
  const details = make('details', { id: `incident-${id}` }, [summary, ...body]);
  // One that somebody reads stays open.
  if (document.querySelector(`#${details.id}[open]`) !== null) details.setAttribute('open', '');
  return make('li', {}, [details]);
}

/** @param {Incident} incident @param {string | null} timezone @returns {[string, string][]} */
function factsOf(
  { monitor, url, type, regions, vantage, evidence, started_at, ended_at, ...rest },
  timezone,
) {
  const from = Date.parse(started_at);
  const to = ended_at === null ? from : Date.parse(ended_at);
  const { acknowledged_at, acknowledged_by } = rest;
  const acknowledged =
    acknowledged_at === null
      ? ''
      : `${acknowledged_by === null ? '' : `${acknowledged_by}, `}${timeOf(Date.parse(acknowledged_at), timezone)}`;
  const isInspected = type === 'ssl' || type === 'domain';
  /** @type {[string, string][]} */
  const facts = [
    [isInspected ? 'Noticed' : 'Since', timeOf(from, timezone)],
    ['Until', ended_at === null ? '' : timeOf(to, timezone)],
    ['Lasted', ended_at === null ? '' : lengthOf(to - from)],
    vantage === null ? ['Regions', regions.join(', ')] : ['Seen from', vantage],
    ['Evidence', evidence ?? ''],
    ['Address', url === null || url === monitor ? '' : url],
    ['Acknowledged', acknowledged],
  ];
  return facts.filter(([, value]) => value !== '');
}
