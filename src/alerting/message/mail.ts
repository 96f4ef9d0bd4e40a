import { escapeHtml } from '../../lib/text.ts';
import type { Message } from './content.ts';

/** The parts of a mail. Plain texts of one line each. */
export interface Body extends Pick<Message, 'subject' | 'tone' | 'links'> {
  /** Sentences above the facts. */
  sentences: string[];
  facts: { name: string; value: string }[];
  /** One line per incident if there are several. */
  list: string[];
  /** Name of the recipient; null for none. */
  team: string | null;
}

/** The message without its links. */
export function linesOf({ sentences, facts, list }: Body): string[] {
  return [...sentences, ...facts.map(factLine), ...list.map((line) => `- ${line}`)];
}

/** Renders the mail as text (signature: RFC 3676, section 4.3). */
export function mailText(body: Body): string {
  const { sentences, facts, list, links } = body;
  const parts = [
    ...sentences,
    facts.map(factLine).join('\n'),
    // Links come before a long list.
    buttonsOf(links)
      .map(({ label, url }) => `${label}:\n${url}`)
      .join('\n\n'),
    list.map((line) => `- ${line}`).join('\n'),
    `-- \n${signatureOf(body)}`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

const TONES: Record<Message['tone'], string> = {
  critical: '#c62f21',
  warning: '#b7791f',
  good: '#0f766e',
  neutral: '#6b7775',
};

/** Colors for clients with style sheets; the others get those of the light scheme as inline styles. */
const STYLE = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .ground { background: #101514 !important; }
  .card { background: #181f1e !important; border-right-color: #2d3836 !important; border-bottom-color: #2d3836 !important; border-left-color: #2d3836 !important; color: #e6eceb !important; }
  .faint { color: #9aa8a5 !important; }
  .quiet { color: #5eead4 !important; border-color: #6f7e7b !important; }
  .main { background: #5eead4 !important; border-color: #5eead4 !important; color: #06201d !important; }
}`;

/** Renders the mail as HTML without tables, images or external content; it is readable without colors, too. */
export function mailHtml(body: Body): string {
  const { subject, tone, sentences, facts, list, links } = body;
  const buttons = buttonsOf(links).map(button).join(' ');
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="supported-color-schemes" content="light dark">',
    `<title>${escapeHtml(subject)}</title>`,
    `<style>${STYLE}\n</style>`,
    '</head>',
    '<body class="ground" style="margin:0;padding:24px 12px;background:#f6f7f7">',
    `<div class="card" style="max-width:36em;margin:0 auto;padding:24px;border:1px solid #d9dfdd;border-top:4px solid ${TONES[tone]};border-radius:8px;background:#ffffff;color:#16201f;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;overflow-wrap:anywhere">`,
    `<h1 style="margin:0 0 16px;font-size:21px;line-height:1.35">${escapeHtml(subject)}</h1>`,
    ...sentences.map((one) => `<p style="margin:0 0 16px">${escapeHtml(one)}</p>`),
    ...facts.map(fact),
    ...(buttons === '' ? [] : [`<p style="margin:24px 0 0">${buttons}</p>`]),
    ...(list.length === 0 ? [] : [listOf(list)]),
    '</div>',
    `<p class="faint" style="max-width:36em;margin:12px auto 0;color:#55625f;font:13px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;text-align:center">${escapeHtml(signatureOf(body))}</p>`,
    '</body>',
    '</html>\n',
  ].join('\n');
}

interface Button {
  label: string;
  url: string;
  isMain: boolean;
}

/** Primary link first. */
function buttonsOf({ details, acknowledge }: Message['links']): Button[] {
  return [
    ...(acknowledge === null ? [] : [{ label: 'Acknowledge', url: acknowledge, isMain: true }]),
    ...(details === null ? [] : [{ label: 'Details', url: details, isMain: acknowledge === null }]),
  ];
}

function button({ label, url, isMain }: Button): string {
  const colours = isMain
    ? 'border:1px solid #0f766e;background:#0f766e;color:#ffffff'
    : 'border:1px solid #7d8b88;color:#0f766e';
  return `<a class="${isMain ? 'main' : 'quiet'}" href="${escapeHtml(url)}" style="display:inline-block;margin:0 8px 8px 0;padding:10px 18px;border-radius:8px;${colours};font-weight:600;text-decoration:none">${label}</a>`;
}

function fact({ name, value }: Body['facts'][number]): string {
  return `<p style="margin:0 0 10px"><span class="faint" style="color:#55625f;font-size:13px">${escapeHtml(name)}:</span><br>${escapeHtml(value)}</p>`;
}

function listOf(list: string[]): string {
  const items = list.map((one) => `<li style="margin:0 0 6px">${escapeHtml(one)}</li>`);
  return `<ul style="margin:16px 0 0;padding:0 0 0 20px">\n${items.join('\n')}\n</ul>`;
}

function factLine({ name, value }: Body['facts'][number]): string {
  return `${name}: ${value}`;
}

function signatureOf({ team }: Body): string {
  return team === null ? 'Tocsin' : `Tocsin, for the team ${team}`;
}
