import { isMailAddress } from '../../model/mail-address.ts';
import type { MailQueue } from '../../store/alerting/mails.ts';
import type { Database } from '../../store/database/contract.ts';
import { BudgetExceeded } from '../../store/people/budgets.ts';
import type { PageIdentity } from '../facts/model.ts';
import { DOCUMENTS, linkBetween } from '../facts/urls.ts';
import { renderMessage, type FormField, type Message } from '../render/message-page.ts';
import { wordsOf, type Words } from '../render/words/index.ts';
import { readPageOutline } from '../read-facts.ts';
import type { Subscriptions } from './subscriptions.ts';

/** Status and HTML of an answer; null for a page that does not exist. */
export type FormAnswer = { status: number; html: string } | null;

/** The forms of subscriptions, as visitors see them. A token is that of a link in a mail. */
export type SubscriptionForms = ReturnType<typeof createSubscriptionForms>;

type Services = readonly { monitorId: number; name: string }[];
type Outline = { page: PageIdentity; services: Services; words: Words };

export function createSubscriptionForms(deps: {
  database: Database;
  subscriptions: Subscriptions;
  mailQueue: Pick<MailQueue, 'isConfigured'>;
  clientKey(address: string): string;
}) {
  const { database, subscriptions, mailQueue } = deps;

  async function on(
    pageId: number,
    work: (outline: Outline) => Promise<FormAnswer>,
  ): Promise<FormAnswer> {
    const outline = await readPageOutline(database, pageId);
    return outline === null ? null : work({ ...outline, words: wordsOf(outline.page.language) });
  }

  return {
    /** Whether a token is that of a subscriber of the page, for whatever purpose. */
    async isLink(id: number, token: string) {
      for (const purpose of ['confirm', 'manage'] as const)
        if ((await subscriptions.find({ id }, token, purpose)) !== null) return true;
      return false;
    },

    subscribeForm: (pageId: number) =>
      on(pageId, async (outline) =>
        mailQueue.isConfigured ? formOf(outline) : noMail(outline.page),
      ),

    /** Sends the mail to confirm an address. The answer is the same for known addresses. */
    subscribe: (pageId: number, form: URLSearchParams, client: string) =>
      on(pageId, async (outline) => {
        const { page, services, words } = outline;
        if (!mailQueue.isConfigured) return noMail(page);
        const address = (form.get('email') ?? '').trim();
        if (!isMailAddress(address)) return formOf(outline, form);
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
          return answer(page, 429, 'subscribe', { title: tooManyTitle, text: tooMany });
        }
        return answer(page, 200, 'subscribe', { title: checkMailTitle, text: checkMail });
      }),

    /** @param asked the services of the link, which the visitor may change. */
    confirmForm: (pageId: number, token: string, asked: URLSearchParams) =>
      on(pageId, async ({ page, services, words: { subscribe } }) => {
        if ((await subscriptions.find(page, token, 'confirm')) === null) return invalid(page);
        return answer(page, 200, 'confirm', {
          title: subscribe.confirmTitle,
          text: subscribe.confirmText(page.name),
          fields: [hidden(token), ...choices(page, services, chosen(asked, services))],
          submit: subscribe.confirm,
        });
      }),

    confirm: (pageId: number, token: string, form: URLSearchParams) =>
      on(pageId, async ({ page, services, words: { subscribe } }) => {
        if (!(await subscriptions.confirm(page, token, chosen(form, services))))
          return invalid(page);
        const { confirmedTitle: title } = subscribe;
        return answer(page, 200, 'confirm', { title, text: subscribe.confirmed(page.name) });
      }),

    changeForm: (pageId: number, token: string) =>
      on(pageId, async ({ page, services, words: { subscribe } }) => {
        const row = await subscriptions.find(page, token, 'manage');
        if (row === null) return invalid(page);
        const end = linkBetween(
          DOCUMENTS.subscription(page.slug),
          DOCUMENTS.unsubscribe(page.slug),
        );
        return answer(page, 200, 'subscription', {
          title: subscribe.manageTitle,
          text: subscribe.manageText(page.name),
          fields: [hidden(token), ...choices(page, services, JSON.parse(row.monitors))],
          submit: subscribe.save,
          link: { label: subscribe.unsubscribe, url: `${end}?token=${token}` },
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
      on(pageId, async ({ page, words: { subscribe } }) => {
        if ((await subscriptions.find(page, token, 'manage')) === null) return invalid(page);
        return answer(page, 200, 'unsubscribe', {
          title: subscribe.unsubscribeTitle,
          text: subscribe.unsubscribeText(page.name),
          fields: [hidden(token)],
          submit: subscribe.unsubscribe,
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

/** A page with a title, a text and, where there are fields, a form that is posted to its own address. */
function answer(
  page: PageIdentity,
  status: number,
  name: 'subscribe' | 'confirm' | 'subscription' | 'unsubscribe',
  {
    fields,
    submit = '',
    ...shown
  }: Pick<Message, 'title' | 'text' | 'link' | 'error'> & { fields?: FormField[]; submit?: string },
): FormAnswer {
  const document = DOCUMENTS[name](page.slug);
  const form = fields === undefined ? {} : { form: { action: document, fields, submit } };
  return { status, html: renderMessage(page, { document, ...shown, ...form }) };
}

function invalid(page: PageIdentity): FormAnswer {
  const { invalidLinkTitle: title, invalidLink: text } = wordsOf(page.language).subscribe;
  return answer(page, 410, 'confirm', { title, text });
}

function noMail(page: PageIdentity): FormAnswer {
  const { noMailTitle: title, noMail: text } = wordsOf(page.language).subscribe;
  return answer(page, 503, 'subscribe', { title, text });
}

/** The form to subscribe. @param refused the submitted one, whose address is invalid. */
function formOf({ page, services, words }: Outline, refused?: URLSearchParams): FormAnswer {
  const { title, explanation, email, submit, invalidEmail } = words.subscribe;
  const address: FormField = {
    type: 'email',
    name: 'email',
    label: email,
    autocomplete: 'email',
    value: refused?.get('email') ?? '',
  };
  const chosenBefore = refused === undefined ? [] : chosen(refused, services);
  return answer(page, refused === undefined ? 200 : 422, 'subscribe', {
    title,
    text: explanation,
    error: refused === undefined ? null : invalidEmail,
    fields: [address, ...choices(page, services, chosenBefore)],
    submit,
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

function chosen(form: URLSearchParams, services: Services): number[] {
  const wanted = new Set(form.getAll('monitors'));
  return services.map(({ monitorId }) => monitorId).filter((id) => wanted.has(String(id)));
}
