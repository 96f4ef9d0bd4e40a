import type { Clock } from '../../lib/clock.ts';
import { isMailAddress } from '../../model/mail-address.ts';
import { MAX_URL, type SubscriberKind } from '../../model/outgoing.ts';
import type { MailQueue } from '../../store/alerting/mails.ts';
import type { Database } from '../../store/database/contract.ts';
import { BudgetExceeded } from '../../store/people/budgets.ts';
import { smsChannelOf } from '../../store/resources/alert-channels.ts';
import { mailings } from '../../store/resources/mailings.ts';
import type { PageIdentity } from '../facts/model.ts';
import { DOCUMENTS, feedsFrom, linkBetween } from '../facts/urls.ts';
import type { HookKind } from '../render/hook-messages.ts';
import { nameOfWay } from '../render/titles.ts';
import { renderMessage, type FormField, type Message } from '../render/message-page.ts';
import { wordsOf, type Words } from '../render/words/index.ts';
import { readPageOutline } from '../read-facts.ts';
import { isChatAddress, isPhoneNumber } from './addresses.ts';
import type { Subscriptions } from './subscriptions.ts';

/** Status and HTML of an answer; null for a page that does not exist. */
export type FormAnswer = { status: number; html: string } | null;

/** The forms of subscriptions, as visitors see them. A token is that of a link in a mail. */
export type SubscriptionForms = ReturnType<typeof createSubscriptionForms>;

type Services = readonly { monitorId: number; name: string; group: string | null }[];
type Outline = { page: PageIdentity; services: Services; words: Words };
/** A way to get updates. */
type Way = SubscriberKind | 'feeds';

const DAY_MS = 86_400_000;
const EXAMPLES: Record<HookKind, string> = {
  slack: 'https://hooks.slack.com/services/T1A2/B3C4/5d6e',
  microsoft_teams: 'https://prod-01.westeurope.logic.azure.com/workflows/1a2b',
  webhook: 'https://example.com/hook',
  sms: '+44 20 7946 0958',
};

