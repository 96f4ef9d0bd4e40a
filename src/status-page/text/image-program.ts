/** Program of the child process that cleans images. */
import { serveJob } from '../../lib/child-jobs.ts';
import { cleanImage } from './clean-image.ts';

serveJob(cleanImage);
