import { readFileSync } from 'node:fs';
import { render } from '../../src/alerting/message/index.ts';
import {
  emailChangeMail,
  enrollmentCodeMail,
  invitationMail,
  passwordChangedMail,
  resetPasswordMail,
  verificationMail,
} from '../../src/identity/mails.ts';
import { MAIL_IMAGES } from '../../src/lib/mail-layout.ts';
import { reportMail } from '../../src/report/mail.ts';
import {
  renderConfirmation,
  renderDigest,
  renderUpdateMail,
} from '../../src/status-page/render/messages.ts';
import { SAMPLES } from './notices.ts';
import { incidentFacts, pageIdentity, PAGE_NOW } from './page-facts.ts';
import { sampleFacts } from './report-facts.ts';

interface SampleMail {
  subject: string;
  text: string;
  html: string;
}

const HOUR_MS = 3_600_000;
const BASE = 'https://up.example.com';
const TOKEN = 'token=mXw0Vb2nq5T8yKcRj7LhPz4sDfGaEuN3';
const link = (path: string) => `${BASE}${path}?${TOKEN}`;

const account = {
  to: 'ben@example.com',
  name: 'Ben Adler',
  team: 'Northwind',
  inviter: 'Ada Okafor',
  role: 'editor',
  link: link('/invitation'),
  expiresAt: PAGE_NOW + 48 * HOUR_MS,
};

const SERVICES = [
  { monitorId: 1, name: 'Checkout API' },
  { monitorId: 2, name: 'Payments' },
];
const outage = incidentFacts({ title: 'Payments are slow', services: SERVICES });
const upkeep = incidentFacts({
  kind: 'maintenance',
  title: 'Database upgrade',
  impact: 'none',
  state: 'scheduled',
  startedAt: PAGE_NOW + 24 * HOUR_MS,
  plannedUntil: PAGE_NOW + 26 * HOUR_MS,
  services: SERVICES.slice(0, 1),
});

const urls = {
  manage: link('/status/northwind/subscription'),
  unsubscribe: link('/status/northwind/unsubscribe'),
};
const seen = { url: `${BASE}/status/northwind/incidents/7`, isLast: false };
const TEXT =
  'A **database** is overloaded. Payments take up to a minute, and some fail.\n\n- Cards: slow\n- Invoices: not affected\n\nWe know the cause and expect an end [within the hour](https://example.com/news).';

function updateMail(
  page: ReturnType<typeof pageIdentity>,
  announcement = outage,
  update: Partial<Parameters<typeof renderUpdateMail>[2]> = {},
): SampleMail {
  const { state } = announcement;
  const whole = { id: 1, state, text: TEXT, at: PAGE_NOW, editedAt: null, ...update };
  return renderUpdateMail(page, announcement, whole, seen)(urls);
}

/** A mail of each kind, made by what makes it in production. */
export function sampleMails(): Record<string, SampleMail> {
  const page = pageIdentity({ name: 'Northwind Status' });
  const german = pageIdentity({ name: 'Nordwind', language: 'de', timezone: 'Europe/Berlin' });
  const confirm = { url: link('/status/northwind/confirm'), until: PAGE_NOW + 48 * HOUR_MS };
  const links = { details: link('/alert'), acknowledge: `${link('/alert')}&acknowledge=1` };
  const alerts = Object.entries(SAMPLES).map(([headline, content]): [string, SampleMail] => [
    `alert-${headline.toLowerCase().replaceAll(/\W+/g, '-')}`,
    render(content, { timezone: 'Europe/Berlin', links }),
  ]);
  return {
    invitation: invitationMail(account),
    reset: resetPasswordMail(account),
    verification: verificationMail(account),
    'email-change': emailChangeMail({ ...account, newEmail: 'ben.adler@example.org' }),
    'enrollment-code': enrollmentCodeMail({ ...account, code: '7KQ2-M9XD' }),
    'password-changed': passwordChangedMail({ ...account, at: PAGE_NOW }),
    ...Object.fromEntries(alerts),
    report: reportMail(sampleFacts(), account.to, {
      file: link('/report'),
      fileUntil: PAGE_NOW + 30 * 24 * HOUR_MS,
      unsubscribe: link('/report-unsubscribe'),
    }),
    'page-confirmation': renderConfirmation(page, confirm),
    'page-incident': updateMail(page),
    'page-resolved': updateMail(page, outage, { state: 'resolved', text: null }),
    'page-maintenance': updateMail(page, upkeep),
    'page-incident-de': updateMail(german),
    'page-digest': renderDigest(page, [
      { announcement: outage, url: seen.url },
      { announcement: upkeep, url: seen.url },
    ])(urls),
  };
}

/** The HTML of a mail with the images that are attached to it. */
export function showMail({ html }: Pick<SampleMail, 'html'>): string {
  const image = readFileSync(new URL('../../src/lib/mark.png', import.meta.url), 'base64');
  return html.replaceAll(`cid:${MAIL_IMAGES.mark}`, `data:image/png;base64,${image}`);
}
