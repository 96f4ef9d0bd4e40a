// Keeps a public page current, says how old it is, and names the day under the pointer. The page is whole without it.
const REFRESH_MS = 60_000;
const AGE_MS = 5_000;
const { lang } = document.documentElement;
const all = (/** @type {string} */ selector, /** @type {ParentNode} */ root = document) => [
  ...root.querySelectorAll(selector),
];
let askedAt = Date.now();

function showAge() {
  const asOf = document.querySelector('.asof');
  if (!(asOf instanceof HTMLElement) || document.hidden) return;
  const text = (asOf.dataset['text'] ??= asOf.textContent ?? '');
  const seconds = Math.max(0, Math.round((Date.now() - Number(asOf.dataset['at'])) / 1_000));
  const [value, unit] =
    seconds < 60
      ? [seconds, 'second']
      : seconds < 3_600
        ? [Math.floor(seconds / 60), 'minute']
        : [Math.floor(seconds / 3_600), 'hour'];
  const age = new Intl.RelativeTimeFormat(lang).format(-value, /** @type {'second'} */ (unit));
  asOf.textContent = `${text} · ${age}`;
}

async function refresh() {
  askedAt = Date.now();
  const answer = await fetch(location.href, { cache: 'no-cache' });
  if (!answer.ok) return;
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const [main, fresh] = [document.querySelector('main'), next.querySelector('main')];
  if (main === null || fresh === null) return;
  // What a visitor opened stays open, and what is typed stays typed.
  const opened = all('details', main).map((one) => one.hasAttribute('open'));
  const focused = all('summary', main).findIndex((one) => one === document.activeElement);
  const form = main.querySelector('#updates');
  if (form !== null) fresh.querySelector('#updates')?.replaceWith(form);
  main.replaceChildren(...fresh.childNodes);
  for (const [index, one] of all('details', main).entries()) {
    one.toggleAttribute('open', opened[index] === true);
  }
  const summary = all('summary', main)[focused];
  if (summary instanceof HTMLElement) summary.focus();
  for (const part of ['.sprite', 'link[rel=icon]', 'title']) {
    const found = next.querySelector(part);
    if (found !== null) document.querySelector(part)?.replaceWith(found);
  }
  showAge();
}

/** Class of a day in a bar, whose paths are runs of days: `M3 16h2m4 0h1`. */
function classOf(/** @type {Element} */ bar, /** @type {number} */ day) {
  for (const path of all('path', bar)) {
    let x = 0;
    for (const [, move, run] of (path.getAttribute('d') ?? '').matchAll(/m(\d+) [\d.]+h(\d+)/gi)) {
      x += Number(move);
      if (day >= x && day < x + Number(run)) return path.getAttribute('class');
      x += Number(run);
    }
  }
  return null;
}

/** The day of a bar that an event is at. */
function dayAt(/** @type {Event} */ event) {
  const bar = event.target instanceof Element ? event.target.closest('.svc .bar') : null;
  const services = bar?.closest('[data-from]');
  if (bar == null || services == null || !(event instanceof MouseEvent)) return null;
  const { left, width } = bar.getBoundingClientRect();
  const days = Number(services.getAttribute('data-days'));
  const index = Math.min(days - 1, Math.floor(((event.clientX - left) / width) * days));
  const date = new Date(`${services.getAttribute('data-from')}T12:00Z`);
  date.setUTCDate(date.getUTCDate() + index);
  return { bar, date, dayClass: classOf(bar, index), x: left + ((index + 0.4) / days) * width };
}

const tip = document.createElement('div');
tip.className = 'tip';
tip.hidden = true;
document.body.append(tip);

addEventListener('pointermove', (event) => {
  const day = dayAt(event);
  tip.hidden = day === null;
  if (day === null) return;
  const legend = all('.legend span').find((one) => one.querySelector(`path.${day.dayClass}`));
  const date = day.date.toLocaleDateString(lang, {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
  tip.textContent = [date, legend?.textContent?.trim()].filter(Boolean).join(' · ');
  const room = innerWidth - tip.offsetWidth - 8;
  tip.style.left = `${Math.max(8, Math.min(room, day.x - tip.offsetWidth / 2))}px`;
  tip.style.top = `${day.bar.getBoundingClientRect().top - tip.offsetHeight - 6}px`;
});
addEventListener('click', (event) => {
  const day = dayAt(event);
  const history = document.querySelector('.past .all a')?.getAttribute('href');
  if (day === null || history == null || day.dayClass === 'u') return;
  location.assign(history.replace(/[^/]+$/, day.date.toISOString().slice(0, 7)));
});

const attempt = () => void refresh().catch(() => {});
setInterval(showAge, AGE_MS);
setInterval(() => document.hidden || attempt(), REFRESH_MS);
addEventListener('visibilitychange', () => {
  if (!document.hidden && Date.now() - askedAt > REFRESH_MS) attempt();
});
showAge();
