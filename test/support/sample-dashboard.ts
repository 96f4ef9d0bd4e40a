import type { Dashboard, DashboardFile } from '../../src/dashboard/dashboard.ts';

/** What each file of the dashboard contains. */
export const SCRIPT = 'x'.repeat(2_000);

/** A file of the dashboard, for a browser that accepts gzip. */
export function fileOf(name: string, type: string): DashboardFile {
  return {
    name,
    type,
    bytes: SCRIPT.length,
    encoded: { gzip: 20 },
    read: async (encoding) => Buffer.from(encoding === null ? SCRIPT : `${encoding} of ${name}`),
  };
}

/** The documents of a language whose scripts have these hashes. */
const documents = (main: string, entry: string) => ({
  dashboard: {
    script: `main-${main}.js`,
    preloads: ['part-EF.js'],
    styles: ['main-CD.css'],
  },
  entry: { script: `entry-${entry}.js`, preloads: [], styles: ['entry-IJ.css'] },
});

const FILES = [
  fileOf('main-AB.js', 'text/javascript'),
  fileOf('main-CD.css', 'text/css'),
  fileOf('inter-latin-wght-normal-KL.woff2', 'font/woff2'),
];

/** A dashboard that was built, of two files without code. */
export const SAMPLE_DASHBOARD: Dashboard = {
  manifest: async () => ({
    documents: { en: documents('AB', 'GH'), de: documents('DE', 'DF') },
    files: FILES,
  }),
  file: async (name) => FILES.find((file) => file.name === name) ?? null,
};
