import { causeOf, headlineOf, lengthOf, stateOf, timeOf, problemOf } from './alert-text.js';
import { call, ApiError } from './api.js';
import { onSubmit } from './form.js';
import { find, findForm, createElement, show, takeQuery, setText, messageOf } from './page.js';
import { fieldMessage } from './format.js';

/** @import { Alert, Incident } from './alert-text.js' */

const query = takeQuery();
/** Kept in the tab's history, since phones reload pages that were in the background. @type {string} */
const token = query.get('token') ?? history.state?.token ?? '';
history.replaceState({ token }, '');
const state = find('state');
/** A longer list of incidents is collapsed. */
const MAX_OPENED = 3;

find('again').addEventListener('click', () => load(!isShown()));
onSubmit(findForm('acknowledge'), async () => {
  await call('POST', '/v1/alert-links/acknowledge', { token });
  await load();
  // The focused button was removed.
  find('headline').focus();
});

// Update when the page becomes visible again.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') void load(!isShown());
});

// Opened by the button of a message: the form may be below the fold on a small screen.
if ((await load()) && query.has('acknowledge'))
  findForm('acknowledge').scrollIntoView({ block: 'center' });

function isShown() {
  return find('ready').hidden === false;
}

/**
 * Loads and shows the alert.
 *
 * @param {boolean} [isFirst] false keeps the shown alert when loading fails, marked as possibly outdated
 * @returns {Promise<boolean>} true on success
 */
async function load(isFirst = true) {
  show('again', false);
  if (token === '') {
    showProblem('Open the link of the message once more.');
    return false;
  }
  try {
    showAlert(await call('GET', `/v1/alert-links?${new URLSearchParams({ token })}`));
    return true;
  } catch (error) {
    const words = fieldMessage(messageOf(error), 'token', 'This link');
    const sentence = /[.!?]$/.test(words) ? words : `${words}.`;
    // An invalid link can't be retried.
    const mayPass = !(error instanceof ApiError) || error.status === 0 || error.status >= 429;
    if (isFirst || !mayPass) showProblem(sentence);
    else {
      state.className = 'notice bad';
      setText(state, `This page may be out of date. ${sentence}`);
    }
    show('again', mayPass);
    return false;
  }
}

/** @param {string} text */
function showProblem(text) {
  show('ready', false);
  state.className = 'notice bad';
  setText(state, text);
}

/** @param {Alert} alert */
function showAlert(alert) {
  const { tone, text } = stateOf(alert, Date.now());
  setText(find('team'), `${alert.team} · sent to ${alert.sent_to}`);
  find('headline').textContent = headlineOf(alert);
  document.title = `${headlineOf(alert)} · Tocsin`;
  state.className = tone === 'neutral' ? 'notice' : `notice ${tone}`;
  const shared = alert.shared_cause === null ? '' : ` In common: ${alert.shared_cause}.`;
  setText(state, text + shared);
  show('acknowledge', alert.can_acknowledge);
  const button = findForm('acknowledge').querySelector('button');
  if (button !== null)
    button.textContent = alert.open_count > 1 ? 'Acknowledge all' : 'Acknowledge';
  show('may-not', !alert.can_acknowledge && alert.incidents.some(isWaiting));
  const items = alert.incidents.map((one) => itemOf(one, alert));
  find('incidents').replaceChildren(...items);
  const hidden = alert.incidents_count - alert.incidents.length;
  setText(find('more'), hidden > 0 ? `and ${hidden} more` : '');
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
    createElement('div', {}, [
      createElement('dt', { text: name }),
      createElement('dd', { text: value }),
    ]),
  );
  const body = [
    ...(cause === '' ? [] : [createElement('p', { text: cause })]),
    createElement('dl', { class: 'facts' }, facts),
  ];
  // A single incident's name and state are in the heading.
  if (count === 1) return createElement('li', {}, body);
  const name = createElement('h2', { text: monitor });
  const what = problemOf(incident);
  if (count <= MAX_OPENED)
    return createElement('li', {}, [name, createElement('p', { text: what, ...tone }), ...body]);
  const lasted = lengthOf(
    Date.parse(ended_at ?? new Date().toISOString()) - Date.parse(started_at),
  );
  const standing = createElement('span', { text: `${what}, ${lasted}`, ...tone });
  const summary = createElement('summary', {}, [name, standing]);
  const details = createElement('details', { id: `incident-${id}` }, [summary, ...body]);
  // Opened details stay open after an update.
  if (document.querySelector(`#${details.id}[open]`) !== null) details.setAttribute('open', '');
  return createElement('li', {}, [details]);
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
