import { cut, cutLines } from '../../lib/text.ts';
import type { MessageContent } from '../message/content.ts';
import { jsonOf, classifyAnswer, textOf, postJson } from './answer.ts';
import { defineChannel, type ChannelDelivery } from './contract.ts';
import { linesBeside, linksOf } from './message-parts.ts';

const HOSTS = { us: 'https://events.pagerduty.com', eu: 'https://events.eu.pagerduty.com' };

/** In characters; the whole event may have 512 KB. */
const LONGEST = { summary: 1_024, dedupKey: 255, source: 255, details: 8_000 };
const MOST_FACTS = 20;

/**
 * PagerDuty, by the Events API v2. By a copy, read in November 2026, of https://github.com/PagerDuty/api-schema
 * (reference/events-v2/openapiv3.json). It answers 202; 400 has `message` and `errors`; 429 and 5xx ask for another try
 * after a while. What is no incident becomes a change event, which is shown with the service and calls nobody. What is from
 * elsewhere: docs/channels.md.
 */
export const pagerduty = defineChannel({
  type: 'pagerduty',
  title: 'PagerDuty',
  keepsIncidents: true,
  fields: {
    routing_key: {
      kind: 'text',
      maximum: 32,
      pattern: /^[A-Za-z0-9]{32}$/,
      must: 'must be the 32 letters and digits of an integration key',
      secret: true,
      description: 'The integration key of an Events API v2 integration of a service.',
      example: 'e93facc04764012d7bfb002500d5d1a6',
    },
    region: {
      kind: 'choice',
      choices: ['us', 'eu'],
      secret: false,
      optional: true,
      description: 'Where your PagerDuty account is; `us` when left out.',
      example: 'eu',
    },
  },
  async send({ routing_key: key, region }, delivery, { http, now }, signal) {
    const { path, event } = requestOf(delivery);
    const url = `${HOSTS[region === 'eu' ? 'eu' : 'us']}${path}`;
    const answer = await postJson(http, { url, body: { routing_key: key, ...event } }, signal);
    const { message, errors } = jsonOf(answer);
    const words = [message, ...(Array.isArray(errors) ? errors : [])].flatMap(
      (text) => textOf(text) ?? [],
    );
    return classifyAnswer(
      'PagerDuty',
      answer,
      { words: words.join('; ') },
      { now: now(), secrets: [key] },
    );
  },
});

function requestOf(delivery: ChannelDelivery): { path: string; event: object } {
  const dedupKey = cut(delivery.dedupKey ?? delivery.id, LONGEST.dedupKey);
  if (delivery.action === 'resolve') {
    return { path: '/v2/enqueue', event: { event_action: 'resolve', dedup_key: dedupKey } };
  }
  const { message, content } = delivery;
  const facts = message.facts.slice(0, MOST_FACTS);
  const text = cutLines(linesBeside(facts, message), LONGEST.details);
  const payload = {
    summary: cut(message.subject, LONGEST.summary),
    timestamp: new Date(content.at).toISOString(),
    source: cut(sourceOf(content), LONGEST.source),
    custom_details: {
      ...Object.fromEntries(facts.map(({ name, value }) => [name, value])),
      ...(text !== '' && { Message: text }),
    },
  };
  const links = linksOf(message).map(({ title, url }) => ({ href: url, text: title }));
  if (delivery.action === 'inform')
    return { path: '/v2/change/enqueue', event: { payload, links } };
  return {
    path: '/v2/enqueue',
    event: {
      event_action: 'trigger',
      dedup_key: dedupKey,
      client: 'Tocsin',
      ...(message.links.details !== null && { client_url: message.links.details }),
      payload: { ...payload, severity: content.severity, ...groupingOf(content) },
      links,
    },
  };
}

/** The host where it is one, as PagerDuty prefers; else a name. */
function sourceOf({ troubles, team }: MessageContent): string {
  const [first] = troubles;
  if (troubles.length !== 1 || first === undefined) return team?.name ?? 'Tocsin';
  const hostname = first.url === null ? undefined : URL.parse(first.url)?.hostname;
  return hostname === undefined || hostname === '' ? first.name : hostname;
}

function groupingOf({ troubles, team }: MessageContent): { class?: string; group?: string } {
  const types = new Set(troubles.map(({ type }) => type));
  const [type] = types;
  return {
    ...(types.size === 1 && type !== undefined && { class: type }),
    ...(team !== null && { group: team.name }),
  };
}
