import { noun } from '../common/operation.ts';
import { createCorrectionService } from './service.ts';
import { z } from 'zod';
import { CORRECTION_KINDS } from '../../model/correction.ts';
import { pageExample, pageOf } from '../common/page-reference.ts';
import { time } from '../common/reference-schemas.ts';
import { correctionBody, correctionListQuery } from './input.ts';

const person = z.object({ id: z.int(), name: z.string().nullable() }).nullable();

const correction = z
  .object({
    id: z.int(),
    monitor_id: z.int(),
    from: time,
    to: time,
    as: z.enum(CORRECTION_KINDS),
    reason: z.string(),
    evidence: z.string().nullable(),
    created_by: person.meta({
      description: 'Author. The name is null once the person is deleted.',
    }),
    created_at: time,
    removed_by: person.meta({ description: 'Who took it back; null while it is in force.' }),
    removed_at: time.nullable(),
  })
  .meta({
    id: 'Correction',
    description: 'Interval of a monitor that counts otherwise than it was recorded.',
  });

const falseAlarm = {
  id: 1,
  monitor_id: 1,
  from: '2029-12-31T22:00:00.000Z',
  to: '2029-12-31T22:25:00.000Z',
  as: 'false_alarm',
  reason: 'The firewall blocked our own probes.',
  evidence: null,
  created_by: { id: 1, name: 'Alice' },
  created_at: '2030-01-01T00:00:00.000Z',
  removed_by: null,
  removed_at: null,
} as const;

export const corrections = noun('Monitors', createCorrectionService, {
  listMonitorCorrections: {
    at: 'GET /monitors/:id/corrections',
    summary: 'List corrections',
    description:
      'Corrections in force, newest first. With `include_removed=true` also those taken back, of which the newest 1,000 are kept.',
    query: correctionListQuery,
    answer: pageOf(correction, 'CorrectionPage'),
    example: { answer: pageExample('/monitors/1/corrections', [falseAlarm]) },
  },
  createMonitorCorrection: {
    at: 'POST /monitors/:id/corrections',
    summary: 'Correct an interval',
    description:
      'Uptime, reports, status pages and the error budget follow at once; what was recorded stays as it is. Where corrections overlap, the newest one decides. A monitor has at most 1,000 in force.',
    body: correctionBody,
    answer: correction,
    example: {
      body: {
        from: '2029-12-31T22:00:00Z',
        to: '2029-12-31T22:25:00Z',
        as: 'false_alarm',
        reason: 'The firewall blocked our own probes.',
      },
      answer: { ...falseAlarm, id: 2 },
    },
  },
  getMonitorCorrection: {
    at: 'GET /monitors/:id/corrections/:correction',
    summary: 'Get a correction',
    answer: correction,
    example: { answer: falseAlarm },
  },
  deleteMonitorCorrection: {
    at: 'DELETE /monitors/:id/corrections/:correction',
    summary: 'Take a correction back',
    description: 'Figures are as they were before it. It stays listed with `include_removed=true`.',
  },
});
