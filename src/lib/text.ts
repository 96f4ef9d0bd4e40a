/** Replaces control characters, including NUL, and lone surrogates: one line of text that any database accepts. */
export function storableText(text: string): string {
  return text.toWellFormed().replace(/\s*\p{Cc}+\s*/gu, ' ');
}

/** Formats untrusted text for display: one trimmed line without control and bidirectional characters. May be empty. */
export function singleLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Bidi_Control}\s]+/gu, ' ')
    .trim();
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
