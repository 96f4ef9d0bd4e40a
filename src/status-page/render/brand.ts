import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { accentOn } from '../../lib/accent.ts';
import type { PageImageName } from '../../model/page-images.ts';
import type { PageBrand, PageFont, PageIdentity } from '../facts/model.ts';
import { addressOf, DOCUMENTS } from '../facts/urls.ts';
import { scopedCss } from '../text/css.ts';
import { html, joined, NOTHING, type Html } from './html.ts';
import { wordsOf } from './words/index.ts';

/** Makes a link to another document of the page, relative to the present one. */
type To = (target: string) => string;

/** Where the tokens of a page are set; states set them again, so that no style of a page reaches them. */
export const ROOTS = ':root,.state,.grp,.svc,.legend';

const FALLBACK = "'Noto Sans','Hiragino Sans','Noto Sans CJK JP','Yu Gothic UI',sans-serif";

/** Stacks of the typefaces; null is that of the style sheet. */
const STACKS: Record<PageFont, string | null> = {
  system: null,
  inter: `'Inter Variable',ui-sans-serif,system-ui,${FALLBACK}`,
  humanist: `Seravek,'Gill Sans Nova',Ubuntu,Calibri,'DejaVu Sans',${FALLBACK}`,
  serif:
    "ui-serif,Charter,'Iowan Old Style',Georgia,'Noto Serif','Hiragino Mincho ProN','Yu Mincho',serif",
  monospace: `ui-monospace,'SF Mono',Menlo,Consolas,'Liberation Mono','DejaVu Sans Mono',monospace`,
};

const FONT_SHEET = createRequire(import.meta.url).resolve('@fontsource-variable/inter/wght.css');
const FONT_FILE = /\.\/files\/(inter-[a-z-]+-wght-normal\.woff2)/g;
const FONT_FACES = readFileSync(FONT_SHEET, 'utf8');

/** Files of Inter, one for each part of Unicode: browsers load those of the letters that a page shows. */
export const FONT_FILES = [...FONT_FACES.matchAll(FONT_FILE)].map(([at, name = '']) => ({
  name,
  bytes: readFileSync(path.join(FONT_SHEET, '..', at)),
}));

/** Style sheet of the typeface and the accent of a page, empty without either. @param fonts where the files of Inter are. */
export function brandCss({ accent, font }: PageBrand, fonts: string): string {
  const stack = STACKS[font];
  const [light, dark] = (['light', 'dark'] as const).map((scheme) =>
    accent === null ? '' : accentTokens(accent, scheme),
  );
  return [
    font === 'inter' ? FONT_FACES.replaceAll(FONT_FILE, `${fonts}$1`) : '',
    stack === null ? '' : `${ROOTS}{--font:${stack}}\n`,
    accent === null ? '' : `${ROOTS}{${light}}\n`,
    accent === null ? '' : `@media (prefers-color-scheme:dark){${ROOTS}{${dark}}}\n`,
  ].join('');
}

function accentTokens(accent: string, scheme: 'light' | 'dark'): string {
  const { text, fill, onFill } = accentOn(accent, scheme);
  return `--accent:${text};--brand:${fill};--on-brand:${onFill}`;
}

/** Style sheet of a page: its brand, and what its owner wrote, which comes last. Empty without either. */
export function ownCss({ brand, settings: { custom_css: css } }: PageIdentity, fonts: string) {
  return brandCss(brand, fonts) + (css === null ? '' : scopedCss(css));
}

/** Link to the style sheet of the page; its address changes with its content. */
export function ownStyle({ brand, settings, slug }: PageIdentity, to: To): Html {
  const { accent, font } = brand;
  const css = settings.custom_css ?? '';
  if (accent === null && font === 'system' && css.trim() === '') return NOTHING;
  const version = createHash('sha256')
    .update(JSON.stringify([accent, font, css]))
    .digest('base64url');
  return html`<link
    rel="stylesheet"
    href="${to(DOCUMENTS.style(slug))}?v=${version.slice(0, 12)}"
  /> `;
}

/** Classes of a page's body that its brand adds. */
export function brandClasses({ accent, layout }: PageBrand): string {
  return `${accent === null ? '' : ' branded'}${layout === 'wide' ? ' wide' : ''}`;
}

function imageLink({ slug, images }: PageIdentity, name: PageImageName, to: To): string | null {
  const image = images[name];
  return image === undefined
    ? null
    : `${to(DOCUMENTS.image(slug, name))}?v=${image.hash.slice(0, 12)}`;
}

/** The logo of a page, on dark paper the one for it. */
export function logo(page: PageIdentity, to: To): Html {
  const [light, dark] = [imageLink(page, 'logo', to), imageLink(page, 'logo_dark', to)];
  const usual = light ?? dark;
  if (usual === null) return NOTHING;
  const image = html`<img src="${usual}" alt="" height="32" />`;
  return light === null || dark === null
    ? image
    : html`<picture
        ><source media="(prefers-color-scheme:dark)" srcset="${dark}" />
        ${image}</picture
      >`;
}

/** Icon of the tab: that of the page, else the shape of its state. */
export function tabIcon(page: PageIdentity, to: To, ofState: Html): Html {
  const link = imageLink(page, 'favicon', to);
  return link === null
    ? ofState
    : html`<link rel="icon" type="${page.images.favicon!.type}" href="${link}" />`;
}

/** Picture that other programs show with a link: the one for it, else the logo. They show no SVG. */
export function socialImage(page: PageIdentity): Html {
  const name = (['social_image', 'logo'] as const).find(
    (one) => page.images[one] !== undefined && page.images[one].type !== 'image/svg+xml',
  );
  if (name === undefined) return NOTHING;
  const at = (document: string) => addressOf(page, document, page.baseUrl);
  return html`<meta property="og:image" content="${imageLink(page, name, at)}" />
    <meta name="twitter:card" content="${name === 'logo' ? 'summary' : 'summary_large_image'}" /> `;
}

/** The links of a page's owner, for its header or its footer; `rel` keeps the page's address from mail programs and sites. */
export function ownerLinks({ brand, language }: PageIdentity, of: 'header' | 'footer'): Html {
  const words = wordsOf(language).links;
  const { site, contact, terms } = brand.links;
  const home = site === null ? '' : new URL(site).hostname.replace(/^www\./, '');
  const shown: [string | null, string, string][] =
    of === 'header'
      ? [[site, home, 'at-desk']]
      : [
          [site, home, 'on-phone'],
          [contact, words.contact, ''],
          [terms, words.terms, ''],
        ];
  const anchors = shown.map(([address, text, where]) => {
    const shownAt = where === '' ? null : html` class="${where}"`;
    return address === null
      ? NOTHING
      : html`<a${shownAt} href="${address}" rel="noopener">${text}</a>`;
  });
  const links = joined(anchors, ' ');
  return of === 'header' || links.text === '' ? links : html`<span>${links}</span>`;
}
