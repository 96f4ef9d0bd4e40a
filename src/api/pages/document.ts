import { escapeHtml } from '../../lib/text.ts';

/** Page that says one thing, without scripts. Text that is not our own must pass through `escapeHtml`. */
export interface Page {
  title: string;
  main: string;
}

/**
 * Renders a page. Its URLs work below the path of BASE_URL.
 *
 * @param assets path to the folder of its style sheets and icon, relative or with the path of BASE_URL.
 */
export function documentOf({ title, main }: Page, assets: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} · Tocsin</title>
${stylesOf(assets)}
</head>
<body>
<header><img src="${escapeHtml(assets)}/icon.svg" alt="" width="28" height="28"><span>Tocsin</span></header>
<main>
${main}
</main>
</body>
</html>
`;
}

/** Icon and style sheets of a page, the colors of the dashboard among them. */
export function stylesOf(assets: string): string {
  const folder = escapeHtml(assets);
  return `<link rel="icon" href="${folder}/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${folder}/tokens.css">
<link rel="stylesheet" href="${folder}/style.css">`;
}
