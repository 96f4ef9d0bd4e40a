import { plainName } from '../lib/plain-name.ts';
import { escapeHtml, singleLine } from '../lib/text.ts';
import type { Mail } from '../store/alerting/mails.ts';
import { formatOf } from './format.ts';
import type { ReportFacts } from './model.ts';
import { fill } from './words/words.ts';

/** Characters of a name: recipients need not know the team that chose it. */
const LONGEST_NAME = 60;

/** Mail with the main figures of a report and links to its file, and to stop such mails. */
export function reportMail(
  facts: ReportFacts,
  to: string,
  links: { file: string; fileUntil: number; unsubscribe: string },
): Omit<Mail, 'sender' | 'expiresAt'> {
  const format = formatOf(facts);
  const { words, percent, duration, count } = format;
  const { figures } = facts.total;
  const name = plainName(facts.name ?? facts.team, LONGEST_NAME);
  const team = plainName(facts.team, LONGEST_NAME);
  const period = format.period(facts.period);
  const lines: [string, string][] = [
    [words.uptime, percent(figures.uptimePercent)],
    [words.observed, percent(figures.observedPercent, 2)],
    [words.outages, count(figures.outages)],
    [words.downtime, duration(figures.downMs)],
    [words.mttrLong, duration(figures.mttrMs)],
    ...(facts.monitors.length === 1
      ? [[words.mtbfLong, duration(figures.mtbfMs)] as [string, string]]
      : []),
  ];
  const subject = fill(words.mailSubject, {
    name,
    uptime: percent(figures.uptimePercent),
    period,
  });
  const summary = format.summary(facts).join(' ');
  const until = fill(words.mailUntil, { at: format.moment(links.fileUntil) });
  const why = fill(words.mailWhy, { team });
  const text = [
    `${name}\n${period}`,
    summary,
    lines.map(([label, value]) => `${label}: ${value}`).join('\n'),
    `${words.mailOpen}:\n${links.file}`,
    until,
    `-- \n${why}\n${words.mailUnsubscribe}:\n${links.unsubscribe}`,
  ].join('\n\n');
  const rows = lines.map(
    ([label, value]) =>
      `<tr><th scope="row" style="padding:4px 24px 4px 0;text-align:left;font-weight:normal;color:#56606f">${escapeHtml(label)}</th><td style="padding:4px 0;font-weight:600">${escapeHtml(value)}</td></tr>`,
  );
  const html = [
    '<!doctype html>',
    `<html lang="${facts.language}"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head><body style="margin:0;padding:24px">`,
    '<div style="max-width:36em;font:16px/1.5 sans-serif">',
    `<h1 style="margin:0;font-size:22px">${escapeHtml(name)}</h1>`,
    `<p style="margin:4px 0 16px">${escapeHtml(period)}</p>`,
    `<p>${escapeHtml(summary)}</p>`,
    `<table style="border-collapse:collapse">${rows.join('')}</table>`,
    `<p style="margin:24px 0"><a href="${escapeHtml(links.file)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#0f766e;color:#ffffff;text-decoration:none">${escapeHtml(words.mailOpen)}</a></p>`,
    `<p>${escapeHtml(until)}</p>`,
    `<p style="font-size:13px;color:#56606f">${escapeHtml(why)} <a href="${escapeHtml(links.unsubscribe)}" style="color:#56606f">${escapeHtml(words.mailUnsubscribe)}</a></p>`,
    '</div></body></html>\n',
  ].join('\n');
  return {
    kind: 'report',
    to,
    subject: singleLine(subject),
    text: `${text}\n`,
    html,
    // One-click unsubscription (RFC 8058).
    headers: {
      'List-Unsubscribe': `<${links.unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}
