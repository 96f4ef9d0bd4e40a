import { accentOn } from './accent.ts';
import { BRAND } from './brand.ts';
import { cut, escapeHtml, initialOf } from './text.ts';

export interface MailLink {
  label: string;
  url: string;
}

/** A part of a mail, which its text and its HTML show alike. Texts are plain, and of one line each. */
export type MailPart =
  | { text: string }
  | { remark: string }
  /** HTML that was written anew from a list of what is allowed, and the same as text. */
  | { html: string; plain: string }
  | { facts: readonly { name: string; value: string }[] }
  | { list: readonly string[] }
  | { code: string }
  /** The first one is what the mail asks for. */
  | { buttons: readonly MailLink[] }
  /** A button whose address is written out below it, for people who want to see where it leads. */
  | { open: MailLink }
  | { links: readonly MailLink[] };

export type MailTone = 'critical' | 'warning' | 'good' | 'maintenance' | 'neutral';

/** Content ids (RFC 2392) of images that are attached to a mail: the mark of Tocsin, and the logo of a status page. */
export const MAIL_IMAGES = { mark: 'mark@tocsin', logo: 'logo@tocsin' } as const;

/** In whose brand a mail is: that of Tocsin, or of a status page. */
export interface MailBrand {
  /** Stands above the card. */
  name: string;
  /** Image before the name; null for its first letter. */
  image: keyof typeof MAIL_IMAGES | null;
  /** `#rrggbb` of buttons and links; null for ink. */
  accent: string | null;
}

export const PRODUCT: MailBrand = { name: 'Tocsin', image: 'mark', accent: null };

export interface MailLayout {
  /** BCP 47. */
  language: string;
  subject: string;
  brand: MailBrand;
  /** Heading of the HTML, whose text has none below its subject. */
  headline: string;
  tone: MailTone;
  /** Parts without content are left out. */
  parts: readonly MailPart[];
  footer: { text: string; links?: readonly MailLink[] } | null;
}

/**
 * Lays a mail out as text (signature: RFC 3676, section 4.3) and as HTML without scripts and external content: its only image is
 * attached. Every mail is laid out here.
 *
 * Outlook renders HTML with Word, which knows tables, cells with padding and inline styles, and ignores `max-width`. Gmail ignores
 * `prefers-color-scheme` and inverts colors by itself. So all colors stand in the elements, and those of the dark scheme come on top.
 */
export function layOutMail(layout: MailLayout): { text: string; html: string } {
  const { footer } = layout;
  const parts = layout.parts.filter((part) => textOf(part) !== '');
  const texts = parts.map(textOf);
  const signature =
    footer && ['-- ', footer.text, ...(footer.links ?? []).map(linkText)].join('\n');
  return {
    text: `${[...texts, ...(signature === null ? [] : [signature])].join('\n\n')}\n`,
    // Links are secrets, and tell nothing.
    html: htmlOf(layout, parts, texts[parts.findIndex((part) => !hasLinks(part))] ?? ''),
  };
}

const hasLinks = (part: MailPart) => 'buttons' in part || 'open' in part || 'links' in part;

function textOf(part: MailPart): string {
  if ('text' in part) return part.text;
  if ('remark' in part) return part.remark;
  if ('plain' in part) return part.plain;
  if ('facts' in part) return part.facts.map(({ name, value }) => `${name}: ${value}`).join('\n');
  if ('list' in part) return part.list.map((line) => `- ${line}`).join('\n');
  if ('code' in part) return part.code;
  if ('open' in part) return linkText(part.open);
  return ('buttons' in part ? part.buttons : part.links).map(linkText).join('\n\n');
}

const linkText = ({ label, url }: MailLink) => `${label}:\n${url.replace(/^mailto:/, '')}`;

type Color = keyof typeof BRAND;
type Property = 'background' | 'color' | 'border-color' | 'border-top-color';

/** Colors of classes. Each element has those of the light scheme inline. */
const CLASSES = {
  ground: { background: 'bg' },
  card: { background: 'surface', 'border-color': 'line' },
  text: { color: 'text' },
  faint: { color: 'text-3' },
  link: { color: 'accent' },
  main: { background: 'inverse', color: 'on-inverse', 'border-color': 'inverse' },
  quiet: { color: 'text', 'border-color': 'line-2' },
  code: { background: 'surface-2', color: 'text' },
} as const satisfies Record<string, Partial<Record<Property, Color>>>;

type ClassName = keyof typeof CLASSES;
const SCHEMES = ['light', 'dark'] as const;
type Scheme = (typeof SCHEMES)[number];

/** Colors of the classes that a brand's color changes. */
function accentColors(accent: string, scheme: Scheme): Partial<Record<ClassName, object>> {
  const { text, fill, onFill } = accentOn(accent, scheme);
  return {
    card: { 'border-top-color': fill },
    link: { color: text },
    main: { background: fill, color: onFill, 'border-color': text },
  };
}

/** Class and style of an element: the given style, and the colors of its class in the light scheme. */
type Paint = (name: ClassName, style: string) => string;

