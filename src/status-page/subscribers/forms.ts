import { isMailAddress } from '../../model/mail-address.ts';
import type { MailQueue } from '../../store/alerting/mails.ts';
import type { Database } from '../../store/database/contract.ts';
import { BudgetExceeded } from '../../store/people/budgets.ts';
import type { PageIdentity } from '../facts/model.ts';
import { DOCUMENTS, linkBetween } from '../facts/urls.ts';
import { renderMessage, type FormField, type Message } from '../render/index.ts';
import { wordsOf, type Words } from '../render/words/index.ts';
import { readPageOutline } from '../read-facts.ts';
import type { Subscriptions } from './subscriptions.ts';

/** Status and HTML of an answer; null for a page that does not exist. */
export type FormAnswer = { status: number; html: string } | null;

/** The forms of subscriptions, as visitors see them. A token is that of a link in a mail. */
export interface SubscriptionForms {
  /** Whether a token is that of a subscriber of the page, for whatever purpose. */
  isLink(pageId: number, token: string): Promise<boolean>;
  subscribeForm(pageId: number): Promise<FormAnswer>;
  /** Sends the mail to confirm an address. The answer is the same for known addresses. */
  subscribe(pageId: number, form: URLSearchParams, client: string): Promise<FormAnswer>;
  /** @param asked the services of the link, which the visitor may change. */
  confirmForm(pageId: number, token: string, asked: URLSearchParams): Promise<FormAnswer>;
  confirm(pageId: number, token: string, form: URLSearchParams): Promise<FormAnswer>;
  changeForm(pageId: number, token: string): Promise<FormAnswer>;
  change(pageId: number, token: string, form: URLSearchParams): Promise<FormAnswer>;
  endForm(pageId: number, token: string): Promise<FormAnswer>;
  end(pageId: number, token: string): Promise<FormAnswer>;
}

export interface SubscriptionFormsDeps {
  database: Database;
  subscriptions: Subscriptions;
  mailQueue: Pick<MailQueue, 'isConfigured'>;
  /** Key under which the requests of a client address are counted. */
  clientKey(address: string): string;
}

type Services = readonly { monitorId: number; name: string }[];
type Outline = { page: PageIdentity; services: Services; words: Words };

export function createSubscriptionForms(deps: SubscriptionFormsDeps): SubscriptionForms {
  const { database, subscriptions, mailQueue } = deps;

  /** Runs work with the page; null without one. */
  async function on(
    pageId: number,
    work: (outline: Outline) => Promise<FormAnswer>,
  ): Promise<FormAnswer> {
    const outline = await readPageOutline(database, pageId);
    return outline === null ? null : work({ ...outline, words: wordsOf(outline.page.language) });
  }

  return {
    async isLink(id, token) {
      for (const purpose of ['confirm', 'manage'] as const)
        if ((await subscriptions.find({ id }, token, purpose)) !== null) return true;
      return false;
    },

    subscribeForm: (pageId) =>
      on(pageId, async (outline) =>
        mailQueue.isConfigured ? formOf(outline) : noMail(outline.page),
      ),

    subscribe: (pageId, form, client) =>
      on(pageId, async (outline) => {
        const { page, services, words } = outline;
        if (!mailQueue.isConfigured) return noMail(page);
        const address = (form.get('email') ?? '').trim();
        if (!isMailAddress(address)) return formOf(outline, form);
        const document = DOCUMENTS.subscribe(page.slug);
        const { tooManyTitle, tooMany, checkMailTitle, checkMail } = words.subscribe;
        try {
          await database.transaction((tx) =>
            subscriptions.request(tx, page, {
              address,
              monitors: chosen(form, services),
              createdBy: null,
              sender: { personId: null, teamId: null, client: deps.clientKey(client) },
            }),
          );
        } catch (error) {
          if (!(error instanceof BudgetExceeded)) throw error;
          return message(page, 429, { document, title: tooManyTitle, text: tooMany });
        }
        return message(page, 200, { document, title: checkMailTitle, text: checkMail });
      }),

    confirmForm: (pageId, token, asked) =>
      on(pageId, async ({ page, services, words: { subscribe } }) => {
        if ((await subscriptions.find(page, token, 'confirm')) === null) return invalid(page);
        const document = DOCUMENTS.confirm(page.slug);
        const fields = [hidden(token), ...choices(page, services, chosen(asked, services))];
        return message(page, 200, {
          document,
          title: subscribe.confirmTitle,
          text: subscribe.confirmText(page.name),
          form: { action: document, fields, submit: subscribe.confirm },
        });
      }),

    confirm: (pageId, token, form) =>
      on(pageId, async ({ page, services, words: { subscribe } }) => {
        if (!(await subscriptions.confirm(page, token, chosen(form, services))))
          return invalid(page);
        const { confirmedTitle: title } = subscribe;
        const document = DOCUMENTS.confirm(page.slug);
        return message(page, 200, { document, title, text: subscribe.confirmed(page.name) });
      }),

    changeForm: (pageId, token) =>
      on(pageId, async ({ page, services, words: { subscribe } }) => {
        const row = await subscriptions.find(page, token, 'manage');
        if (row === null) return invalid(page);
        const document = DOCUMENTS.subscription(page.slug);
        const fields = [hidden(token), ...choices(page, services, JSON.parse(row.monitors))];
        return message(page, 200, {
          document,
          title: subscribe.manageTitle,
          text: subscribe.manageText(page.name),
          form: { action: document, fields, submit: subscribe.save },
          link: {
            label: subscribe.unsubscribe,
            url: `${linkBetween(document, DOCUMENTS.unsubscribe(page.slug))}?token=${token}`,
          },
        });
      }),

    change: (pageId, token, form) =>
      on(pageId, async ({ page, services, words: { subscribe } }) => {
        if (!(await subscriptions.change(page, token, chosen(form, services))))
          return invalid(page);
        const document = DOCUMENTS.subscription(page.slug);
        return message(page, 200, { document, title: subscribe.savedTitle, text: subscribe.saved });
      }),

    endForm: (pageId, token) =>
      on(pageId, async ({ page, words: { subscribe } }) => {
        if ((await subscriptions.find(page, token, 'manage')) === null) return invalid(page);
        const document = DOCUMENTS.unsubscribe(page.slug);
        return message(page, 200, {
          document,
          title: subscribe.unsubscribeTitle,
          text: subscribe.unsubscribeText(page.name),
          form: { action: document, fields: [hidden(token)], submit: subscribe.unsubscribe },
        });
      }),

    end: (pageId, token) =>
      on(pageId, async ({ page, words: { subscribe } }) => {
        if (!(await subscriptions.end(page, token))) return invalid(page);
        const document = DOCUMENTS.unsubscribe(page.slug);
        const { unsubscribedTitle: title } = subscribe;
        return message(page, 200, { document, title, text: subscribe.unsubscribed(page.name) });
      }),
  };
}

