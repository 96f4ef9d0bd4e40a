import { escapeTags } from '../../lib/text.ts';

const ADDRESS = /(https?:\/\/[^\s<>]+)/;
/** Characters that are mark-up anywhere. */
const MARKS = /[\\*_~`|[\]]/g;
/** Characters that are mark-up at the beginning of a line. */
const LINE_MARKS = /(^|\n)(\s*)([#>+-])/g;
/** A colon that begins the name of an emoji, such as `:tada:`. */
const EMOJI_COLON = /:(?=[a-z_+-][\w+-]*:)/gi;
/** Invisible, and no part of a word: what it divides is no mention. */
const ZERO_WIDTH_SPACE = '\u200b';

/**
 * Text of which Discord shows every character as it is. Web addresses stay as they are: it makes links of them before it
 * looks for marks, and would show the backslashes.
 */
export function discordText(text: string): string {
  return outsideAddresses(text, (part, isFirst) =>
    withoutMarks(part, isFirst)
      .replace(EMOJI_COLON, String.raw`\:`)
      .replaceAll('<', String.raw`\<`),
  );
}

/**
 * The same for Mattermost, which also reads Slack's `<!channel>` and `<address|text>`, and finds mentions in whatever
 * follows an `@`.
 */
export function mattermostText(text: string): string {
  return outsideAddresses(
    text,
    (part, isFirst) => {
      return withoutMarks(escapeTags(part), isFirst)
        .replace(EMOJI_COLON, `:${ZERO_WIDTH_SPACE}`)
        .replaceAll('@', `@${ZERO_WIDTH_SPACE}`);
    },
    // The same address, percent-encoded (RFC 3986, section 2.1).
    (address) => address.replaceAll('@', '%40'),
  );
}

/** Plain text in which nobody is mentioned: `@name` is no name any more. */
export function withoutMentions(text: string): string {
  return text.replace(/@(?=\w)/g, `@${ZERO_WIDTH_SPACE}`);
}

/** @param isFirst whether the part begins a line. */
function withoutMarks(part: string, isFirst: boolean): string {
  return part
    .replace(MARKS, String.raw`\$&`)
    .replace(LINE_MARKS, (whole: string, before: string, space: string, mark: string) =>
      before === '' && !isFirst ? whole : `${before}${space}\\${mark}`,
    );
}

function outsideAddresses(
  text: string,
  write: (part: string, isFirst: boolean) => string,
  writeAddress = (address: string): string => address,
): string {
  // What the expression captures stands at the odd places.
  return text
    .split(ADDRESS)
    .map((part, index) => (index % 2 === 1 ? writeAddress(part) : write(part, index === 0)))
    .join('');
}
