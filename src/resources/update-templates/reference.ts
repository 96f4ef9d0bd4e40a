import { z } from 'zod';
import { answerShape, changeSchema, requestSchema } from '../common/fields.ts';
import { operations } from '../common/operation.ts';
import { time } from '../common/reference-schemas.ts';
import { TEMPLATE_FIELDS } from './fields.ts';

const template = z
  .object({ id: z.int(), ...answerShape(TEMPLATE_FIELDS), created_at: time, updated_at: time })
  .meta({ id: 'UpdateTemplate', description: 'Text of a team for updates of announcements.' });

const outage = {
  id: 1,
  name: 'Outage',
  title: null,
  state: 'investigating',
  text: 'We are looking into problems with {services}.',
  created_at: '2030-01-01T00:00:00.000Z',
  updated_at: '2030-01-01T00:00:00.000Z',
};

export const UPDATE_TEMPLATE_OPERATIONS = operations('Announcements', {
  listUpdateTemplates: {
    summary: 'List update templates',
    description: 'All templates of the team, by name.',
    answer: z
      .object({ total: z.int(), data: z.array(template) })
      .meta({ id: 'UpdateTemplateList', description: 'All update templates of the team.' }),
    example: { answer: { total: 1, data: [outage] } },
  },
  createUpdateTemplate: {
    summary: 'Create an update template',
    description:
      '`{services}` in its title and text is replaced by the names of the affected monitors when an update is written with `template_id`.',
    body: requestSchema(TEMPLATE_FIELDS),
    answer: template,
    example: {
      body: { name: outage.name, state: outage.state, text: outage.text },
      answer: outage,
    },
  },
  getUpdateTemplate: {
    summary: 'Get an update template',
    answer: template,
    example: { answer: outage },
  },
  updateUpdateTemplate: {
    summary: 'Update an update template',
    description: 'Changes only the given fields. Updates that were written with it stay.',
    body: changeSchema(TEMPLATE_FIELDS),
    answer: template,
    example: { body: { name: 'Disruption' }, answer: { ...outage, name: 'Disruption' } },
  },
  deleteUpdateTemplate: { summary: 'Delete an update template' },
});
