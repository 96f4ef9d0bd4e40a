import { layOutMail, PRODUCT } from '../lib/mail-layout.ts';
import { plainName, singleLine } from '../lib/text.ts';
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
  const { text, html } = layOutMail({
    language: facts.language,
    subject,
    brand: PRODUCT,
    headline: name,
    tone: 'neutral',
    parts: [
      { text: period },
      { text: format.summary(facts) },
      { facts: lines.map(([label, value]) => ({ name: label, value })) },
      { buttons: [{ label: words.mailOpen, url: links.file }] },
      { remark: fill(words.mailUntil, { at: format.moment(links.fileUntil) }) },
    ],
    footer: {
      text: fill(words.mailWhy, { team }),
      links: [{ label: words.mailUnsubscribe, url: links.unsubscribe }],
    },
  });
  return {
    kind: 'report',
    to,
    subject: singleLine(subject),
    text,
    html,
    // One-click unsubscription (RFC 8058).
    headers: {
      'List-Unsubscribe': `<${links.unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}
