import { withLabel } from '../parts/field-labels.ts';
import { setSpeaker } from './client.ts';

/** Says errors of the API in the language of the page. A module of its own, since it is loaded late, and for members alone. */
setSpeaker((message, field) => withLabel(message, field, ''));
