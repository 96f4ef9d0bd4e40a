import { withLabel } from '../parts/field-labels.ts';
import { setSpeaker } from './client.ts';

/** Has errors of the API said in the language of the page. A module of its own, since it is loaded late, and for members alone. */
export function speakLanguage(): void {
  setSpeaker((message, field) => withLabel(message, field, ''));
}
