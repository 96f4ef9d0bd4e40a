import { z } from 'zod';
import type { incidentDetail } from '../resources/incidents/detail.ts';
import { time } from './common.ts';
import { fromTarget, fromTeam, targetText, type TargetText } from './target-text.ts';
import type { View } from './tool.ts';

/** The evidence of an incident as the API answers it. */
type EvidenceAnswer = z.output<typeof incidentDetail>['evidence'][number];
type TlsAnswer = NonNullable<EvidenceAnswer['tls']>;

const milliseconds = z.number().nullable();

const timings = z
  .object({
    dns_ms: milliseconds,
    tcp_ms: milliseconds,
    tls_ms: milliseconds,
    ttfb_ms: milliseconds,
    total_ms: milliseconds,
  })
  .meta({
    description:
      'Name resolution, connecting, TLS, time to the first byte, and all; null for what did not happen or end.',
  });

const certificate = z.object({
  subject: targetText.nullable(),
  issuer: targetText.nullable(),
  valid_to: z.string().nullable(),
});

const tls = certificate.extend({
  protocol: z.string().nullable(),
  cipher: z.string().nullable(),
  valid_from: z.string().nullable(),
  chain_total: z.int().meta({ description: 'Number of further certificates.' }),
  chain: z.array(certificate),
});

const evidence = z.object({
  region: z.string().nullable().meta({ description: 'Null for an inspection, which has none.' }),
  checked_at: time,
  failure_code: z.string().nullable().meta({ description: 'Null where nothing failed.' }),
  failure: targetText.nullable(),
  failures: z.int().meta({
    description: 'Failed checks in the rounds that confirmed the problem, counted up to 10.',
  }),
  status_code: z.int().nullable(),
  timings,
  failed_at: z.array(time).optional(),
  vantage: z.string().nullable().optional().meta({
    description: 'Machine that ran the check. Regions with the same one are one place.',
  }),
  remote_address: z.string().nullable().optional(),
  status_line: targetText.nullable().optional(),
  headers_total: z.int().optional(),
  headers: z.array(targetText).optional(),
  body: targetText.nullable().optional(),
  redirects: z.array(targetText).optional(),
  tls: tls.nullable().optional(),
});

/** Fields of an incident's evidence in the content of a tool. */
export const EVIDENCE_FIELDS = {
  evidence_total: z.int().meta({ description: 'Number of results when it opened.' }),
  evidence_failed: z.int().meta({ description: 'Number of these that saw a failure.' }),
  evidence: z.array(evidence).meta({
    description:
      'What each region saw when it opened, failures first. Empty for what no check detected.',
  }),
};

/** Shows what each region saw, failures first. */
export function viewEvidence(answers: readonly EvidenceAnswer[], view: View) {
  const failed = answers.filter(({ failure }) => failure !== null);
  const others = answers.filter(({ failure }) => failure === null);
  return {
    evidence_total: answers.length,
    evidence_failed: failed.length,
    evidence: [...failed, ...others].slice(0, view.itemLimit).map((one) => viewOne(one, view)),
  };
}

function viewOne(answer: EvidenceAnswer, view: View): z.input<typeof evidence> {
  const { failure, timings: phases } = answer;
  return {
    region: answer.region,
    checked_at: answer.checked_at,
    failure_code: failure?.code ?? null,
    failure: fromTarget(failure?.text ?? null, view.textLimit),
    failures: answer.attempts.length,
    status_code: answer.status_code,
    timings: {
      dns_ms: phases.dns_ms,
      tcp_ms: phases.tcp_ms,
      tls_ms: phases.tls_ms,
      ttfb_ms: phases.ttfb_ms,
      total_ms: phases.total_ms,
    },
    ...(view.detail && viewResponse(answer, view)),
  };
}

/** What the target answered. */
function viewResponse(answer: EvidenceAnswer, { textLimit, itemLimit }: View) {
  const headers = Object.entries(answer.headers ?? {});
  return {
    failed_at: answer.attempts.slice(-itemLimit),
    vantage: fromTeam(answer.vantage, 80),
    remote_address: answer.remote_address,
    status_line: fromTarget(answer.status_line, textLimit),
    headers_total: headers.length,
    headers: headers
      .slice(0, itemLimit)
      .map(([name, value]): TargetText => fromTarget(`${name}: ${value}`, textLimit)),
    body: fromTarget(answer.body, textLimit),
    redirects: answer.redirects.slice(0, itemLimit).map((url) => fromTarget(url, textLimit)),
    tls: answer.tls && viewTls(answer.tls, { textLimit, itemLimit }),
  };
}

type Limits = Pick<View, 'textLimit' | 'itemLimit'>;

function viewTls(answer: TlsAnswer, limits: Limits): z.input<typeof tls> {
  return {
    ...viewCertificate(answer, limits),
    protocol: answer.protocol,
    cipher: answer.cipher,
    valid_from: answer.valid_from,
    chain_total: answer.chain.length,
    chain: answer.chain.slice(0, limits.itemLimit).map((each) => viewCertificate(each, limits)),
  };
}

function viewCertificate(
  { subject, issuer, valid_to }: TlsAnswer['chain'][number],
  { textLimit }: Limits,
) {
  return {
    subject: fromTarget(subject, textLimit),
    issuer: fromTarget(issuer, textLimit),
    valid_to,
  };
}
