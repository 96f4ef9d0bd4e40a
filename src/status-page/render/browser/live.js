// Keeps a public page current, says how old it is, names the day under the pointer and searches long lists. The page is whole
// without it.
const REFRESH_MS = 60_000;
const AGE_MS = 5_000;
/** Time without an answer after which what is shown may not hold any more. */
const AWAY_MS = 200_000;
const { lang } = document.documentElement;
const one = (/** @type {string} */ selector, /** @type {ParentNode} */ root = document) =>
  /** @type {HTMLElement | null} */ (root.querySelector(selector));
const all = (/** @type {string} */ selector, /** @type {ParentNode} */ root = document) =>
  /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)]);
let askedAt = Date.now();
let answeredAt = askedAt;

function showAge() {
  document.body.classList.toggle('away', Date.now() - answeredAt > AWAY_MS);
  const asOf = one('.asof');
  const { at, ago } = asOf?.dataset ?? {};
  if (asOf === null || at === undefined || ago === undefined) return;
  asOf.title ||= asOf.textContent ?? '';
  const seconds = Math.max(0, Math.round((Date.now() - Number(at)) / 1_000));
  const [value, unit] =
    seconds < 60
      ? [seconds, 'second']
      : seconds < 3_600
        ? [Math.floor(seconds / 60), 'minute']
        : seconds < 172_800
          ? [Math.floor(seconds / 3_600), 'hour']
          : [Math.floor(seconds / 86_400), 'day'];
  const age = new Intl.RelativeTimeFormat(lang).format(-value, /** @type {'second'} */ (unit));
  asOf.textContent = ago.replace('$', age);
}

/** What a visitor folded or unfolded, by name, stays so. */
const folds = new Map();
const nameOf = (/** @type {Element} */ summary) =>
  (one('.name', summary.closest('.svc') ?? summary) ?? summary.firstElementChild)?.textContent;

async function refresh() {
  askedAt = Date.now();
  const answer = await fetch(location.href, { cache: 'no-cache' });
  if (!answer.ok) return;
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const [main, fresh] = [one('main'), one('main', next)];
  if (main === null || fresh === null) return;
  answeredAt = Date.now();
  const active = document.activeElement;
  const focused = all('summary', main).findIndex((summary) => summary === active);
  // What is typed stays typed.
  for (const part of ['#updates', '.find']) {
    const former = one(part, main);
    if (former !== null) one(part, fresh)?.replaceWith(former);
  }
  main.replaceChildren(...fresh.childNodes);
  for (const summary of all('summary', main)) {
    const isOpen = folds.get(nameOf(summary));
    if (isOpen !== undefined) summary.parentElement?.toggleAttribute('open', isOpen);
  }
  const focus = main.contains(active) ? active : all('summary', main)[focused];
  if (focus instanceof HTMLElement) focus.focus({ preventScroll: true });
  for (const part of ['.sprite', 'link[rel=icon]', 'title']) {
    const found = one(part, next);
    if (found !== null) one(part)?.replaceWith(found);
  }
  search();
  showAge();
}

const lower = (/** @type {string | null | undefined} */ text) =>
  (text ?? '').trim().toLocaleLowerCase(lang);

/** Shows the services whose names have what is searched for, in groups that are unfolded meanwhile. */
function search() {
  const find = one('.find');
  const [input, status] = [find && one('input', find), find && one('p', find)];
  if (find === null || status === null || !(input instanceof HTMLInputElement)) return;
  find.hidden = false;
  const wanted = lower(input.value);
  for (const service of all('.svc')) {
    service.hidden = !lower(one('.name', service)?.textContent).includes(wanted);
  }
  for (const group of all('.group')) {
    const was = (group.dataset['was'] ??= String(group.hasAttribute('open')));
    group.hidden = one('.svc:not([hidden])', group) === null;
    group.toggleAttribute('open', wanted !== '' || was === 'true');
  }
  status.textContent = one('.svc:not([hidden])') === null ? (status.dataset['none'] ?? '') : '';
}

/** Classes of the days of a bar, whose paths are runs of days: `M3 16h2m4 0h1`. */
function classesOf(/** @type {Element} */ bar) {
  /** @type {string[]} */
  const classes = [];
  for (const path of all('path', bar)) {
    let x = 0;
    for (const [, move, run] of (path.getAttribute('d') ?? '').matchAll(/m(\d+) [\d.]+h(\d+)/gi)) {
      x += Number(move);
      const end = x + Number(run);
      for (; x < end; x++) classes[x] = path.getAttribute('class') ?? '';
    }
  }
  return classes;
}

const unit = (/** @type {number} */ count, /** @type {string} */ name) =>
  new Intl.NumberFormat(lang, { style: 'unit', unit: name }).format(count);

