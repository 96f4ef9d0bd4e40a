/**
 * Text that a monitored target sent: a page, a header, a DNS record, the error it answered with. A model reads it as
 * data, since the owner of the target could otherwise speak to the model.
 */
export interface TargetText {
  from_target: string;
  /** Present when the text was longer. */
  is_cut?: true;
}

/** Control characters, and those that are not seen: tags, bidirectional overrides, zero-width characters. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029]+/gu;

/**
 * Marks a text of a target, without characters that a person would not see. Null stays null.
 *
 * @param limit characters, counted as code points.
 */
export function fromTarget(text: string, limit: number): TargetText;
export function fromTarget(text: string | null, limit: number): TargetText | null;
export function fromTarget(text: string | null, limit: number): TargetText | null {
  if (text === null) return null;
  const { characters, isCut } = seen(text, limit);
  return {
    from_target: characters.join(''),
    ...(isCut && { is_cut: true as const }),
  };
}

/** Text that a member of the team wrote, such as a name: one line of at most `limit` characters. */
export function fromTeam(text: string, limit: number): string;
export function fromTeam(text: string | null, limit: number): string | null;
export function fromTeam(text: string | null, limit: number): string | null {
  if (text === null) return null;
  const { characters, isCut } = seen(text, limit);
  return isCut
    ? `${characters
        .slice(0, limit - 1)
        .join('')
        .trimEnd()}…`
    : characters.join('');
}

/** The first characters of a text that a person would see, and whether there are more. */
function seen(text: string, limit: number): { characters: string[]; isCut: boolean } {
  // Cut before it is cleaned, so that a long text costs no more than a short one.
  const start = text.slice(0, limit * 4);
  const whole = /[\uD800-\uDBFF]$/.test(start) ? start.slice(0, -1) : start;
  const characters = [...whole.toWellFormed().replace(HIDDEN, ' ').trim()];
  return {
    characters: characters.slice(0, limit),
    isCut: characters.length > limit || text.length > limit * 4,
  };
}
