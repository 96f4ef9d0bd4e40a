/** Colors of a page that can be chosen, by their token in custom CSS. */
export const TOKENS = ['--bg', '--surface', '--text'] as const;

export type Token = (typeof TOKENS)[number];

/** One color for light and one for dark, as #rrggbb. */
export interface Pair {
  light: string;
  dark: string;
}

export interface Look {
  colors: Partial<Record<Token, Pair>>;
  /** Custom CSS without the block of these colors. */
  css: string;
}

const BLOCK = /^\s*:root\s*\{([^{}]*)\}\s*/;
const COLOR = '(#[0-9a-f]{6})';
const DECLARATION = new RegExp(
  `^(--[\\w-]+)\\s*:\\s*light-dark\\(\\s*${COLOR}\\s*,\\s*${COLOR}\\s*\\)$`,
  'i',
);

/** Separates chosen colors from the rest of custom CSS. A block that holds anything else is left as it is. */
export function readLook(css: string): Look {
  const [block, inside] = BLOCK.exec(css) ?? [];
  if (block === undefined || inside === undefined) return { colors: {}, css };
  const colors: Look['colors'] = {};
  for (const line of inside
    .split(';')
    .map((text) => text.trim())
    .filter(Boolean)) {
    const [, name, light, dark] = DECLARATION.exec(line) ?? [];
    const token = TOKENS.find((known) => known === name);
    if (token === undefined || light === undefined || dark === undefined)
      return { colors: {}, css };
    colors[token] = { light, dark };
  }
  return { colors, css: css.slice(block.length) };
}

/** Custom CSS of a look; null for none. */
export function writeLook({ colors, css }: Look): string | null {
  const lines = TOKENS.flatMap((token) => {
    const pair = colors[token];
    return pair === undefined ? [] : [`  ${token}: light-dark(${pair.light}, ${pair.dark});`];
  });
  const block = lines.length === 0 ? '' : `:root {\n${lines.join('\n')}\n}\n`;
  const text = `${block}${css.trim() === '' ? '' : css}`;
  return text === '' ? null : text;
}
