/** What a page is put together from. All of it is text of ours but what goes through `escaped`. */
export interface Page {
  title: string;
  /** Of the script that brings it to life, such as `sign-in.js`. */
  script: string;
  /** Forms stand in a narrow column, lists in a wide one. */
  width: 'narrow' | 'wide';
  /** HTML. */
  main: string;
}

/**
 * The whole document. Its addresses are relative, so that it works below the path of a BASE_URL that has one.
 *
 * @param assets the folder of its scripts and style sheet, seen from the page.
 */
export function documentOf({ title, script, width, main }: Page, assets: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} · Tocsin</title>
<link rel="icon" href="${assets}/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${assets}/style.css">
<script type="module" src="${assets}/${script}"></script>
</head>
<body class="${width}">
<header><img src="${assets}/icon.svg" alt="" width="28" height="28"><span>Tocsin</span></header>
<main>
<noscript><p class="notice bad">This page needs JavaScript. Allow it for this address, then load the page again.</p></noscript>
${main}
</main>
</body>
</html>
`;
}

/** A field with its label, its hint and the place of its error. */
export interface Field {
  /** As the API calls it, so that its errors find it. */
  name: string;
  /** Unique on the page; the name unless told otherwise. */
  id?: string;
  label: string;
  hint?: string;
  type?: 'text' | 'email' | 'password';
  autocomplete?: string;
  optional?: boolean;
  /** Further attributes. */
  more?: string;
}

export function field(options: Field): string {
  const { name, label, hint, type = 'text', autocomplete, optional = false, more = '' } = options;
  const id = options.id ?? name;
  const hintId = hint === undefined ? '' : `${id}-hint `;
  const attributes = [
    `id="${id}"`,
    `name="${name}"`,
    `type="${type}"`,
    ...(autocomplete === undefined ? ['autocomplete="off"'] : [`autocomplete="${autocomplete}"`]),
    `aria-describedby="${hintId}${id}-error"`,
    ...(optional ? [] : ['required']),
    // Passwords and addresses are no prose.
    ...(type === 'text' ? [] : ['spellcheck="false"', 'autocapitalize="none"']),
    ...(more === '' ? [] : [more]),
  ];
  return `<div class="field" data-field="${name}">
<label for="${id}">${escapeHtml(label)}${optional ? ' <span class="faint">(optional)</span>' : ''}</label>
<input ${attributes.join(' ')}>
${hint === undefined ? '' : `<p class="hint" id="${id}-hint">${escapeHtml(hint)}</p>\n`}<p class="error" id="${id}-error" hidden></p>
</div>`;
}

/**
 * Two fields for a password that is new, so that a slip of the finger shuts nobody out.
 *
 * @param options.label what the first is called; the second is called so, too, and "once more"
 */
export function newPasswordFields(options: {
  name: string;
  label: string;
  idPrefix?: string;
}): string {
  const { name, label, idPrefix = '' } = options;
  const both = { type: 'password', autocomplete: 'new-password' } as const;
  return [
    field({
      ...both,
      name,
      id: `${idPrefix}${name}`,
      label,
      hint: 'At least 8 characters. A few words in a row are easy to remember and hard to guess.',
      more: 'minlength="8" maxlength="128"',
    }),
    field({
      ...both,
      name: 'repeated_password',
      id: `${idPrefix}repeated_password`,
      label: `${label}, once more`,
    }),
  ].join('\n');
}

/** Tells password managers whose password it is; its script fills it in. */
export const HIDDEN_USERNAME =
  '<input type="email" name="username" autocomplete="username" tabindex="-1" aria-hidden="true" class="unseen" readonly>';

/** A form that its script sends. It has no address of its own: without the script nothing is sent anywhere. */
export function form(
  id: string,
  options: { submit: string; fields: string; primary?: boolean },
): string {
  const { submit, fields, primary = true } = options;
  return `<form id="${id}" method="post">
<p class="notice bad" role="alert" hidden></p>
${fields}
<p class="notice good" role="status" hidden></p>
<button type="submit"${primary ? ' class="primary"' : ''}>${escapeHtml(submit)}</button>
</form>`;
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
