import { layOutMail, PRODUCT, unsubscribeHeaders, type MailBrand } from '../lib/mail-layout.ts';
import { plainName, singleLine } from '../lib/text.ts';
import { hasMailLogo } from '../model/page-images.ts';
import { imagesOf } from '../store/resources/page-facts.ts';
import type { Mail } from '../store/alerting/mails.ts';
import { formatOf } from './format.ts';
import type { ReportFacts } from './model.ts';
import { fill } from './words/words.ts';

/** Characters of a name: recipients need not know the team that chose it. */
const LONGEST_NAME = 60;

/** The status page whose logo is on the cover: mails of its reports are in its brand. */
interface MailPage {
  id: number;
  brand: MailBrand;
}

export function mailPageOf(row: { id: number; name: string; brand: string; images: string }) {
  const { accent } = JSON.parse(row.brand) as { accent: string | null };
  const image = hasMailLogo(imagesOf(row)) ? ('logo' as const) : null;
  return { id: row.id, brand: { name: plainName(row.name, LONGEST_NAME), image, accent } };
}

/** Mail with the main figures of a report and links to its file, and to stop such mails. */
export function reportMail(
  facts: ReportFacts,
  to: string,
  links: { file: string; fileUntil: number; unsubscribe: string },
  page?: MailPage,
): Omit<Mail, 'sender' | 'expiresAt'> {
  const format = formatOf(facts);
  const { words, percent, duration, count } = format;
  const { figures } = facts.total;
  const name = plainName(facts.name ?? facts.team, LONGEST_NAME);
  const team = plainName(facts.team, LONGEST_NAME);
  const period = format.period(facts.period);
  const { uptimePercent, observedPercent, outages, downMs, mttrMs, mtbfMs } = figures;
  const lines: [string, number | null, (value: number) => string][] = [
    [words.uptime, uptimePercent, percent],
    [words.observed, observedPercent, (value) => percent(value, 2)],
    [words.outages, outages, count],
    [words.downtime, downMs, duration],
    [words.mttrLong, mttrMs, duration],
    [words.mtbfLong, facts.monitors.length === 1 ? mtbfMs : null, duration],
  ];
  const subject =
    uptimePercent === null
      ? `${name}: ${period}`
      : fill(words.mailSubject, { name, uptime: percent(uptimePercent), period });
  const { text, html } = layOutMail({
    language: facts.language,
    subject,
    brand: page?.brand ?? PRODUCT,
    headline: name,
    tone: 'neutral',
    parts: [
      { text: period },
      { text: format.summary(facts) },
      {
        // The summary says that nothing was observed.
        facts: lines.flatMap(([label, value, show]) =>
          value === null || uptimePercent === null ? [] : [{ name: label, value: show(value) }],
        ),
      },
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
    ...(page && { page: { id: page.id, name: page.brand.name } }),
    headers: unsubscribeHeaders(links.unsubscribe),
  };
}