/** The colors of a brand: for elements, and the style sheet of the dark scheme. */
function colorsOf(accent: string | null): { paint: Paint; dark: string } {
  const colorsIn = (scheme: Scheme, end: string) => {
    const ofAccent = accent === null ? {} : accentColors(accent, scheme);
    return (name: ClassName) => {
      const own = Object.entries(CLASSES[name]).map(([property, color]: [string, Color]) => [
        property,
        BRAND[color][SCHEMES.indexOf(scheme)],
      ]);
      const all = { ...(Object.fromEntries(own) as object), ...ofAccent[name] };
      return Object.entries(all)
        .map(([property, color]) => `${property}:${color}${end}`)
        .join(';');
    };
  };
  const light = colorsIn('light', '');
  const dark = colorsIn('dark', ' !important');
  return {
    paint: (name, style) => `class="${name}" style="${style};${light(name)}"`,
    dark: (Object.keys(CLASSES) as ClassName[]).map((name) => `.${name}{${dark(name)}}`).join('\n'),
  };
}

const FONT =
  "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const TABLE = 'role="presentation" cellpadding="0" cellspacing="0" border="0"';
/** Pixels of the card on wide screens. */
const WIDTH = 560;
const PREVIEW_LENGTH = 120;
/** Keeps inboxes from filling their preview with what stands above the card. */
const AFTER_PREVIEW = '\u00a0\u200c'.repeat(PREVIEW_LENGTH / 2);

/** Symbols beside a headline, as in the dashboard: colors are never the only sign. */
const TONES: Record<MailTone, { color: Color; ink: Color; symbol: string } | null> = {
  critical: { color: 'down-fill', ink: 'on-inverse', symbol: '✕' },
  warning: { color: 'warn-fill', ink: 'text', symbol: '!' },
  good: { color: 'up-fill', ink: 'on-inverse', symbol: '✓' },
  maintenance: { color: 'maint-fill', ink: 'on-inverse', symbol: '◆' },
  neutral: null,
};

function htmlOf(
  { language, subject, brand, headline, tone, footer }: MailLayout,
  parts: readonly MailPart[],
  preview: string,
): string {
  const { paint, dark } = colorsOf(brand.accent);
  const isBranded = brand.accent !== null;
  return `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<!--[if mso]><style>td, h1, p, a, li { font-family: 'Segoe UI', Arial, sans-serif !important; }</style><![endif]-->
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 480px) { .inner { padding: 20px 20px 4px !important; } }
@media (prefers-color-scheme: dark) {
${dark}
}
</style>
</head>
<body ${paint('ground', 'margin:0;padding:0')}>
<div aria-hidden="true" style="display:none;max-height:0;overflow:hidden">${escapeHtml(cut(preview.replaceAll('\n', ' '), PREVIEW_LENGTH))}${AFTER_PREVIEW}</div>
<div role="main" lang="${escapeHtml(language)}">
<table ${TABLE} width="100%" ${paint('ground', 'width:100%')}><tr><td align="center" style="padding:24px 12px">
<!--[if mso]><table ${TABLE} width="${WIDTH}"><tr><td><![endif]-->
<table ${TABLE} width="100%" style="width:100%;max-width:${WIDTH}px;${FONT};font-size:16px;line-height:24px;text-align:left">
<tr><td style="padding:0 4px 16px"><table ${TABLE}><tr>
${signOf(brand, paint)}<td ${paint('text', 'font-size:15px;font-weight:600;overflow-wrap:anywhere')}>${escapeHtml(brand.name)}</td>
</tr></table></td></tr>
<tr><td ${paint('card', `padding:28px 32px 12px;border:1px solid;${isBranded ? 'border-top-width:4px;' : ''}border-radius:12px`).replace('"card"', '"card inner"')}>
${headingOf(headline, tone, paint)}
${parts.map((part) => partHtml(part, paint)).join('\n')}
</td></tr>
${footer === null ? '' : `<tr><td ${paint('faint', 'padding:16px 4px 0;font-size:13px;line-height:20px')}>${footerHtml(footer, paint)}</td></tr>\n`}</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</div>
</body>
</html>
`;
}

/** Cell of an attached logo. Without it, a mail is whole. */
const LOGO_CELL = `<td class="logo" style="padding:0 10px 0 0"><img src="cid:${MAIL_IMAGES.logo}" alt="" height="32" style="display:block;max-width:200px;max-height:32px;width:auto;height:auto;padding:3px 5px;border-radius:6px;background:${BRAND.surface[0]}"></td>\n`;

function signOf({ name, image }: MailBrand, paint: Paint): string {
  if (image === 'logo') return LOGO_CELL;
  const mark =
    image === 'mark'
      ? `><img src="cid:${MAIL_IMAGES.mark}" alt="" width="26" height="26" style="display:block;width:26px;height:26px">`
      : ` ${paint('main', 'width:26px;height:26px;border-radius:7px;font-size:15px;line-height:26px;font-weight:700')}>${escapeHtml(initialOf(name))}`;
  return `<td aria-hidden="true" width="26" height="26" align="center"${mark}</td><td width="10" style="width:10px"></td>`;
}