export function createSubscriptionForms(deps: {
  database: Database;
  clock: Pick<Clock, 'now'>;
  subscriptions: Subscriptions;
  mailQueue: Pick<MailQueue, 'isConfigured'>;
  clientKey(address: string): string;
  /** Whether messages may be sent to the URL of a webhook: the address guard and ALLOW_HTTP_WEBHOOKS. */
  mayReach(url: string): boolean;
}) {
  const { database, clock, subscriptions, mailQueue, mayReach } = deps;
  const installation = { canSubscribe: mailQueue.isConfigured, baseUrl: () => '' };

  async function on(pageId: number, work: (outline: Outline) => Promise<FormAnswer>) {
    const outline = await readPageOutline(database, pageId, installation);
    return outline === null ? null : work({ ...outline, words: wordsOf(outline.page.language) });
  }

  /** The page with the ways that work now: a channel of text messages may be disabled. */
  async function offering(outline: Outline): Promise<Outline> {
    const { id, subscribeBy } = outline.page;
    if (!subscribeBy.includes('sms') || (await smsChannelOf(database.read, id)) !== undefined)
      return outline;
    const others = subscribeBy.filter((kind) => kind !== 'sms');
    return { ...outline, page: { ...outline.page, subscribeBy: others } };
  }

  /** What a visitor entered, as it is stored; null where it is not valid. */
  function addressOf(kind: SubscriberKind, form: URLSearchParams): string | null {
    const sent = (form.get(kind === 'email' ? 'email' : 'address') ?? '').trim();
    if (kind === 'sms') {
      const number = sent.replace(/\(0\)|[\s().-]/g, '').replace(/^00/, '+');
      return isPhoneNumber(number) ? number : null;
    }
    if (kind === 'email') return isMailAddress(sent) ? sent : null;
    if (sent.length > MAX_URL || !mayReach(sent)) return null;
    return kind === 'webhook' || isChatAddress(kind, sent) ? sent : null;
  }

  return {
    /** Whether a token is that of a subscriber of the page, for either purpose. */
    async isLink(id: number, token: string) {
      for (const purpose of ['confirm', 'manage'] as const)
        if ((await subscriptions.find({ id }, token, purpose)) !== null) return true;
      return false;
    },

    /** @param by the way that the visitor chose; the first one that the page offers where it has no such way */
    subscribeForm: (pageId: number, by: string | null) =>
      on(pageId, async (plain) => {
        const outline = await offering(plain);
        const sent = await mailings.countUpdates(database.read, pageId, clock.now() - 90 * DAY_MS);
        const way = waysOf(outline.page).find((one) => one === by) ?? waysOf(outline.page)[0]!;
        return formOf(outline, way, { sent });
      }),

    /** Sends the message to confirm an address. The answer is the same for known addresses. */
    subscribe: (pageId: number, form: URLSearchParams, client: string) =>
      on(pageId, async (plain) => {
        const outline = await offering(plain);
        const { page, services, words } = outline;
        const wanted = form.get('kind') ?? 'email';
        const kind = page.subscribeBy.find((one) => one === wanted);
        if (kind === undefined) return notOffered(outline);
        const address = addressOf(kind, form);
        if (address === null) return formOf(outline, kind, { refused: form });
        const { tooManyTitle, tooMany } = words.subscribe;
        const refusal = answer(page, 429, 'subscribe', { title: tooManyTitle, text: tooMany });
        try {
          const requested = await database.transaction((tx) =>
            subscriptions.request(tx, page, {
              kind,
              address,
              monitors: chosen(form, services),
              createdBy: null,
              sender: { personId: null, teamId: null, client: deps.clientKey(client) },
            }),
          );
          if ('fault' in requested) return refusal;
        } catch (error) {
          if (!(error instanceof BudgetExceeded)) throw error;
          return refusal;
        }
        return answer(page, 200, 'subscribe', nextStep(kind, words));
      }),

    confirmForm: (pageId: number, token: string, asked: URLSearchParams) =>
      on(pageId, async ({ page, services, words: { subscribe } }) => {
        if ((await subscriptions.find(page, token, 'confirm')) === null) return invalid(page);
        return answer(page, 200, 'confirm', {
          title: subscribe.confirmTitle,
          text: subscribe.confirmText(page.name),
          fields: [hidden('token', token), ...choices(page, services, chosen(asked, services))],
          submit: subscribe.confirm,
        });
      }),

    confirm: (pageId: number, token: string, form: URLSearchParams) =>
      on(pageId, async ({ page, services, words: { subscribe } }) => {
        const manage = await subscriptions.confirm(page, token, chosen(form, services));
        if (manage === null) return invalid(page);
        const url = linkOf(page, 'confirm', 'subscription', `token=${manage}`);
        return answer(page, 200, 'confirm', {
          title: subscribe.confirmedTitle,
          text: subscribe.confirmed(page.name),
          links: [{ label: subscribe.manageTitle, url }],
        });
      }),

    changeForm: (pageId: number, token: string) =>
      on(pageId, async ({ page, services, words: { subscribe } }) => {
        const row = await subscriptions.find(page, token, 'manage');
        if (row === null) return invalid(page);
        const url = linkOf(page, 'subscription', 'unsubscribe', `token=${token}`);
        return answer(page, 200, 'subscription', {
          title: subscribe.manageTitle,
          text: subscribe.manageText(page.name),
          fields: [hidden('token', token), ...choices(page, services, JSON.parse(row.monitors))],
          submit: subscribe.save,
          links: [{ label: subscribe.unsubscribe, url }],
          values: subscriptions.secretOf(row).map((value) => ({ name: subscribe.secret, value })),
        });
      }),

    change: (pageId: number, token: string, form: URLSearchParams) =>
      on(pageId, async ({ page, services, words: { subscribe } }) => {
        if (!(await subscriptions.change(page, token, chosen(form, services))))
          return invalid(page);
        const { savedTitle: title, saved: text } = subscribe;
        return answer(page, 200, 'subscription', { title, text });
      }),

    endForm: (pageId: number, token: string) =>
      on(pageId, async ({ page, services, words: { subscribe, mail } }) => {
        if ((await subscriptions.find(page, token, 'manage')) === null) return invalid(page);
        const url = linkOf(page, 'unsubscribe', 'subscription', `token=${token}`);
        return answer(page, 200, 'unsubscribe', {
          title: subscribe.unsubscribeTitle,
          text: subscribe.unsubscribeText(page.name),
          fields: [hidden('token', token)],
          submit: subscribe.unsubscribe,
          ...(services.length > 1 && { links: [{ label: mail.change, url }] }),
        });
      }),

    end: (pageId: number, token: string) =>
      on(pageId, async ({ page, words: { subscribe } }) => {
        if (!(await subscriptions.end(page, token))) return invalid(page);
        const { unsubscribedTitle: title } = subscribe;
        return answer(page, 200, 'unsubscribe', { title, text: subscribe.unsubscribed(page.name) });
      }),
  };
}

type FormName = 'subscribe' | 'confirm' | 'subscription' | 'unsubscribe';

const linkOf = ({ slug }: PageIdentity, from: FormName, to: FormName, query: string) =>
  `${linkBetween(DOCUMENTS[from](slug), DOCUMENTS[to](slug))}?${query}`;

