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
import { mailPageOf, reportMail } from '../../src/report/mail.ts';
import { DEFAULT_BRAND } from '../../src/status-page/facts/model.ts';
import {
  renderConfirmation,
  renderDigest,
  renderUpdateMail,
} from '../../src/status-page/render/messages.ts';
import { SAMPLES } from './notices.ts';
import { incidentFacts, pageIdentity, PAGE_NOW } from './page-facts.ts';
import { sampleFacts, sampleFigures } from './report-facts.ts';

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
  const plain = pageIdentity({ name: 'Northwind Status' });
  const page = pageIdentity({
    name: 'Northwind Status',
    brand: {
      ...DEFAULT_BRAND,
      accent: '#0a7d4f',
      links: { ...DEFAULT_BRAND.links, contact: 'mailto:help@northwind.example' },
    },
    images: { logo: { type: 'image/png', hash: 'x' } },
  });
  const german = pageIdentity({
    name: 'Nordwind',
    language: 'de',
    timezone: 'Europe/Berlin',
    brand: { ...DEFAULT_BRAND, accent: '#ffd400' },
  });
  const confirm = { url: link('/status/northwind/confirm'), until: PAGE_NOW + 48 * HOUR_MS };
  const report = {
    file: link('/report'),
    fileUntil: PAGE_NOW + 30 * 24 * HOUR_MS,
    unsubscribe: link('/report-unsubscribe'),
  };
  const { total, ...facts } = sampleFacts();
  const unknown = { observedPercent: 0, outages: 0, downMs: 0, mttrMs: null, mtbfMs: null };
  const nothingYet = { ...facts, total: { ...total, figures: sampleFigures(null, unknown) } };
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
    report: reportMail(sampleFacts(), account.to, report),
    'report-of-page': reportMail(
      sampleFacts(),
      account.to,
      report,
      mailPageOf({
        ...page,
        brand: JSON.stringify(page.brand),
        images: JSON.stringify(page.images),
      }),
    ),
    'report-first-month': reportMail(nothingYet, account.to, report),
    'page-confirmation': renderConfirmation(page, confirm),
    'page-incident': updateMail(page),
    'page-without-brand': updateMail(plain),
    'page-resolved': updateMail(page, outage, { state: 'resolved', text: null }),
    'page-maintenance': updateMail(page, upkeep),
    'page-incident-de': updateMail(german),
    'page-digest': renderDigest(page, [
      { announcement: outage, url: seen.url },
      { announcement: upkeep, url: seen.url },
    ])(urls),
  };
}

/** A sign, for the logo of a page. */
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 140 32" width="140" height="32"><path fill="#0a7d4f" d="M4 28 16 4l12 24-12-7z"/><path fill="#14171d" d="M40 8h92v6H40zm0 12h60v5H40z"/></svg>`;

/** The HTML of a mail with the images that are attached to it. */
export function showMail({ html }: Pick<SampleMail, 'html'>): string {
  const mark = readFileSync(new URL('../../src/lib/mark.png', import.meta.url), 'base64');
  return html
    .replaceAll(`cid:${MAIL_IMAGES.mark}`, `data:image/png;base64,${mark}`)
    .replaceAll(`cid:${MAIL_IMAGES.logo}`, `data:image/svg+xml,${encodeURIComponent(LOGO)}`);
}
