import type { PageIdentity, PageLanguage } from '../facts/model.ts';
import { addressOf, DOCUMENTS, feedsFrom, linkBetween } from '../facts/urls.ts';
import { assetPath, sprite } from './assets.ts';
import { brandClasses, logo, ownerLinks, ownStyle, socialImage, tabIcon } from './brand.ts';
import { Html, html, NOTHING } from './html.ts';
import type { Tone } from './sentence.ts';
import { wordsOf } from './words/index.ts';

interface Parts {
  page: PageIdentity;
  /** Its path below `/status/`, as of `DOCUMENTS`. */
  document: string;
  /** Title of the tab, before the name of the page. */
  title: string;
  description: string;
  tone: Tone;
  tones?: ReadonlySet<Tone>;
  main: Html;
  /** Whether search engines may list it: never what visitors have to sign in for. */
  isListed: boolean;
  /** Header with the button to the subscription, and footer with the zone. Frames have neither. */
  frame?: 'page' | 'plain' | 'none';
  /** Whether it keeps itself current: by a script, else by loading itself again. */
  isLive?: boolean;
}

/** Renders a document without script and without style of its own: a strict policy blocks neither. */
export function renderDocument(parts: Parts): string {
  const { page, document, title, description, tone, main, frame = 'plain' } = parts;
  const to = (target: string) => linkBetween(document, target);
  const { slug, name, language } = page;
  const isListed = parts.isListed && page.access === 'public';
  const feeds = feedsFrom(document, slug).map(
    ({ type, url }) => html`<link rel="alternate" type="${type}" title="${name}" href="${url}" /> `,
  );
  const address = addressOf(page, document, page.baseUrl);
  const listing = isListed
    ? html`<link rel="canonical" href="${address}" />
        <meta property="og:url" content="${address}" />
        <meta property="og:type" content="website" />
        <meta property="og:title" content="${title}" />
        <meta property="og:description" content="${description}" />
        <meta property="og:site_name" content="${name}" />
        ${socialImage(page)}`
    : NOT_LISTED;
  return htmlDocument({
    language,
    title: `${title} · ${name}`,
    description,
    head: listing,
    icon: tabIcon(page, to, stateIcon(tone, to)),
    styles: html`${ownStyle(page, to)}${frame === 'page' ? feeds : NOTHING}${parts.isLive === true ? live(to) : NOTHING}`,
    to,
    bodyClass: `page${frame === 'none' ? ' embed' : ''}${brandClasses(page.brand)}`,
    body: html`${sprite(parts.tones ?? new Set())} ${frame === 'none' ? main : framed(parts, to)}`,
  });
}

export function backTo({ slug, name, language }: PageIdentity, document: string): Html {
  return html`<p class="back">
    <a href="${linkBetween(document, DOCUMENTS.page(slug))}"
      >${wordsOf(language).incidents.back(name)}</a
    >
  </p>`;
}

/**
 * Answer of addresses that belong to no page.
 *
 * @param root relative path from the address to `/status/`.
 */
export function renderNoPage(language: PageLanguage, root: string): string {
  const { title, noPage } = wordsOf(language).notFound;
  return htmlDocument({
    language,
    title,
    description: noPage,
    head: NOT_LISTED,
    icon: stateIcon('unknown', (target) => root + target),
    styles: NOTHING,
    to: (target) => root + target,
    bodyClass: 'page',
    body: html`<div class="wrap">
      <main>
        <section class="card message">
          <h1>${title}</h1>
          <p>${noPage}</p>
        </section>
      </main>
    </div>`,
  });
}

const NOT_LISTED = html`<meta name="robots" content="noindex" /> `;

function htmlDocument(parts: {
  language: PageLanguage;
  title: string;
  description: string;
  head: Html;
  icon: Html;
  styles: Html;
  to: (target: string) => string;
  bodyClass: string;
  body: Html;
}): string {
  const { language, title, description, head, icon, styles, to, bodyClass, body } = parts;
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <meta name="description" content="${description}" />
        ${head} ${icon}
        <link rel="stylesheet" href="${to(assetPath('style.css'))}" />
        ${styles}
      </head>
      <body class="${bodyClass}">
        ${body}
      </body>
    </html> `.text;
}

function stateIcon(tone: Tone, to: (target: string) => string): Html {
  return html`<link rel="icon" type="image/svg+xml" href="${to(assetPath(`${tone}.svg`))}" />`;
}

function live(to: (target: string) => string): Html {
  return html`<script type="module" src="${to(assetPath('live.js'))}"></script>
    <noscript><meta http-equiv="refresh" content="60" /></noscript> `;
}

function framed({ page, main, frame, document }: Parts, to: (target: string) => string): Html {
  const words = wordsOf(page.language);
  const brand = html`<a
    class="brand"
    href="${to(DOCUMENTS.page(page.slug))}"
    ${document === page.slug ? new Html(' aria-current="page"') : null}
    >${logo(page, to)}<span>${page.name}</span></a
  >`;
  const updates = document === page.slug ? '#updates' : to(DOCUMENTS.subscribe(page.slug));
  const button =
    frame === 'page'
      ? html`<a class="btn" href="${updates}">${words.subscribe.title}</a>`
      : NOTHING;
  return html`<div class="wrap">
    <header class="site">${brand}${ownerLinks(page, 'header')}${button}</header>
    <main>${main}</main>
    <footer class="site">
      <div>
        ${ownerLinks(page, 'footer')}<span
          >${words.footer.zone(page.timezone.replaceAll('_', ' '))}</span
        >
      </div>
      <span>${words.footer.monitoredBy}</span>
    </footer>
  </div>`;
}
