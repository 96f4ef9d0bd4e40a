import type { PageIdentity } from '../facts/model.ts';
import { DOCUMENTS, linkBetween } from '../facts/urls.ts';
import { backTo, renderDocument } from './document.ts';
import { html, NOTHING, type Html } from './html.ts';
import { wordsOf } from './words/index.ts';

/** Field of a form on a public page. Names and values are those of the submitted form. */
export type FormField =
  | {
      type: 'email' | 'password' | 'text' | 'url' | 'tel';
      name: string;
      label: string;
      value?: string;
      autocomplete?: string;
      placeholder?: string;
      /** Text below the field. */
      hint?: string;
    }
  | { type: 'hidden'; name: string; value: string }
  | {
      type: 'choices';
      name: string;
      legend: string;
      /** One choice by radio buttons, or several by check boxes. */
      isMultiple: boolean;
      options: { value: string; label: string; group: string | null; isChecked: boolean }[];
    };

/** Page of a title, a text and perhaps a form, such as for subscribing. */
export interface Message {
  /** Its own path below `/status/`, as of `DOCUMENTS`: links and the action are relative to it. */
  document: string;
  title: string;
  text: string;
  /** Links below the text: absolute addresses, or ones relative to the document. */
  links?: readonly { label: string; url: string }[];
  /** Choice between several such pages; `current` is the url of this one. */
  choices?: { label: string; current: string; links: readonly { label: string; url: string }[] };
  /** Values that visitors copy. */
  values?: readonly { name: string; value: string }[];
  error?: string | null;
  /** `action` is a path below `/status/`, as of `DOCUMENTS`. */
  form?: { action: string; fields: readonly FormField[]; submit: string };
}

export function renderMessage(page: PageIdentity, message: Message): string {
  const { document, title, text, links = [], values = [], choices, form, error = null } = message;
  return renderDocument({
    page,
    document,
    title,
    description: text,
    tone: 'unknown',
    isListed: false,
    main: html`<section class="card message">
        <h1>${title}</h1>
        <p>${text}</p>
        ${choices === undefined ? NOTHING : navOf(choices)}
        ${values.map(({ name, value }) => html`<p>${name}: <code>${value}</code></p> `)}
        ${links.map(({ label, url }) => html`<p><a href="${url}">${label}</a></p> `)}
        ${
          error === null ? NOTHING : html`<p class="error" role="alert">${error}</p> `
        }${form === undefined ? NOTHING : formOf(form, document)}
      </section>
      ${form?.action === DOCUMENTS.signIn(page.slug) ? NOTHING : backTo(page, document)}`,
  });
}

function navOf({ label, current, links }: NonNullable<Message['choices']>): Html {
  return html`<nav class="ways" aria-label="${label}">
    ${links.map(
      (link) =>
        html`<a href="${link.url}" ${link.url === current ? html` aria-current="page"` : null}
          >${link.label}</a
        > `,
    )}
  </nav> `;
}

/**
 * Form for the password of a page.
 *
 * @param options.document where it is shown, a path below `/status/`: links are relative to it
 * @param options.returnTo document to show afterwards, a path below `/status/`, as of `DOCUMENTS`
 */
export function renderSignIn(
  page: PageIdentity,
  options: { document: string; error: string | null; returnTo: string },
): string {
  const { signIn } = wordsOf(page.language);
  return renderMessage(page, {
    document: options.document,
    title: signIn.title,
    text: signIn.explanation(page.name),
    error: options.error,
    form: {
      action: DOCUMENTS.signIn(page.slug),
      fields: [
        {
          type: 'password',
          name: 'password',
          label: signIn.password,
          autocomplete: 'current-password',
        },
        { type: 'hidden', name: 'return_to', value: options.returnTo },
      ],
      submit: signIn.submit,
    },
  });
}

/** Answer of addresses below a page that do not exist. */
export function renderNotFound(page: PageIdentity, document: string): string {
  const { notFound } = wordsOf(page.language);
  return renderMessage(page, { document, title: notFound.title, text: notFound.text });
}

function formOf(form: NonNullable<Message['form']>, document: string): Html {
  return html`<form method="post" action="${linkBetween(document, form.action)}">
    ${form.fields.map(fieldOf)}<button class="btn primary" type="submit">${form.submit}</button>
  </form> `;
}

function fieldOf(field: FormField): Html {
  if (field.type === 'hidden')
    return html`<input type="hidden" name="${field.name}" value="${field.value}" /> `;
  if (field.type === 'choices') {
    const type = field.isMultiple ? 'checkbox' : 'radio';
    const options = field.options.map(({ value, label, group, isChecked }) => {
      const inGroup = group === null ? NOTHING : html` <small class="hint">${group}</small>`;
      return html`<label class="choice"
        ><input
          type="${type}"
          name="${field.name}"
          value="${value}"
          ${isChecked ? html` checked` : null}
        /><span>${label}${inGroup}</span></label
      > `;
    });
    return html`<fieldset>
      <legend>${field.legend}</legend>
      ${options}
    </fieldset> `;
  }
  const { name, type, label, value = '', autocomplete = 'off', hint } = field;
  const { placeholder = type === 'email' ? 'you@example.com' : null } = field;
  return html`<label for="f-${name}">${label}</label>
    <input
      id="f-${name}"
      name="${name}"
      type="${type}"
      value="${value}"
      autocomplete="${autocomplete}"
      required${type === 'email' ? html` maxlength="254"` : null}${
        placeholder === null ? null : html` placeholder="${placeholder}"`
      }${hint === undefined ? null : html` aria-describedby="h-${name}"`}
    />
    ${hint === undefined ? NOTHING : html`<p class="hint" id="h-${name}">${hint}</p> `}`;
}
