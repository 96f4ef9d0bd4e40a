import { serveJob } from '../../lib/child-jobs.ts';
import { readFolder } from './read.ts';

// Program of a child process, so that files of any size and kind never stall the server.
serveJob(readFolder);
