import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'esbuild';
import type { Language } from './manifest.ts';

/**
 * Loads the words of the dashboard with the parts that use them. They are one file a language, for translators; a browser that
 * loaded all of them would load 27 kB for a page that shows 6. So the dashboard is built once for each language, and a module
 * gets, in place of all words, the sections that it names (`words.monitors`, or `const { monitors } = words`). Where they are
 * loaded follows from where the module is.
 */

/** Import of the words, alone or among other names. */
const IMPORT = /^import \{ words \} from '[./]*words\/index\.ts';$/m;
/** Any other import of them that is not one of types. */
const OTHER_IMPORT = /^import (?!type\b)[^;]*words\/index\.ts';$/m;
/** Each use of the words: `words.nav`, and `{ nav, common } = words`. */
const MEMBER = /(?<![\w.$/'"`])words\.(\w+)/g;
const PARTS = /\{([^{}]*)\}\s*=\s*words(?![\w.])/g;

/** The plugin that gives modules the sections in a language. */
export function wordsIn(language: Language, root: string): Plugin {
  const folder = path.join(root, 'web', 'words');
  return {
    name: 'words',
    setup(build) {
      build.onLoad({ filter: /[/\\]web[/\\].*\.tsx?$/ }, async ({ path: file }) => {
        const contents = withSections(await readFile(file, 'utf8'), file);
        if (contents === null) return undefined;
        return { contents, loader: file.endsWith('x') ? 'tsx' : 'ts' };
      });
      build.onResolve({ filter: /^words:/ }, ({ path: name }) => ({
        path: name.slice('words:'.length),
        namespace: 'words',
      }));
      build.onLoad({ filter: /.*/, namespace: 'words' }, async ({ path: name }) => {
        const text = await readFile(path.join(folder, `${language}.ts`), 'utf8');
        return { contents: sectionOf(text, name), loader: 'ts', resolveDir: folder };
      });
    },
  };
}

/**
 * Replaces the import of all words by one of each section that a module names; null for a module without that import.
 *
 * @param file name for errors.
 * @throws an Error when the module uses the words otherwise, so that its sections are unknown.
 */
export function withSections(source: string, file: string): string | null {
  const refuse = () => {
    throw new Error(
      `${file} must import the words with "import { words } from …" alone, and name their sections: words.section, or { section } = words.`,
    );
  };
  if (!IMPORT.test(source)) return OTHER_IMPORT.test(source) ? refuse() : null;
  const sections = sectionsIn(source.replace(IMPORT, ''));
  if (sections.length === 0) return refuse();
  const imports = sections.map((name) => `import ${name}_words from 'words:${name}';`);
  const members = sections.map((name) => `${name}: ${name}_words`);
  // In one line, so that errors name the right lines.
  return source.replace(IMPORT, `${imports.join(' ')} const words = { ${members.join(', ')} };`);
}

function sectionsIn(source: string): string[] {
  const members = Array.from(source.matchAll(MEMBER), ([, name]) => name!);
  const parts = Array.from(source.matchAll(PARTS), ([, names]) =>
    names!.split(',').map((name) => name.split(':', 1)[0]!.trim()),
  );
  return [...new Set([...members, ...parts.flat()])].filter((name) => name !== '').toSorted();
}

/**
 * Module with one section of a language.
 *
 * @param text file of the language: after what all sections share, an object whose sections begin and end at two spaces.
 * @throws an Error when there is no such section.
 */
export function sectionOf(text: string, name: string): string {
  const lines = text.split('\n');
  const object = lines.findLastIndex((line) => line.startsWith('export const '));
  const begin = lines.indexOf(`  ${name}: {`, object);
  const end = lines.indexOf('  },', begin);
  if (object < 0 || begin < 0 || end < 0) throw new Error(`There are no words named ${name}.`);
  const shared = lines.slice(0, object);
  return [...shared, 'export default {', ...lines.slice(begin + 1, end), '};', ''].join('\n');
}
