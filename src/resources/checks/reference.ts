import { noun } from '../common/operation.ts';
import { createCheckUrl } from './check-url.ts';
import { z } from 'zod';
import { checkUrlQuery, REACH_STATUSES, URL_VERDICTS } from './check-url.ts';
import { phases, responseTimeMs, textOrNull, time } from '../common/reference-schemas.ts';

const reach = z
  .object({
    region: z.string().meta({ description: 'Code of the region.' }),
    name: z.string().meta({ description: 'Title of the region, such as Ashburn.' }),
    vantage: textOrNull.meta({
      description:
        'Name of the machine that ran the check. Regions with the same vantage are one place, whatever their titles.',
    }),
    status: z.enum(REACH_STATUSES).meta({
      description:
        'online: it responded with 2xx or 3xx. offline: it did not. error: Tocsin itself could not check, so the result says nothing about the target. blocked: the name resolves to an address that this installation does not check.',
    }),
    status_code: z.int().nullable().meta({ description: 'Null without a response.' }),
    response_time_ms: responseTimeMs,
    ...phases,
    error: textOrNull.meta({ description: 'Why it is not online, as text.' }),
  })
  .meta({ id: 'UrlReach', description: 'Result of one region.' });

const { regions, ...others } = checkUrlQuery(null, () => null).shape;

export const checkUrl = noun('Monitors', createCheckUrl, {
  checkUrl: {
    at: 'GET /check-url',
    grantNeeds: 'check_url',
    budget: 'check_url',
    summary: 'Check a URL now',
    description:
      'Sends a GET from all regions at once, follows redirects and verifies certificates. Nothing is stored. The response takes at most two seconds longer than the timeout.',
    query: z.object({ ...others, 'regions[]': regions }),
    answer: z
      .object({
        url: z.string().meta({ description: 'As sent.' }),
        checked_at: time,
        verdict: z.enum(URL_VERDICTS).meta({
          description:
            'Of the regions without error. up: online in all of them. partial: in some. down: in none. unknown: all regions have an error.',
        }),
        reachable_regions: z
          .int()
          .min(0)
          .meta({ description: 'Number of regions that are online.' }),
        total_regions: z.int().min(1).meta({ description: 'Number of regions that checked.' }),
        vantage_points: z.int().min(0).meta({
          description:
            'Number of different `vantage` machines. With 1, all regions check from the same place.',
        }),
        results: z.array(reach).meta({
          description: "One per region, in the installation's order.",
        }),
      })
      .meta({ id: 'UrlCheck', description: 'Reachability of a URL now.' }),
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
});
