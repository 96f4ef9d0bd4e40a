import type { TestApi } from './api.ts';
import type { TestPerson } from './people.ts';

/** Answer of a tool, as a client sees it. */
export interface ToolResult {
  isError?: boolean;
  content: { type: string; text: string }[];
  structuredContent: Record<string, unknown>;
}

let nextId = 1;

/** Sends a message of the protocol, as clients of the revisions up to 2025-11-25 do. */
export function sendMessage(
  api: TestApi,
  who: TestPerson | string | null,
  message: object,
  headers: Record<string, string> = {},
) {
  const body = { jsonrpc: '2.0', id: nextId++, ...message };
  const accept = 'application/json, text/event-stream';
  return api.call(who, 'POST', '/mcp', body, { accept, ...headers });
}

/** Result of a message. Throws for an answer without one. */
export async function resultOf<Result>(
  api: TestApi,
  who: TestPerson | string,
  message: object,
): Promise<Result> {
  const answered = await sendMessage(api, who, message);
  const { result, error } = messageIn(answered.text) as { result?: Result; error?: object };
  if (result === undefined)
    throw new Error(`No result but ${answered.status} ${JSON.stringify(error)}: ${answered.text}`);
  return result;
}

/** Calls a tool. */
export async function callTool(
  api: TestApi,
  who: TestPerson | string,
  name: string,
  args: object = {},
): Promise<ToolResult> {
  const params = { name, arguments: args };
  const result = await resultOf<ToolResult>(api, who, { method: 'tools/call', params });
  return result;
}

/** Content of a tool's answer. Throws for a refusal. */
export async function contentOf(
  api: TestApi,
  who: TestPerson | string,
  name: string,
  args: object = {},
): Promise<Record<string, any>> {
  const { isError, content, structuredContent } = await callTool(api, who, name, args);
  if (isError === true) throw new Error(`${name} refused: ${content[0]!.text}`);
  return structuredContent;
}

/** Refusal of a tool. Throws when it answered. */
export async function refusalOf(
  api: TestApi,
  who: TestPerson | string,
  name: string,
  args: object = {},
): Promise<{ code: string; message: string; fields?: Record<string, string[]> }> {
  const { isError, structuredContent } = await callTool(api, who, name, args);
  if (isError !== true)
    throw new Error(`${name} did not refuse: ${JSON.stringify(structuredContent)}`);
  return structuredContent['error'] as Awaited<ReturnType<typeof refusalOf>>;
}

/** Names of the tools that somebody sees. */
export async function toolNames(api: TestApi, who: TestPerson | string): Promise<string[]> {
  const { tools } = await resultOf<{ tools: { name: string }[] }>(api, who, {
    method: 'tools/list',
  });
  return tools.map(({ name }) => name);
}

/** The message in an answer: JSON, or the data of an event stream. */
export function messageIn(text: string): Record<string, unknown> {
  const data = text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? '{}');
  return JSON.parse(data) as Record<string, unknown>;
}
