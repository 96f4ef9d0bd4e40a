import type { FirstParts } from '../../dashboard/manifest.ts';
import { escapeHtml } from '../../lib/text.ts';
import type { Page } from '../pages/document.ts';
import type { Preferences } from './preferences.ts';

/** Folder of the dashboard's files in addresses. */
export const FILES_PATH = '/dashboard';

export interface DashboardParts {
  /** What it loads first. */
  first: FirstParts;
  preferences: Preferences;
  /** Path of BASE_URL without a trailing slash. */
  base: string;
  version: string;
  /** Address of the icon. */
  icon: string;
}

const NOSCRIPT = {
  en: 'The dashboard needs JavaScript. Allow it for this address, then load the page again.',
  de: 'Diese Oberfläche braucht JavaScript. Erlaube es für diese Adresse und lade die Seite neu.',
};

/**
 * Renders the document of pages of the dashboard, which tells nothing of their data. It has no inline scripts and styles; its
 * script reads the base path and the version from the attributes of `<html>`.
 */
export function dashboardDocument(parts: DashboardParts): string {
  const { first, preferences, base, version, icon } = parts;
  const { language, theme } = preferences;
  const address = (name: string) => escapeHtml(`${base}${FILES_PATH}/${name}`);
  const attributes = [
    `lang="${language}"`,
    ...(theme === null ? [] : [`data-theme="${theme}"`]),
    `data-base="${escapeHtml(base)}"`,
    `data-version="${escapeHtml(version)}"`,
  ];
  return `<!doctype html>
<html ${attributes.join(' ')}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${theme ?? 'light dark'}">
<meta name="robots" content="noindex">
<title>Tocsin</title>
<link rel="icon" href="${escapeHtml(icon)}" type="image/svg+xml">
${first.styles.map((name) => `<link rel="stylesheet" href="${address(name)}">\n`).join('')}${first.preloads
    .map((name) => `<link rel="modulepreload" href="${address(name)}">\n`)
    .join('')}<script type="module" src="${address(first.script)}"></script>
</head>
<body>
<div id="app"></div>
<noscript><p>${NOSCRIPT[language]}</p></noscript>
</body>
</html>
`;
}

/** Page that is shown in place of the dashboard while there is none. */
export const NOT_BUILT_PAGE: Page = {
  title: 'No dashboard',
  main: `<h1>The dashboard could not be built</h1>
<p>Tocsin works: it checks, notifies and answers its API. What is missing is its dashboard: the pages to sign in, to set up and of the links in mails and messages are part of it.</p>
<p>If you operate this installation: the log has the reason, in the line “The dashboard could not be built.” Correct it, run <code>npm run build</code> in the folder of Tocsin to try, then restart Tocsin.</p>`,
};
