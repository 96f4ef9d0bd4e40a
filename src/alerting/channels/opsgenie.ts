import { jsonOf, classifyAnswer, textOf, postJson } from './answer.ts';
import { defineChannel, type ChannelDelivery } from './contract.ts';
import { cut, cutLines } from '../../lib/text.ts';
import { linksOf } from './message-parts.ts';

const APIS = {
  us: 'https://api.opsgenie.com',
  eu: 'https://api.eu.opsgenie.com',
  jira: 'https://api.atlassian.com/jsm/ops/integration',
};

/** In characters. All details together may have 8,000. */
const LONGEST = {
  message: 130,
  alias: 512,
  description: 15_000,
  note: 25_000,
  name: 80,
  value: 300,
};
const MOST_DETAILS = 20;

const PRIORITIES = { critical: 'P1', warning: 'P3', info: 'P5' } as const;
const SOURCE = 'Tocsin';

/**
 * Opsgenie, and the operations of Jira Service Management, which take the same requests and go on after Opsgenie ends on 5
 * April 2027. By copies, read in November 2026, of https://docs.opsgenie.com/docs/alert,
 * https://docs.opsgenie.com/docs/response and
 * https://developer.atlassian.com/cloud/jira/service-desk-ops/rest/v1/api-group-integration-events. They answer 202 before
 * anything was done; errors are JSON with a `message`. What is from elsewhere: docs/channels.md.
 */
export const opsgenie = defineChannel({
  type: 'opsgenie',
  title: 'Opsgenie',
  keepsIncidents: true,
  fields: {
    api_key: {
      kind: 'text',
      maximum: 255,
      pattern: /^[A-Za-z0-9-]{10,255}$/,
      must: 'must be the key of an API integration: letters, digits and hyphens',
      secret: true,
      description: 'The key of an API integration.',
      example: 'eb243592-faa2-4ba2-a551-1afdf565c889',
    },
    region: {
      kind: 'choice',
      choices: ['us', 'eu', 'jira'],
      secret: false,
      optional: true,
      description:
        'Where your Opsgenie account is, or `jira` for Jira Service Management; `us` when left out.',
      example: 'eu',
    },
  },
  async send({ api_key: key, region }, delivery, { http, now }, signal) {
    const api = APIS[region === 'eu' || region === 'jira' ? region : 'us'];
    const post = (path: string, body: object) =>
      postJson(
        http,
        { url: `${api}${path}`, headers: { Authorization: `GenieKey ${key}` }, body },
        signal,
      );
    const isClosing = delivery.action === 'resolve';
    const answer = await (isClosing
      ? post(closingPath(delivery), closingOf(delivery))
      : post('/v2/alerts', alertOf(delivery)));
    // What it does not know needs no closing.
    if (isClosing && answer.ok && answer.status === 404) {
      return { outcome: 'delivered', statusCode: answer.status };
    }
    const reading = { words: textOf(jsonOf(answer)['message']) };
    return classifyAnswer('Opsgenie', answer, reading, { now: now(), secrets: [key] });
  },
});

function aliasOf({ dedupKey, id }: ChannelDelivery): string {
  return cut(dedupKey ?? id, LONGEST.alias);
}

/**
 * Builds an alert. A message without an incident has its own alias and the lowest priority, which by default calls
 * nobody.
 */
function alertOf(delivery: ChannelDelivery): object {
  const { message, content, action } = delivery;
  const links = linksOf(message).map(({ title, url }) => `${title}: ${url}`);
  const tail = links.length === 0 ? '' : `\n\n${links.join('\n')}`;
  const details = message.facts
    .slice(0, MOST_DETAILS)
    .map(({ name, value }) => [cut(name, LONGEST.name), cut(value, LONGEST.value)] as const);
  return {
    message: cut(message.subject, LONGEST.message),
    alias: aliasOf(delivery),
    description: `${cutLines(message.lines, LONGEST.description - tail.length)}${tail}`.trim(),
    details: Object.fromEntries(details),
    source: SOURCE,
    priority: action === 'inform' ? 'P5' : PRIORITIES[content.severity],
  };
}

function closingPath(delivery: ChannelDelivery): string {
  return `/v2/alerts/${encodeURIComponent(aliasOf(delivery))}/close?identifierType=alias`;
}

function closingOf({ message }: ChannelDelivery): object {
  return { source: SOURCE, note: cutLines([message.subject, ...message.lines], LONGEST.note) };
}
