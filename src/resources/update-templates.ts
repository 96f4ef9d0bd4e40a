import { nameText, oneOf, text } from '../lib/schemas.ts';
import { MAX_TITLE, MAX_UPDATE_TEXT } from '../status-page/facts/model.ts';
import { STATES } from './announcements/input.ts';
import { collection } from './common/collection.ts';
import { fieldTable } from './common/fields.ts';

/** Texts of a team for updates of announcements (contract 43.14). */
export const updateTemplates = collection({
  noun: 'update template',
  tag: 'Announcements',
  path: '/update-templates',
  table: 'update_template',
  meaning: 'Text of a team for updates of announcements.',
  order: ['name'],
  most: 100,
  fields: fieldTable({
    name: { input: nameText(100), unset: '', required: 'templates are chosen by it' },
    title: {
      input: nameText(MAX_TITLE),
      meaning: 'Title that the announcement gets; null leaves it as it is.',
    },
    state: { input: oneOf(STATES), unset: '', required: 'give one such as investigating' },
    text: {
      input: text(MAX_UPDATE_TEXT),
      unset: '',
      required: 'say what visitors should know',
      meaning: '`{services}` stands for the names of the affected monitors.',
    },
  }),
  says: {
    list: 'All templates of the team, by name.',
    create:
      '`{services}` in its title and text is replaced by the names of the affected monitors when an update is written with `template_id`.',
    update: [
      'Update an update template',
      'Changes only the given fields. Updates that were written with it stay.',
    ],
  },
  example: {
    name: 'Outage',
    state: 'investigating',
    text: 'We are looking into problems with {services}.',
  },
  change: { name: 'Disruption' },
});
