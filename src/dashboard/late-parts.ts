import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Metafile, Plugin } from 'esbuild';
import { withSections } from './words.ts';

/**
 * Keeps in one file what is loaded together. A part that is loaded late, such as a page, finds loaded all that its document
 * begins with; `esbuild` does not know that, and makes a file of its own for each set of parts that share a module: many small
 * ones, which compress worse than few. So each late part imports what its document begins with. That loads and runs nothing again.
 */

/** Imports the pages of the document for visitors; whatever else is loaded late belongs to the other one. */
const VISITORS_PAGES = 'web/app/entry-pages.ts';
const VISITORS_ENTRY = 'web/entry.tsx';
/** What each document begins with, without its entry: that one starts it. */
const BEGINNINGS = { dashboard: 'web/app/app.tsx', visitors: 'web/app/entry-app.tsx' };

/** The plugin that has late parts import what their document begins with. */
export function lateParts(root: string): Plugin {
  const visitorsPages = path.join(root, VISITORS_PAGES);
  return {
    name: 'late-parts',
    setup(build) {
      const beginnings = new Map<string, string>();
      build.onResolve({ filter: /^\..*\.tsx?$/ }, ({ kind, path: name, resolveDir, importer }) => {
        if (kind !== 'dynamic-import') return undefined;
        const beginning = importer === visitorsPages ? BEGINNINGS.visitors : BEGINNINGS.dashboard;
        beginnings.set(path.join(resolveDir, name), path.join(root, beginning));
        return undefined;
      });
      build.onLoad({ filter: /[/\\]web[/\\].*\.tsx?$/ }, async ({ path: file }) => {
        const beginning = beginnings.get(file);
        if (beginning === undefined) return undefined;
        const text = await readFile(file, 'utf8');
        const contents = `${withSections(text, file) ?? text}\nimport ${JSON.stringify(beginning)};`;
        return { contents, loader: file.endsWith('x') ? 'tsx' : 'ts' };
      });
      build.onEnd(({ metafile }) => {
        const leak = metafile === undefined ? null : shellForVisitors(metafile);
        if (leak === null) return undefined;
        const text = `${leak} is loaded late for visitors, to whom it would bring the shell. Import it in ${VISITORS_PAGES}, or at once.`;
        return { errors: [{ text }] };
      });
    },
  };
}

/** The part that loads the shell of the dashboard for visitors; null as it should be. */
function shellForVisitors({ inputs }: Metafile): string | null {
  const reached = new Set([VISITORS_ENTRY]);
  for (const name of reached) {
    for (const { path: imported } of inputs[name]?.imports ?? []) {
      if (imported === BEGINNINGS.dashboard) return name;
      reached.add(imported);
    }
  }
  return null;
}
