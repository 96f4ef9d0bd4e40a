import { noun } from '../common/operation.ts';
import { createUpdateTemplateService } from './service.ts';
import { z } from 'zod';
import { answerShape, changeSchema, requestSchema } from '../common/fields.ts';
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

export const updateTemplates = noun('Announcements', createUpdateTemplateService, {
  listUpdateTemplates: {
    at: 'GET /update-templates',
    summary: 'List update templates',
    description: 'All templates of the team, by name.',
    answer: z
      .object({ total: z.int(), data: z.array(template) })
      .meta({ id: 'UpdateTemplateList', description: 'All update templates of the team.' }),
    example: { answer: { total: 1, data: [outage] } },
    handle: (its, { caller }) => its.list(caller),
  },
  createUpdateTemplate: {
    at: 'POST /update-templates',
    summary: 'Create an update template',
    description:
      '`{services}` in its title and text is replaced by the names of the affected monitors when an update is written with `template_id`.',
    body: requestSchema(TEMPLATE_FIELDS),
    answer: template,
    example: {
      body: { name: outage.name, state: outage.state, text: outage.text },
      answer: outage,
    },
    handle: (its, { caller, body }) => its.create(caller, body),
  },
  getUpdateTemplate: {
    at: 'GET /update-templates/:id',
    summary: 'Get an update template',
    answer: template,
    example: { answer: outage },
    handle: (its, { caller, id }) => its.get(caller, id),
  },
  updateUpdateTemplate: {
    at: 'PUT /update-templates/:id',
    summary: 'Update an update template',
    description: 'Changes only the given fields. Updates that were written with it stay.',
    body: changeSchema(TEMPLATE_FIELDS),
    answer: template,
    example: { body: { name: 'Disruption' }, answer: { ...outage, name: 'Disruption' } },
    handle: (its, { caller, id, body }) => its.update(caller, id, body),
  },
  deleteUpdateTemplate: {
    at: 'DELETE /update-templates/:id',
    summary: 'Delete an update template',
    handle: (its, { caller, id }) => its.delete(caller, id),
  },
});