/** Headers by which mail programs unsubscribe by a POST, without a page in between (RFC 8058). */
export const unsubscribeHeaders = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** The HTML of a mail whose logo can't be attached. */
export function withoutLogo(html: string): string {
  return html.replace(LOGO_CELL, '');
}

function headingOf(headline: string, tone: MailTone, paint: Paint): string {
  const sign = TONES[tone];
  const heading = `<h1 ${paint('text', 'margin:0;font-size:20px;line-height:28px;font-weight:600;overflow-wrap:anywhere')}>${escapeHtml(headline)}</h1>`;
  const cell =
    sign &&
    `<td aria-hidden="true" width="36" valign="top" style="width:36px;padding-top:3px"><table ${TABLE}><tr><td width="22" height="22" align="center" style="width:22px;height:22px;border-radius:6px;background:${BRAND[sign.color][0]};color:${BRAND[sign.ink][0]};font-size:13px;line-height:22px;font-weight:700">${sign.symbol}</td></tr></table></td>`;
  return `<table ${TABLE} style="margin:0 0 16px"><tr>${cell ?? ''}<td>${heading}</td></tr></table>`;
}

function partHtml(part: MailPart, paint: Paint): string {
  if ('text' in part) return paragraph(escapeHtml(part.text), paint);
  if ('remark' in part) return remark(escapeHtml(part.remark), paint);
  if ('plain' in part) return prose(part.html, paint);
  if ('facts' in part) return factsHtml(part.facts, paint);
  if ('list' in part) return listHtml(part.list.map(escapeHtml), paint);
  if ('code' in part)
    return `<p style="margin:0 0 16px"><span ${paint('code', "display:inline-block;padding:10px 16px;border-radius:7px;font-family:Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:20px;letter-spacing:2px")}>${escapeHtml(part.code)}</span></p>`;
  if ('buttons' in part)
    return part.buttons.map((link, index) => buttonHtml(link, index, paint)).join('\n');
  if ('open' in part) {
    const { url } = part.open;
    const address = linkHtml({ label: url, url }, paint, 'faint', 'word-break:break-all;');
    return `${buttonHtml(part.open, 0, paint)}\n${remark(address, paint)}`;
  }
  return listHtml(
    part.links.map((link) => linkHtml(link, paint)),
    paint,
  );
}

function paragraph(html: string, paint: Paint): string {
  return `<p ${paint('text', 'margin:0 0 16px;overflow-wrap:anywhere')}>${html}</p>`;
}

function remark(html: string, paint: Paint): string {
  return `<p ${paint('faint', 'margin:0 0 16px;font-size:13px;line-height:20px;overflow-wrap:anywhere')}>${html}</p>`;
}

function prose(html: string, paint: Paint): string {
  const styled = html
    .replaceAll('<p>', '<p style="margin:0 0 16px">')
    .replaceAll('<a ', `<a ${paint('link', 'text-decoration:underline')} `);
  return `<div ${paint('text', 'overflow-wrap:anywhere')}>${styled}</div>`;
}

function factsHtml(facts: readonly { name: string; value: string }[], paint: Paint): string {
  const rows = facts.map(
    ({ name, value }) =>
      `<tr><th scope="row" align="left" valign="top" ${paint('faint', 'padding:0 20px 8px 0;font-size:14px;line-height:22px;font-weight:400')}>${escapeHtml(name)}</th><td valign="top" ${paint('text', 'padding:0 0 8px;font-size:15px;line-height:22px;overflow-wrap:anywhere')}>${escapeHtml(value)}</td></tr>`,
  );
  return `<table cellpadding="0" cellspacing="0" border="0" style="margin:0 0 8px">\n${rows.join('\n')}\n</table>`;
}

function listHtml(items: readonly string[], paint: Paint): string {
  const rows = items.map((html) => `<li style="margin:0 0 6px">${html}</li>`);
  return `<ul ${paint('text', 'margin:0 0 16px;padding:0 0 0 20px;overflow-wrap:anywhere')}>\n${rows.join('\n')}\n</ul>`;
}

function buttonHtml({ label, url }: MailLink, index: number, paint: Paint): string {
  const name = index === 0 ? 'main' : 'quiet';
  return `<table ${TABLE} style="display:inline-table;margin:4px 8px 16px 0"><tr><td ${paint(name, 'border:1px solid;border-radius:7px;mso-padding-alt:10px 18px')}><a href="${escapeHtml(url)}" ${paint(name, 'display:inline-block;padding:9px 18px;border-radius:7px;font-size:15px;line-height:20px;font-weight:600;text-decoration:none')}>${escapeHtml(label)}</a></td></tr></table>`;
}

function linkHtml({ label, url }: MailLink, paint: Paint, name: ClassName = 'link', style = '') {
  return `<a href="${escapeHtml(url)}" ${paint(name, `${style}text-decoration:underline`)}>${escapeHtml(label)}</a>`;
}

function footerHtml({ text, links = [] }: NonNullable<MailLayout['footer']>, paint: Paint): string {
  const shown = links.map((link) => linkHtml(link, paint, 'faint'));
  return [escapeHtml(text), ...(shown.length === 0 ? [] : [shown.join(' · ')])].join('<br>');
}
