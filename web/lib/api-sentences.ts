/**
 * What the API says, in the language of the page: it says it in English, in sentences with a fixed form. What no row of
 * the table knows stays as it is. Pure.
 */

interface Row {
  pattern: RegExp;
  text: string;
}

/** Characters that mean something in a pattern. */
const SPECIAL = /[$()*+.?[\\\]^{|}]/g;

/** The table that was read last. */
let rows: { of: object; all: Row[] } | null = null;

/**
 * A sentence of the API, or what follows the name of a field in one, such as "must be true or false.".
 *
 * @param table `words.sentences.ofApi`
 */
export function apiSentence(sentence: string, table: Readonly<Record<string, string>>): string {
  if (rows?.of !== table) rows = { of: table, all: rowsOf(table) };
  for (const { pattern, text } of rows.all) {
    const found = pattern.exec(sentence);
    if (found !== null) return text.replaceAll(/\{(\d)\}/g, (_, at: string) => found[Number(at)]!);
  }
  return sentence;
}

/** `{1}` stands for a part that differs, which the text may leave out. */
function rowsOf(table: Readonly<Record<string, string>>): Row[] {
  return Object.entries(table).map(([sentence, text]) => {
    const source = sentence
      .split(/\{\d\}/)
      .map((piece) => piece.replaceAll(SPECIAL, String.raw`\$&`))
      .join('(.+?)');
    return { pattern: new RegExp(`^${source}\\.?$`, 's'), text: `${text}.` };
  });
}