function lasting(/** @type {number} */ minutes) {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (minutes === 0) return `< ${unit(1, 'minute')}`;
  return [hours && unit(hours, 'hour'), rest && unit(rest, 'minute')].filter(Boolean).join(' ');
}

/** The day of a bar that an event is at, and what is known of it. */
function dayAt(/** @type {Event} */ event) {
  const bar = event.target instanceof Element ? event.target.closest('.svc .bar') : null;
  const service = bar?.closest('.svc');
  const { from, days: count, what } = one('.services')?.dataset ?? {};
  if (bar === null || !(service instanceof HTMLElement) || !(event instanceof MouseEvent)) return;
  const { left, width } = bar.getBoundingClientRect();
  const days = Number(count);
  const index = Math.min(days - 1, Math.floor(((event.clientX - left) / width) * days));
  const date = new Date(`${from}T12:00Z`);
  date.setUTCDate(date.getUTCDate() + index);
  const place = String(all('.svc').indexOf(service));
  const titles = (what ?? '').split('\n').flatMap((line) => {
    const [first, last, services = '', ...title] = line.split(' ');
    const isOfService = services === '' || services.split(',').includes(place);
    return Number(first) <= index && index <= Number(last) && isOfService ? title.join(' ') : [];
  });
  const classes = classesOf(bar);
  const dayClass = classes[index] ?? '';
  // Minutes are those of the days with downtime, in their order.
  const rank = classes.slice(0, index).filter((name) => name === 'd').length;
  const minutes = (service.dataset['m'] ?? '').split(' ')[rank];
  const legend = all('.legend span').find((span) => one(`path.${dayClass}`, span));
  const text = [
    // English dates are British, as in the document.
    date.toLocaleDateString(lang === 'en' ? 'en-GB' : lang, {
      day: 'numeric',
      month: 'short',
      timeZone: 'UTC',
    }),
    legend?.textContent?.trim(),
    dayClass === 'd' && lasting(Number(minutes)),
  ];
  return {
    bar,
    date,
    key: `${place} ${index}`,
    isEventful: titles.length > 0 || (dayClass !== 'u' && dayClass !== 'n'),
    text: [text.filter(Boolean).join(' · '), ...titles].join('\n'),
    x: left + ((index + 0.4) / days) * width,
  };
}

const tip = document.createElement('div');
tip.className = 'tip';
tip.hidden = true;
document.body.append(tip);
let shown = '';

function showTip(/** @type {ReturnType<typeof dayAt>} */ day) {
  tip.hidden = day === undefined;
  shown = day?.key ?? '';
  if (day === undefined) return;
  tip.textContent = day.text;
  const room = innerWidth - tip.offsetWidth - 8;
  tip.style.left = `${Math.max(8, Math.min(room, day.x - tip.offsetWidth / 2))}px`;
  tip.style.top = `${day.bar.getBoundingClientRect().top - tip.offsetHeight - 6}px`;
}

const attempt = () => void refresh().catch(() => {});
addEventListener('pointermove', (event) => {
  if (event.pointerType !== 'touch') showTip(dayAt(event));
});
addEventListener('scroll', () => showTip(undefined), { passive: true });
addEventListener('input', search);
addEventListener('click', (event) => {
  const summary = event.target instanceof Element ? event.target.closest('summary') : null;
  if (summary) {
    // Before it folds or unfolds.
    const isOpen = summary.parentElement?.hasAttribute('open') !== true;
    folds.set(nameOf(summary), isOpen);
    if (summary.parentElement?.dataset['was'])
      summary.parentElement.dataset['was'] = String(isOpen);
  }
  const day = dayAt(event);
  const history = one('.past .all a')?.getAttribute('href');
  // A finger has no pointer that shows a day before it opens it.
  const isFirstTouch =
    event instanceof PointerEvent && event.pointerType === 'touch' && shown !== day?.key;
  if (isFirstTouch) return showTip(day);
  if (day === undefined || history == null || !day.isEventful) return;
  const month = day.date.toISOString().slice(0, 7);
  location.assign(`${history.replace(/[^/]+$/, month)}#d${day.date.getUTCDate()}`);
});
// On paper, a time says more than how long ago it was.
addEventListener('beforeprint', () => {
  const asOf = one('.asof');
  if (asOf?.title) asOf.textContent = asOf.title;
});
setInterval(showAge, AGE_MS);
setInterval(() => document.hidden || attempt(), REFRESH_MS);
addEventListener('visibilitychange', () => {
  if (!document.hidden && Date.now() - askedAt > REFRESH_MS) attempt();
});
search();
showAge();
