import type { Owner } from './bootstrap.ts';

/** What the first start shows once, for people at a terminal; empty at later ones. */
export function firstStartText(
  { token, setupToken }: Pick<Owner, 'token' | 'setupToken'>,
  baseUrl: string,
): string {
  const parts: string[] = [];
  if (setupToken !== null) {
    const link = `${baseUrl}/setup?token=${setupToken}`;
    parts.push(
      `Open this link to choose your password. It is shown this once, and works once:`,
      link,
    );
  }
  if (token !== null) parts.push('Your API token, shown this once, has all permissions:', token);
  if (parts.length === 0) return '';
  const lines = parts.map((part, index) => (index % 2 === 0 ? part : `  ${part}`));
  return `\nThis is the first start.\n\n${lines.join('\n\n')}\n\n`;
}
