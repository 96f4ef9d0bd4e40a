import type {
  oas31,
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
  ZodOpenApiResponseObject,
} from 'zod-openapi';
import {
  pascalCase,
  WEBHOOK_EVENTS,
  type WebhookEvent,
} from '../src/resources/webhooks/events-reference.ts';
import { signatureHeaders } from '../src/alerting/delivery/webhook.ts';

/** The request to which the example headers belong, so that readers can try to verify its signature. */
const EXAMPLE = {
  messageId: 'msg_5f0c3f66-6d3c-4a3e-9d07-8a4b0d1a7f11',
  at: Date.UTC(2030, 0, 1, 8, 2, 31),
  body: JSON.stringify(WEBHOOK_EVENTS['monitor.down']!.example),
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  previousSecret: null,
};
const SIGNED = signatureHeaders(EXAMPLE);
const OF_EXAMPLE = `The example is that of \`monitor.down\`, its body without white space, with the secret \`${EXAMPLE.secret}\`.`;

/** The headers of a webhook. OpenAPI leaves no room for `Content-Type` and `Authorization` among them. */
export const WEBHOOK_PARAMETERS: Record<string, oas31.ParameterObject> = {
  WebhookId: {
    in: 'header',
    name: 'webhook-id',
    required: true,
    description:
      'Of the event at this endpoint: the same in all attempts, and when it is delivered again. Keep the ids of what you have handled, and ignore what comes twice.',
    schema: { type: 'string', pattern: '^msg_[0-9a-f-]{36}$' },
    example: SIGNED['webhook-id'],
  },
  WebhookTimestamp: {
    in: 'header',
    name: 'webhook-timestamp',
    required: true,
    description:
      'When this attempt was made, in seconds since 1970. Refuse what is older than some minutes: somebody may have recorded it.',
    schema: { type: 'string', pattern: '^[0-9]{10,12}$' },
    example: SIGNED['webhook-timestamp'],
  },
  WebhookSignature: {
    in: 'header',
    name: 'webhook-signature',
    required: false,
    description:
      'Only with a signing secret. `v1,` and the base64 of an HMAC-SHA256 over `webhook-id`, `webhook-timestamp` and the raw body, with full stops between them ([Standard Webhooks](https://www.standardwebhooks.com)). Its key is what the base64 after `whsec_` stands for; of a secret that is written otherwise, its UTF-8 bytes. Two, with a space between them, while a secret is being replaced. ' +
      OF_EXAMPLE,
    schema: { type: 'string', pattern: '^v1,[0-9A-Za-z+/]{43}=( v1,[0-9A-Za-z+/]{43}=)?$' },
    example: SIGNED['webhook-signature'],
  },
  XWebhookSignature: {
    in: 'header',
    name: 'X-Webhook-Signature',
    required: false,
    description:
      'Only with a signing secret. `sha256=` and the hex of an HMAC-SHA256 over the raw body alone. Its key is the secret as it is written, `whsec_` included. ' +
      OF_EXAMPLE,
    schema: { type: 'string', pattern: '^sha256=[0-9a-f]{64}$' },
    example: SIGNED['X-Webhook-Signature'],
  },
  XWebhookSignaturePrevious: {
    in: 'header',
    name: 'X-Webhook-Signature-Previous',
    required: false,
    description: 'The same by the former secret, only while it is being replaced.',
    schema: { type: 'string', pattern: '^sha256=[0-9a-f]{64}$' },
  },
  WebhookUserAgent: {
    in: 'header',
    name: 'User-Agent',
    required: true,
    description: 'The program and its version.',
    schema: { type: 'string', pattern: '^Tocsin/[^ ]+$' },
    example: 'Tocsin/1.0.0',
  },
};

/** Responses of a receiver and their effects. The start of the body is kept for display only. */
export const WEBHOOK_RESPONSES: Record<string, ZodOpenApiResponseObject> = {
  WebhookTaken: {
    description: 'Taken: the event is delivered. Answer within 10 s, best with 204.',
  },
  WebhookTryLater: {
    description:
      'Not now: it is tried again after about 5 s, 15 s, 45 s, 2, 5, 15 and 30 minutes, then every hour, for 24 hours in all. The same goes for no answer within 10 s. Events behind it wait.',
    headers: {
      'Retry-After': {
        description:
          'Seconds, or a date: it is not tried before then. An hour at most. The back-off holds where it is longer.',
        required: false,
        schema: { type: 'string' },
      },
    },
  },
  WebhookGone: {
    description:
      'Gone for good: the endpoint is switched off, what waits is given up, and the owner and admins of the team are notified. After a test the endpoint stays as it is.',
  },
  WebhookRefused: {
    description:
      'Refused: this delivery has failed and is not tried again; the next one goes. Redirects count as refusals, too: they are not followed.',
  },
};

/** The webhooks section: each event as an operation. */
export function webhooks(): ZodOpenApiPathsObject {
  const entries = Object.entries(WEBHOOK_EVENTS).map(([name, event]) => {
    return [name, { post: operationOf(name, event) }] as const;
  });
  return Object.fromEntries(entries);
}

/** A schema of all events, for receivers of several. */
export function anyEvent(): oas31.SchemaObject {
  const places = Object.keys(WEBHOOK_EVENTS).map((name) => {
    return [name, `#/components/schemas/${pascalCase(name)}Event`] as const;
  });
  return {
    description: 'Any event; its name says which.',
    oneOf: places.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: 'event', mapping: Object.fromEntries(places) },
  };
}

function operationOf(name: string, event: WebhookEvent): ZodOpenApiOperationObject {
  const { when, severity, payload, example } = event;
  const weight =
    severity === 'any'
      ? 'Sent once to the endpoint that is tested, whatever its severities, and before all that waits.'
      : `Severity: \`${severity}\`. Endpoints without it are not sent this event.`;
  return {
    tags: ['Events'],
    operationId: `on${pascalCase(name)}`,
    summary: name,
    description: `${when}\n\n${weight}`,
    // Authentication of the receiver, which an endpoint sets with `auth_type`.
    security: [],
    parameters: Object.keys(WEBHOOK_PARAMETERS).map((id) => ({
      $ref: `#/components/parameters/${id}`,
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: payload, example } },
    },
    responses: {
      '2XX': responseRef('WebhookTaken'),
      408: responseRef('WebhookTryLater'),
      410: responseRef('WebhookGone'),
      429: responseRef('WebhookTryLater'),
      '5XX': responseRef('WebhookTryLater'),
      default: responseRef('WebhookRefused'),
    },
  } as ZodOpenApiOperationObject;
}

const responseRef = (name: string) => ({ $ref: `#/components/responses/${name}` });
