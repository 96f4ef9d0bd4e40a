import {
  createMcpHandler,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type CallToolResult,
  type McpRequestContext,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Principal } from '../identity/caller.ts';
import type { Log } from '../lib/log.ts';
import { withClientName } from './client-name.ts';
import { instructionsFor } from './instructions.ts';
import { PROMPTS, promptText, type Prompt } from './prompts.ts';
import { refusalOf, refusalText } from './refusal.ts';
import { listResources, readResource, RESOURCE_TEMPLATES } from './resources.ts';
import { fromTeam } from './target-text.ts';
import type { Consent, Toolbox } from './toolbox.ts';

/** Serves one HTTP request of the Model Context Protocol, whose body was parsed before. */
export type ServeTools = (
  request: Request,
  options: { principal: Principal; requestId: string; body: unknown },
) => Promise<Response>;

const CONFIRM = 'confirm';
/** Revisions of the protocol that are spoken, the newest first that a client with another one is offered. */
const REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2026-07-28'];

/**
 * Creates the server of the protocol (modelcontextprotocol.io, revisions 2025-03-26 to 2026-07-28). It keeps nothing
 * between requests, so that any process can answer each of them.
 */
export function createToolServer(deps: {
  toolbox: Toolbox;
  version: string;
  log: Log;
}): ServeTools {
  const { toolbox, version, log } = deps;
  const handler = createMcpHandler((context) => serverFor(context), {
    legacy: 'stateless',
    // There is nothing to subscribe to.
    maxSubscriptions: 0,
  });

  function serverFor({ authInfo }: McpRequestContext): Server {
    const { principal, requestId } = authInfo!.extra as unknown as {
      principal: Principal;
      requestId: string;
    };
    const server = new Server(
      { name: 'tocsin', title: 'Tocsin', version },
      {
        capabilities: { tools: {}, prompts: {}, resources: {} },
        supportedProtocolVersions: REVISIONS,
        instructions: instructionsFor(principal, toolbox.whyNoReading(principal)),
      },
    );
    const guarded = guardedBy({ log, requestId });
    server.setRequestHandler('tools/list', () => ({
      tools: toolbox.toolsFor(principal),
    }));
    server.setRequestHandler('tools/call', ({ params }, context) =>
      callTool({ principal, requestId, context }, params),
    );
    server.setRequestHandler('prompts/list', () => ({ prompts: PROMPTS.map(listedPrompt) }));
    server.setRequestHandler('prompts/get', ({ params: { name, arguments: args } }) =>
      guarded('prompts/get', () => ({
        messages: [
          {
            role: 'user' as const,
            content: { type: 'text' as const, text: promptText(name, args) },
          },
        ],
      })),
    );
    server.setRequestHandler('resources/list', () =>
      guarded('resources/list', async () => ({
        resources: await listResources(toolbox, principal),
      })),
    );
    server.setRequestHandler('resources/templates/list', () => ({
      resourceTemplates: RESOURCE_TEMPLATES,
    }));
    server.setRequestHandler('resources/read', ({ params: { uri } }) =>
      guarded(
        'resources/read',
        async () => ({ contents: [await readResource(toolbox, principal, uri)] }),
        uri,
      ),
    );
    return server;
  }

  async function callTool(
    { principal, requestId, context }: CallContext,
    { name, arguments: args }: { name: string; arguments?: unknown },
  ) {
    const { mcpReq } = context;
    if (!toolbox.has(name)) {
      const text = `There is no tool ${fromTeam(name, 60)}: tools/list has those there are.`;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, text);
    }
    try {
      const outcome = await toolbox.call(
        withClientName(principal, mcpReq.envelope),
        { name, args },
        {
          canAsk: canAsk(context),
          consent: consentIn(mcpReq.inputResponses),
          state: mcpReq.requestState<string>() ?? null,
        },
      );
      if (outcome.kind === 'question') {
        return inputRequired({
          inputRequests: {
            [CONFIRM]: inputRequired.elicit({
              message: outcome.text,
              requestedSchema: CONFIRM_SCHEMA,
            }),
          },
          requestState: outcome.state,
        });
      }
      const { text, content } = outcome.answer;
      return { content: [{ type: 'text' as const, text }], structuredContent: content };
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === null) {
        // Log: A fault of Tocsin while an AI assistant called a tool. The assistant gets the same
        // `request_id`.
        log.error({ error, request_id: requestId, tool: name }, 'A tool failed.');
        const text = faultText(requestId);
        return failed(text, { code: 'internal', message: text });
      }
      return failed(refusalText(refusal), { ...refusal });
    }
  }

  return (request, { principal, requestId, body }) =>
    handler.fetch(request, {
      parsedBody: body,
      authInfo: {
        token: '',
        clientId: principal.credential.name,
        scopes: [...principal.permissions],
        extra: { principal, requestId },
      },
    });
}

interface CallContext {
  principal: Principal;
  requestId: string;
  context: ServerContext;
}

const CONFIRM_SCHEMA = {
  type: 'object' as const,
  properties: { confirm: { type: 'boolean' as const, title: 'Yes, do it' } },
  required: ['confirm'],
};

/** What a client may know of an internal error. */
function faultText(requestId: string): string {
  return `Something went wrong on the side of Tocsin. Report request ${requestId} to its operator.`;
}

/** Makes errors of the protocol from refusals, and hides internal errors. */
function guardedBy({ log, requestId }: { log: Log; requestId: string }) {
  return async <Result>(method: string, act: () => Result | Promise<Result>, uri?: string) => {
    try {
      return await act();
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === null) {
        log.error({ error, request_id: requestId, tool: method }, 'A tool failed.');
        throw new ProtocolError(ProtocolErrorCode.InternalError, faultText(requestId));
      }
      const { code, message } = refusal;
      if (code === 'not_found' && uri !== undefined) throw new ResourceNotFoundError(uri, message);
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, message, refusal);
    }
  };
}

function listedPrompt({ name, title, description, arguments: args }: Prompt) {
  return {
    name,
    title,
    description,
    arguments: args.map((one) => ({ ...one, required: false })),
  };
}

function failed(text: string, error: Record<string, unknown>): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }], structuredContent: { error } };
}

/** True when the client says that it can show a form to a person. */
function canAsk({ mcpReq }: ServerContext): boolean {
  const envelope = (mcpReq.envelope ?? {}) as Record<string, unknown>;
  const capabilities = envelope['io.modelcontextprotocol/clientCapabilities'] as
    | { elicitation?: { url?: object; form?: object } }
    | undefined;
  const elicitation = capabilities?.elicitation;
  return (
    elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
  );
}

function consentIn(responses: Record<string, unknown> | undefined): Consent {
  const answered = inputResponse(responses, CONFIRM);
  if (answered.kind !== 'elicit') return null;
  return answered.action === 'accept' && answered.content?.['confirm'] === true
    ? 'agreed'
    : 'declined';
}
