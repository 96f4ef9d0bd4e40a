/** Program of the child process that builds the dashboard: `program.ts ROOT FOLDER`. Its errors go to stderr. */
import os from 'node:os';
import { bundle } from './bundle.ts';

const [root, folder] = process.argv.slice(2);

try {
  // Checks and answers come first.
  os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
} catch {
  // Build at normal priority.
}
try {
  await bundle({ root: root!, folder: folder! });
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
