import type { SecretValue } from '../document.ts';
import { slugOf } from '../keys.ts';
import type { Notes } from './notes.ts';
import { textOf } from './values.ts';

/** How a service writes variables in its texts. */
export interface VariableSyntax {
  /** At the beginning of the names of variables that stand for a whole text, such as `gatus`. */
  service: string;
  /** Its first group that is not empty is the name. */
  pattern: RegExp;
  /** What stands for a `$`. */
  dollar?: string;
}

const NAME = /^[A-Za-z_]\w{0,254}$/;

const firstIn = (text: string, { pattern, dollar = '' }: VariableSyntax) =>
  pattern.exec(dollar === '' ? text : text.replaceAll(dollar, '  '));

/** Whether a text has a variable in it. */
export const hasVariable = (value: unknown, syntax: VariableSyntax) =>
  firstIn(textOf(value) ?? '', syntax) !== null;

/**
 * The text of a scalar, or the environment variable that it is. A text with a variable in it becomes a variable of its
 * own, which a remark asks for.
 *
 * @param place names that make up the name of that variable.
 */
export function resolved(
  value: unknown,
  { syntax, place, notes }: { syntax: VariableSyntax; place: readonly string[]; notes: Notes },
): string | SecretValue | undefined {
  const text = textOf(value);
  const found = firstIn(text ?? '', syntax);
  if (text === undefined || found === null)
    return syntax.dollar === undefined ? text : text?.replaceAll(syntax.dollar, '$');
  const name = found.slice(1).find((group) => group) ?? '';
  if (found[0] === text && NAME.test(name)) return { from: `env ${name}` };
  const own = [syntax.service, ...place].map((part) => slugOf(part).replace(/\W/g, '_')).join('_');
  const variable = own.toUpperCase().slice(0, 255);
  notes.remark(
    `Set the variable ${variable} to the text ${JSON.stringify(text)}, with its variables filled in.`,
  );
  return { from: `env ${variable}` };
}
