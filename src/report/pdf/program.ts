/** Program of the child process that draws PDF files. */
import { serveJob } from '../../lib/child-jobs.ts';
import { drawReport } from './document.ts';
import type { PrintRequest } from './printer.ts';

serveJob(({ facts, logo }: PrintRequest) => drawReport(facts, logo));