/** A page with a title, a text and, where there are fields, a form that is posted to its own address. */
function answer(
  page: PageIdentity,
  status: number,
  name: FormName,
  {
    fields,
    submit = '',
    ...shown
  }: Pick<Message, 'title' | 'text' | 'links' | 'values' | 'choices' | 'error'> & {
    fields?: FormField[];
    submit?: string;
  },
): FormAnswer {
  const document = DOCUMENTS[name](page.slug);
  const form = fields === undefined ? {} : { form: { action: document, fields, submit } };
  return { status, html: renderMessage(page, { document, ...shown, ...form }) };
}

function invalid(page: PageIdentity): FormAnswer {
  const { invalidLinkTitle: title, invalidLink: text } = wordsOf(page.language).subscribe;
  return answer(page, 410, 'confirm', { title, text });
}

function notOffered({ page, words }: Outline): FormAnswer {
  const { notOfferedTitle: title, notOffered: text } = words.subscribe;
  return answer(page, 422, 'subscribe', { title, text, choices: choiceOfWays(page, words, null) });
}

const waysOf = ({ subscribeBy }: PageIdentity): readonly Way[] => [...subscribeBy, 'feeds'];

function choiceOfWays(page: PageIdentity, words: Words, current: Way | null) {
  const urlOf = (way: Way) => linkOf(page, 'subscribe', 'subscribe', `by=${way}`);
  return {
    label: words.subscribe.title,
    current: current === null ? '' : urlOf(current),
    links: waysOf(page).map((way) => ({
      label: way === 'feeds' ? words.subscribe.feeds : nameOfWay(way, words),
      url: urlOf(way),
    })),
  };
}

/**
 * The form to subscribe in one way, with links to the others.
 *
 * @param options.refused the submitted one, whose address is invalid.
 * @param options.sent updates of the last 90 days.
 */
function formOf(
  { page, services, words }: Outline,
  way: Way,
  { refused, sent }: { refused?: URLSearchParams; sent?: number },
): FormAnswer {
  const { subscribe } = words;
  const shown = {
    title: subscribe.title,
    text: [
      ...(way === 'feeds' ? [] : [subscribe.explanation]),
      ...(sent === undefined ? [] : [subscribe.sent(sent)]),
    ].join(' '),
    choices: choiceOfWays(page, words, way),
  };
  if (way === 'feeds')
    return answer(page, 200, 'subscribe', {
      ...shown,
      links: feedsFrom(DOCUMENTS.subscribe(page.slug), page.slug),
    });
  const chosenBefore = refused === undefined ? [] : chosen(refused, services);
  const error = way === 'email' ? subscribe.invalidEmail : subscribe.invalid(EXAMPLES[way]);
  return answer(page, refused === undefined ? 200 : 422, 'subscribe', {
    ...shown,
    error: refused === undefined ? null : error,
    fields: [
      hidden('kind', way),
      addressField(way, words, refused),
      ...choices(page, services, chosenBefore),
    ],
    submit: subscribe.submit,
  });
}

function addressField(kind: SubscriberKind, { subscribe }: Words, refused?: URLSearchParams) {
  const { hints, email, number, hook } = subscribe;
  const valueOf = (name: string) => ({ name, value: refused?.get(name) ?? '' });
  if (kind === 'email')
    return { type: 'email', label: email, autocomplete: 'email', ...valueOf('email') } as const;
  const shown = { placeholder: EXAMPLES[kind], hint: hints[kind], ...valueOf('address') };
  if (kind === 'sms') return { type: 'tel', label: number, autocomplete: 'tel', ...shown } as const;
  return { type: 'url', label: hook, ...shown } as const;
}

/** What a visitor does after the form. */
function nextStep(kind: SubscriberKind, { subscribe }: Words): { title: string; text: string } {
  const { checkMailTitle, checkMail, stepTitle: title, step } = subscribe;
  if (kind === 'email') return { title: checkMailTitle, text: checkMail };
  return { title, text: kind === 'webhook' || kind === 'sms' ? step[kind] : step.channel };
}

function hidden(name: string, value: string): FormField {
  return { type: 'hidden', name, value };
}

/** Choice of services: none chosen stands for the whole page. */
function choices(page: PageIdentity, services: Services, monitors: number[]): FormField[] {
  if (services.length < 2) return [];
  const { subscribe } = wordsOf(page.language);
  const options = services.map(({ monitorId, name, group }) => ({
    value: String(monitorId),
    label: name,
    group,
    isChecked: monitors.includes(monitorId),
  }));
  const legend = subscribe.someServices;
  return [{ type: 'choices', name: 'monitors', legend, isMultiple: true, options }];
}

function chosen(form: URLSearchParams, services: Services): number[] {
  const wanted = new Set(form.getAll('monitors'));
  return services.map(({ monitorId }) => monitorId).filter((id) => wanted.has(String(id)));
}