function message(page: PageIdentity, status: number, shown: Message): FormAnswer {
  return { status, html: renderMessage(page, shown) };
}

function invalid(page: PageIdentity): FormAnswer {
  const { subscribe } = wordsOf(page.language);
  const document = DOCUMENTS.confirm(page.slug);
  return message(page, 410, {
    document,
    title: subscribe.invalidLinkTitle,
    text: subscribe.invalidLink,
  });
}

function noMail(page: PageIdentity): FormAnswer {
  const { subscribe } = wordsOf(page.language);
  const document = DOCUMENTS.subscribe(page.slug);
  return message(page, 503, { document, title: subscribe.noMailTitle, text: subscribe.noMail });
}

/** The form to subscribe. @param refused the submitted one, whose address is invalid. */
function formOf({ page, services, words }: Outline, refused?: URLSearchParams): FormAnswer {
  const { title, explanation, email, submit, invalidEmail } = words.subscribe;
  const document = DOCUMENTS.subscribe(page.slug);
  const address: FormField = {
    type: 'email',
    name: 'email',
    label: email,
    autocomplete: 'email',
    value: refused?.get('email') ?? '',
  };
  const chosenBefore = refused === undefined ? [] : chosen(refused, services);
  return message(page, refused === undefined ? 200 : 422, {
    document,
    title,
    text: explanation,
    error: refused === undefined ? null : invalidEmail,
    form: { action: document, fields: [address, ...choices(page, services, chosenBefore)], submit },
  });
}

function hidden(token: string): FormField {
  return { type: 'hidden', name: 'token', value: token };
}

/** Choice of services: none chosen stands for the whole page. */
function choices(page: PageIdentity, services: Services, monitors: number[]): FormField[] {
  if (services.length < 2) return [];
  const { subscribe } = wordsOf(page.language);
  const options = services.map(({ monitorId, name }) => ({
    value: String(monitorId),
    label: name,
    isChecked: monitors.includes(monitorId),
  }));
  const legend = subscribe.someServices;
  return [{ type: 'choices', name: 'monitors', legend, isMultiple: true, options }];
}

/** Ids of the chosen services of the page; none for the whole page. */
function chosen(form: URLSearchParams, services: Services): number[] {
  const wanted = new Set(form.getAll('monitors'));
  return services.map(({ monitorId }) => monitorId).filter((id) => wanted.has(String(id)));
}
