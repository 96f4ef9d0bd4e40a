import { escapeHtml } from '../../lib/text.ts';
import { stylesOf } from '../pages/document.ts';
import { blocks, inline } from './markdown.ts';
import {
  nameOf,
  resolve,
  type Content,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type PathItem,
  type Response,
} from './openapi.ts';
import { renderFields, renderType, schemaId } from './schema.ts';

/** Shared responses that say nothing beyond their description: each operation shows them itself. */
const WITHOUT_BODY = new Set(['NoContent', 'NotModified']);

/** Operation with the path or event that it belongs to. */
interface Entry {
  method: string;
  path: string;
  operation: Operation;
}

/**
 * Renders the API reference as one page without scripts: an introduction, the operations by subject, the events of
 * webhooks, and the schemas that they share.
 *
 * @param root relative path from the page to the root of the installation.
 * @param assets path of the style sheets below the root.
 */
export function renderReference(
  document: OpenApiDocument,
  { root, assets }: { root: '' | '../'; assets: string },
): string {
  const { info, tags } = document;
  const entries = [...entriesOf(document.paths), ...entriesOf(document.webhooks)];
  const subjects = tags.map((tag) => ({
    ...tag,
    id: `subject-${slug(tag.name)}`,
    entries: entries.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
  const schemas = Object.entries(document.components.schemas);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(info.title)}</title>
${stylesOf(root + assets)}
<link rel="stylesheet" href="${root}${assets}/reference.css">
</head>
<body class="reference">
<a class="skip" href="#content">Skip to the content</a>
<nav aria-label="Contents">
<p class="name"><img src="${root}${assets}/icon.svg" alt="" width="28" height="28"> ${escapeHtml(info.title)}</p>
${subjects.map(contentsOf).join('\n')}
<p><a href="#errors">Errors</a></p>
<p><a href="#schemas">Schemas</a></p>
</nav>
<main id="content" tabindex="-1">
<h1>${escapeHtml(info.title)} <span class="faint">${escapeHtml(info.version)}</span></h1>
${blocks(info.description)}
<p>Base URL: <code>${escapeHtml(document.servers[0]!.url)}</code>. For programs, the same reference is an
<a href="${root}openapi.json">OpenAPI document</a>.</p>
${subjects
  .map(
    (subject) => `<section aria-labelledby="${subject.id}">
<h2 id="${subject.id}">${escapeHtml(subject.name)}</h2>
${blocks(subject.description)}
${subject.entries.map((entry) => renderOperation(document, entry)).join('\n')}
</section>`,
  )
  .join('\n')}
<section aria-labelledby="errors">
<h2 id="errors">Errors</h2>
${Object.entries(document.components.responses)
  .filter(([name]) => !WITHOUT_BODY.has(name))
  .map(([name, response]) => renderSharedResponse(name, response))
  .join('\n')}
</section>
<section aria-labelledby="schemas">
<h2 id="schemas">Schemas</h2>
${schemas.map(([name, schema]) => renderSchema(name, schema)).join('\n')}
</section>
</main>
</body>
</html>
`;

  function renderSchema(name: string, schema: (typeof schemas)[number][1]): string {
    const about = schema.description === undefined ? '' : blocks(schema.description);
    const fields = renderFields(schema);
    return `<article id="${schemaId(name)}">
<h3>${escapeHtml(name)}</h3>
${about}${fields === '' ? `<p>${renderType(schema)}</p>` : fields}
</article>`;
  }
}

function contentsOf({ name, id, entries }: { name: string; id: string; entries: Entry[] }): string {
  const items = entries.map(
    ({ method, operation }) =>
      `<li><a href="#${operation.operationId}">${escapeHtml(operation.summary)}</a> <span class="method ${method}">${method.toUpperCase()}</span></li>`,
  );
  return `<details><summary>${escapeHtml(name)}</summary><ul><li><a href="#${id}">About</a></li>${items.join('')}</ul></details>`;
}

function renderOperation(document: OpenApiDocument, { method, path, operation }: Entry): string {
  const { operationId: id, summary, description = '', parameters = [], requestBody } = operation;
  const isEvent = !path.startsWith('/');
  const parts = [
    `<h3 id="${id}">${escapeHtml(summary)}</h3>`,
    isEvent
      ? ''
      : `<p class="endpoint"><span class="method ${method}">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code></p>`,
    blocks(description),
    operation.security?.length === 0 && !isEvent ? '<p>Needs no authentication.</p>' : '',
    renderParameters(parameters.map((parameter) => resolve<Parameter>(document, parameter))),
    requestBody === undefined ? '' : renderBody(document, requestBody.content, 'Body'),
    renderResponses(document, operation.responses),
  ];
  return `<article aria-labelledby="${id}">\n${parts.filter((part) => part !== '').join('\n')}\n</article>`;
}

function renderParameters(parameters: Parameter[]): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    ({ name, in: place, required = false, schema = {}, description = '' }) =>
      `<tr><th scope="row"><code>${escapeHtml(name)}</code>${required ? ' <span class="required">required</span>' : ''}</th><td>${place}: ${renderType(schema)}</td><td>${inline(description)}</td></tr>`,
  );
  return `<h4>Parameters</h4>
<table class="fields"><thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows.join('')}</tbody></table>`;
}

/** Renders a request body: its type, its fields where they have no schema of their own, and an example. */
function renderBody(document: OpenApiDocument, content: Content, title: string): string {
  return Object.entries(content)
    .map(([type, { schema = {}, example }]) => {
      const fields = schema.$ref === undefined ? renderFields(schema) : '';
      const named = fields === '' ? `: ${renderType(schema)}` : '';
      return `<h4>${title}</h4>
<p><code>${escapeHtml(type)}</code>${named}</p>
${fields}${renderExample(example)}`;
    })
    .join('\n');
}

/** Renders the responses of an operation; those that many operations share by a link. */
function renderResponses(document: OpenApiDocument, responses: Operation['responses']): string {
  const items: string[] = [];
  const links: string[] = [];
  for (const [status, response] of Object.entries(responses)) {
    const code = `<strong>${escapeHtml(status)}</strong>`;
    const name = '$ref' in response ? nameOf(response.$ref) : null;
    if (name !== null && !WITHOUT_BODY.has(name)) {
      links.push(`<a href="#${responseId(name)}">${code} ${escapeHtml(spaced(name))}</a>`);
    } else {
      const { description, content } = resolve<Response>(document, response);
      items.push(`<li>${code} ${inline(description)} ${renderContent(content)}</li>`);
    }
  }
  const shared = links.length === 0 ? '' : `\n<p>Also: ${links.join(', ')}.</p>`;
  return `<h4>Responses</h4>\n<ul class="responses">${items.join('')}</ul>${shared}`;
}

/** Renders a response that many operations share. */
function renderSharedResponse(name: string, { description, content }: Response): string {
  return `<article id="${responseId(name)}">
<h3>${escapeHtml(spaced(name))}</h3>
${blocks(description)}${renderContent(content)}
</article>`;
}

function responseId(name: string): string {
  return `response-${name}`;
}

/** Renders the type of a response's body, and its example. */
function renderContent(content: Content = {}): string {
  const bodies = Object.entries(content);
  return bodies
    .map(([type, { schema = {}, example }]) => {
      const shown =
        type === 'application/json' ? renderType(schema) : `<code>${escapeHtml(type)}</code>`;
      return `Body: ${shown}.${renderExample(example)}`;
    })
    .join('\n');
}

function renderExample(example: unknown): string {
  if (example === undefined) return '';
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2);
  return `<details class="example"><summary>Example</summary><pre tabindex="0"><code>${escapeHtml(text)}</code></pre></details>`;
}

function entriesOf(paths: Record<string, PathItem>): Entry[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
}

/** Separates the words of a component's name: `RateLimited` becomes `Rate limited`. */
function spaced(name: string): string {
  return name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function slug(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}
