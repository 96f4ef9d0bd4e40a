/**
 * Builds the dashboard if it is not built yet: `npm run build`, as for an image whose source is read-only. With --report it
 * prints what browsers load.
 */
import { buildPlaces, ensureBuild } from './builds.ts';
import { sizeReport } from './size-report.ts';

try {
  const { folder, manifest } = await ensureBuild(buildPlaces(null), new AbortController().signal);
  console.log(`The dashboard is built: ${folder}`);
  if (process.argv.includes('--report')) console.log(sizeReport(manifest));
} catch (error) {
  console.error(`The dashboard could not be built. ${(error as Error).message}`);
  process.exitCode = 1;
}
