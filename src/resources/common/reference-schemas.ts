import { z } from 'zod';

export const time = z.iso.datetime();

export const textOrNull = z.string().nullable();

const milliseconds = z.number().nullable();

/** `response_time` of a check. */
export const responseTimeMs = milliseconds.meta({
  description: 'Milliseconds, to one decimal; null without a response.',
});

/** Durations of the phases of a check. */
export const phases = {
  dns_ms: milliseconds.meta({ description: 'Name resolution.' }),
  tcp_ms: milliseconds.meta({ description: 'Connecting.' }),
  tls_ms: milliseconds.meta({ description: 'TLS handshake; null without TLS.' }),
  ttfb_ms: milliseconds.meta({
    description: 'From the end of the request to the first byte of the response.',
  }),
};

export const timings = z
  .object({
    ...phases,
    total_ms: milliseconds.meta({ description: 'From start to end of the check.' }),
  })
  .meta({
    description: 'Milliseconds, to one decimal; null for phases that did not happen or end.',
  });
