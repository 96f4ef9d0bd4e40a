import path from 'node:path';

/** A link of a document to a file of the tree, or within the document. */
export interface Link {
  /** Path of the file from the root of the tree, the document's own for a link within it. */
  file: string;
  /** Name of the heading; null if the link names none. */
  anchor: string | null;
}

const FENCED = /^( *)(```|~~~)[^\n]*\n[\s\S]*?^\1\2 *$/gm;
const CODE = /(`+)(?!`)[^\n]*?[^`]\1(?!`)/g;
const LINK = /\]\(([^()\s]+)\)/g;

/** Links of a document that lead to files of the tree. Pure. @param document its path from the root of the tree. */
export function linksOf(document: string, text: string): Link[] {
  const targets = [...text.replace(FENCED, '').replace(CODE, '').matchAll(LINK)];
  return targets.flatMap(([, target]) => {
    if (/^[a-z]+:/.test(target!)) return [];
    const [relative, anchor] = target!.split('#') as [string, string | undefined];
    const file =
      relative === '' ? document : path.posix.join(path.posix.dirname(document), relative);
    return [{ file: file.replace(/\/$/, ''), anchor: anchor ?? null }];
  });
}

/** Names by which links lead to the headings of a document, as GitHub makes them. Pure. */
export function anchorsOf(text: string): string[] {
  const headings = [...text.replace(FENCED, '').matchAll(/^#{1,6} (.+)$/gm)];
  const seen = new Map<string, number>();
  return headings.map(([, heading]) => {
    const name = nameOf(heading!);
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    return before === 0 ? name : `${name}-${before}`;
  });
}

function nameOf(heading: string): string {
  const words = heading.trim().replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return words
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

/** Makes links relative to one document, such as those of the table of settings, relative to another one. Pure. */
export function linksFrom(text: string, { of, to }: { of: string; to: string }): string {
  return text.replaceAll(LINK, (whole) => {
    const [link] = linksOf(of, whole);
    if (link === undefined) return whole;
    const relative = link.file === to ? '' : path.posix.relative(path.posix.dirname(to), link.file);
    return `](${relative}${link.anchor === null ? '' : `#${link.anchor}`})`;
  });
}
