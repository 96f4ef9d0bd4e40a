import { z } from 'zod';
import { plain } from '../../lib/columns.ts';
import { nameText, oneOf, text } from '../../lib/schemas.ts';
import { MAX_TITLE, MAX_UPDATE_TEXT } from '../../status-page/facts/model.ts';
import { STATES } from '../announcements/input.ts';
import type { Fields } from '../common/fields.ts';

export interface UpdateTemplateSettings {
  name: string;
  title: string | null;
  state: string;
  text: string;
}

/** Settings of an update template (contract 43.14). */
export const TEMPLATE_FIELDS: Fields<UpdateTemplateSettings> = {
  name: {
    codec: plain,
    input: nameText(100),
    output: z.string(),
    unset: '',
    required: 'templates are chosen by it',
  },
  title: {
    codec: plain,
    input: nameText(MAX_TITLE),
    output: z.string(),
    meaning: 'Title that the announcement gets; null leaves it as it is.',
  },
  state: {
    codec: plain,
    input: oneOf(STATES),
    output: z.enum(STATES),
    unset: '',
    required: 'give one such as investigating',
  },
  text: {
    codec: plain,
    input: text(MAX_UPDATE_TEXT),
    output: z.string(),
    unset: '',
    required: 'say what visitors should know',
    meaning: '`{services}` stands for the names of the affected monitors.',
  },
};
