import { z } from 'zod';
import { checkUrlQuery, REACH_STATUSES, URL_VERDICTS } from './check-url.ts';
import type { Operation } from '../common/operation.ts';

const milliseconds = (description: string) => z.number().nullable().meta({ description });

const reach = z
  .object({
    region: z.string().meta({ description: 'Code of the region that looked.' }),
    name: z.string().meta({ description: 'The title of the region, such as Ashburn.' }),
    vantage: z.string().nullable().meta({
      description:
        'Name of the machine that looked. Regions with the same vantage are one place, whatever their titles.',
    }),
    status: z.enum(REACH_STATUSES).meta({
      description:
        'online: it answered with 2xx or 3xx. offline: it did not. error: our own side could not look, so it says nothing of the target. blocked: the name leads to an address that checks may not aim at here.',
    }),
    status_code: z.int().nullable().meta({ description: 'Null when there was no answer.' }),
    response_time_ms: milliseconds('Milliseconds; null unless the target answered.'),
    dns_ms: milliseconds('Looking up the name.'),
    tcp_ms: milliseconds('Connecting.'),
    tls_ms: milliseconds('The TLS handshake; null without TLS.'),
    ttfb_ms: milliseconds("From the request's end to the first byte of the answer."),
    error: z.string().nullable().meta({ description: 'Why it is not online, for people.' }),
  })
  .meta({ id: 'UrlReach', description: 'What one region sees of a URL.' });

const { regions, ...others } = checkUrlQuery(null, () => null).shape;

export const CHECK_URL_OPERATIONS = {
  checkUrl: {
    tag: 'Monitors',
    summary: 'Check a URL now',
    description:
      'From all regions at once, by GET; redirects are followed and certificates verified. Nothing is stored. The answer comes at most two seconds after the time given for it.',
    query: z.object({ ...others, 'regions[]': regions }),
    answer: z
      .object({
        url: z.string().meta({ description: 'As sent.' }),
        checked_at: z.iso.datetime(),
        verdict: z.enum(URL_VERDICTS).meta({
          description:
            'Of the regions that could tell. up: all see it. partial: some do. down: none does. unknown: no region could tell.',
        }),
        reachable_regions: z.int().min(0).meta({ description: 'Regions that are online.' }),
        total_regions: z.int().min(1).meta({ description: 'Regions that were asked.' }),
        vantage_points: z.int().min(0).meta({
          description:
            'Different machines among `vantage`. With 1, the regions repeat the check from one place.',
        }),
        results: z.array(reach).meta({
          description: "One for each region that was asked, in the installation's order.",
        }),
      })
      .meta({ id: 'UrlCheck', description: 'Who can reach a URL now.' }),
    example: {
      query: 'url=https://example.com/login&regions[]=ash&regions[]=nbg&timeout_seconds=10',
      answer: {
        url: 'https://example.com/login',
        checked_at: '2030-01-01T00:00:00.000Z',
        verdict: 'partial',
        reachable_regions: 1,
        total_regions: 2,
        vantage_points: 2,
        results: [
          {
            region: 'ash',
            name: 'Ashburn',
            vantage: 'probe-ash-1',
            status: 'online',
            status_code: 200,
            response_time_ms: 87.4,
            dns_ms: 2.1,
            tcp_ms: 9.8,
            tls_ms: 21.5,
            ttfb_ms: 48.7,
            error: null,
          },
          {
            region: 'nbg',
            name: 'Nuremberg',
            vantage: 'probe-nbg-1',
            status: 'offline',
            status_code: null,
            response_time_ms: null,
            dns_ms: 1.8,
            tcp_ms: null,
            tls_ms: null,
            ttfb_ms: null,
            error: 'Connection refused by 192.0.2.7 port 443',
          },
        ],
      },
    },
  },
} satisfies Record<string, Operation>;
