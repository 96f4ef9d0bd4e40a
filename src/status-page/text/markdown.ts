import { escapeMarkup, withoutControls } from './characters.ts';

/** Safe HTML of a text in the Markdown subset. */
export function markdownToHtml(text: string): string {
  return withoutControls(text)
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${escapeMarkup(paragraph.trim()).replaceAll('\n', '<br>')}</p>`)
    .join('\n');
}

/** Plain text of a text in the Markdown subset. */
export function markdownToText(text: string): string {
  return withoutControls(text).trim();
}
