import { Marked } from 'marked';
import { escapeHtml } from '../../lib/text.ts';
import { stylesOf } from '../pages/document.ts';
import {
  nameOf,
  resolve,
  type Content,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type PathItem,
  type Response,
  type Schema,
} from './openapi.ts';

/** Shared responses that say nothing beyond their description: each operation shows them itself. */
const WITHOUT_BODY = new Set(['NoContent', 'NotModified']);

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
    const shownStatus = `<strong>${escapeHtml(status)}</strong>`;
    const name = '$ref' in response ? nameOf(response.$ref) : null;
    if (name !== null && !WITHOUT_BODY.has(name)) {
      links.push(`<a href="#${responseId(name)}">${shownStatus} ${escapeHtml(spaced(name))}</a>`);
    } else {
      const { description, content } = resolve<Response>(document, response);
      items.push(`<li>${shownStatus} ${inline(description)} ${renderContent(content)}</li>`);
    }
  }
  const shared = links.length === 0 ? '' : `\n<p>Also: ${links.join(', ')}.</p>`;
  return `<h4>Responses</h4>\n<ul class="responses">${items.join('')}</ul>${shared}`;
}

function renderSharedResponse(name: string, { description, content }: Response): string {
  return `<article id="${responseId(name)}">
<h3>${escapeHtml(spaced(name))}</h3>
${blocks(description)}${renderContent(content)}
</article>`;
}

function responseId(name: string): string {
  return `response-${name}`;
}

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

function schemaId(name: string): string {
  return `schema-${name}`;
}

/**
 * Renders the fields of an object schema as a table: name, type with its limits, description. Fields of nested objects
 * without a name of their own follow theirs, with a dotted name. Empty for a schema that is no object.
 */
export function renderFields(schema: Schema): string {
  const rows = rowsOf(schema, '');
  if (rows.length === 0) return '';
  return `<table class="fields"><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows.join('')}</tbody></table>`;
}

/** Renders the type of a schema as HTML: `integer, 1 to 60, or null`, with links to named schemas. */
export function renderType(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    return `<a href="#${schemaId(name)}">${escapeHtml(name)}</a>`;
  }
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined) return joined(variants.map(renderType), 'or');
  if (schema.const !== undefined) return code(schema.const);
  const types = typesOf(schema);
  const isNullable = types.includes('null') && types.length > 1;
  const limits = limitsOf(schema);
  if (schema.enum !== undefined) return joined(schema.enum.map(code), 'or');
  const text = [typeName(schema), ...limits].join(', ');
  return isNullable ? `${text}, or null` : text;
}

function rowsOf(schema: Schema, prefix: string): string[] {
  const objects = [schema, ...(schema.anyOf ?? [])].filter(({ properties }) => properties);
  return objects.flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties).flatMap(([name, field]) => {
      const path = prefix + name;
      const marker = required.includes(name) ? ' <span class="required">required</span>' : '';
      const row = `<tr><th scope="row"><code>${escapeHtml(path)}</code>${marker}</th><td>${renderType(field)}</td><td>${inline(field.description ?? '')}</td></tr>`;
      return [row, ...rowsOf(elementOf(field), `${path}${isList(field) ? '[]' : ''}.`)];
    }),
  );
}

/** Schema of a list's elements; the schema itself for anything else. */
function elementOf(schema: Schema): Schema {
  return schema.items ?? schema;
}

function isList(schema: Schema): boolean {
  return schema.items !== undefined;
}

function typesOf({ type }: Schema): string[] {
  return type === undefined ? [] : [type].flat();
}

function typeName(schema: Schema): string {
  const types = typesOf(schema);
  const [type = types[0] ?? 'any value', ...others] = types.filter((name) => name !== 'null');
  if (type === 'array')
    return schema.items === undefined ? 'list' : `list of ${renderType(schema.items)}`;
  if (type === 'object' && typeof schema.additionalProperties === 'object')
    return `object of ${renderType(schema.additionalProperties)}`;
  if (schema.format === 'date-time') return 'time';
  return joined(
    [schema.format === undefined ? type : `${type} (${schema.format})`, ...others],
    'or',
  );
}

function limitsOf(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = schema;
  return [
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' items'),
    schema.uniqueItems === true ? 'each once' : '',
    pattern === undefined ? '' : `pattern ${code(pattern)}`,
    schema.default === undefined ? '' : `default ${code(schema.default)}`,
  ].filter((text) => text !== '');
}

/** @param unit with a leading space. */
function range(from: number | undefined, to: number | undefined, unit: string): string {
  // The largest safe integer is the type's own limit, and says nothing.
  const end = to === Number.MAX_SAFE_INTEGER ? undefined : to;
  const start = from === Number.MIN_SAFE_INTEGER ? undefined : from;
  if (start === undefined && end === undefined) return '';
  if (start === end) return `${start}${unit}`;
  if (start === undefined) return `at most ${end}${unit}`;
  return end === undefined ? `at least ${start}${unit}` : `${start} to ${end}${unit}`;
}

function code(value: unknown): string {
  return `<code>${escapeHtml(typeof value === 'string' ? value : JSON.stringify(value))}</code>`;
}

function joined(parts: string[], word: 'or'): string {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} ${word} ${parts.at(-1)}`;
}

/** HTML in a description is text: only Markdown makes elements. */
const markdown = new Marked({
  async: false,
  gfm: true,
  renderer: { html: ({ text }) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;') },
});

/** Renders paragraphs, lists and code of a description as HTML. */
function blocks(text: string): string {
  return markdown.parse(text) as string;
}

/** Renders a description without paragraphs of its own, as in a cell of a table. */
function inline(text: string): string {
  return markdown.parseInline(text) as string;
}
