import { buildPlaces, ensureBuild } from '../../src/dashboard/builds.ts';

/**
 * Builds the dashboard before the tests: processes that they start find it, and have no child process more. A source that
 * can't be built fails in the tests of the dashboard only.
 */
export async function setup(): Promise<void> {
  await ensureBuild(buildPlaces(null), new AbortController().signal).catch(() => {});
}
