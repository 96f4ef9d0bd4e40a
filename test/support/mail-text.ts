/** The words that a mail's HTML shows in its card and below it, without the heading, which its text has as the subject. */
export function wordsOfHtml(html: string): string[] {
  const shown = html
    .slice(html.indexOf('</h1>'))
    .replace(/<!--[^]*?-->/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
  return wordsOf(shown);
}

/** The words of its text, without marks of lists and links. */
export function wordsOfText(text: string): string[] {
  return wordsOf(text.replace('-- \n', '').replaceAll(/^- /gm, ''));
}

function wordsOf(text: string): string[] {
  return text.split(/:?\s+/).filter((word) => word !== '' && word !== '·');
}
