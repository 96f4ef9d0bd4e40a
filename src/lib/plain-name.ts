import { singleLine } from './text.ts';

/** Dots that browsers and mail programs accept in host names (UTS #46, section 2.3). */
const DOTS = /[.\u3002\uff0e\uff61\u2024]/gu;
/** Characters that are not seen, which could hide a host name from the rules below. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
const WORD = '[\\p{L}\\p{N}\\p{M}_-]';

/**
 * A name that somebody chose, for a mail to somebody who may not know them: one line without a scheme, a host name, an
 * address or anything else that mail programs turn into a link, and without invisible characters and double quotes. `https://evil.example/a`
 * becomes `https evil example a`, `Node.js` becomes `Node js`, and `v1.2` stays.
 *
 * @param maximum characters, including the ellipsis of a name that is truncated. May be empty.
 */
export function plainName(name: string, maximum: number): string {
  const plain = singleLine(name)
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(DOTS, '.')
    // The name stands in double quotes.
    .replace(/["“”„‟«»]/gu, "'")
    // Schemes, ports, paths and addresses.
    .replace(/:?[\\/]+/gu, ' ')
    .replace(/[:@]+(?=\S)/gu, ' ')
    // Host names: a dot that letters follow; IP addresses: three or more dots between digits.
    .replace(new RegExp(`(?<=${WORD})\\.+(?=${WORD}*[\\p{L}\\p{M}_-])`, 'gu'), ' ')
    .replace(/\d+(?:\.\d+){2,}/gu, (numbers) => numbers.replaceAll('.', ' '));
  const characters = [...singleLine(plain)];
  if (characters.length <= maximum) return characters.join('');
  return `${characters
    .slice(0, maximum - 1)
    .join('')
    .trimEnd()}…`;
}
