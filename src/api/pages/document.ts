/** Parts of a page. Text that is not our own must pass through `escapeHtml`. */
export interface Page {
  title: string;
  /** File name of its script, such as `sign-in.js`; null for a page without one. */
  script: string | null;
  /** Forms use a narrow column, lists a wide one. */
  width: 'narrow' | 'wide';
  /** HTML. */
  main: string;
}

/**
 * Renders a page. Its URLs work below the path of BASE_URL.
 *
 * @param assets path to the folder of its scripts and style sheet, relative or with the path of BASE_URL.
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
${script === null ? '' : `<script type="module" src="${assets}/${script}"></script>\n`}</head>
<body class="${width}">
<header><img src="${assets}/icon.svg" alt="" width="28" height="28"><span>Tocsin</span></header>
<main>
${script === null ? '' : NOSCRIPT}${main}
</main>
</body>
</html>
`;
}

const NOSCRIPT =
  '<noscript><p class="notice bad">This page needs JavaScript. Allow it for this address, then load the page again.</p></noscript>\n';

/** Form field with label, hint and error. */
export interface Field {
  /** Name of the field in the API, to which errors refer. */
  name: string;
  /** Unique on the page; the name by default. */
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
    // No spelling correction for passwords and addresses.
    ...(type === 'text' ? [] : ['spellcheck="false"', 'autocapitalize="none"']),
    ...(more === '' ? [] : [more]),
  ];
  return `<div class="field" data-field="${name}">
<label for="${id}">${escapeHtml(label)}${optional ? ' <span class="faint">(optional)</span>' : ''}</label>
<input ${attributes.join(' ')}>
${hint === undefined ? '' : `<p class="hint" id="${id}-hint">${escapeHtml(hint)}</p>\n`}<p class="error" id="${id}-error" hidden></p>
</div>`;
}

/** Form that is submitted by the page's script only. */
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
