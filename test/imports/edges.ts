import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** A reference from one source file to another. Paths are absolute. */
export interface Edge {
  from: string;
  to: string;
  line: number;
}

/** The references of a file, and the places where the target can't be determined. */
export interface FileEdges {
  edges: Edge[];
  problems: string[];
}

const CODE = /\.[cm]?[jt]sx?$/;

/**
 * Finds the references of a file in its syntax tree: import, export from, import type, import(), import('…').T and new
 * URL('./x.ts', import.meta.url), by which threads and child processes start. Packages, node: and files without code
 * are ignored. A script of a package that is served to browsers is a declaration file here. A computed specifier, or one
 * that names no file, is a problem.
 */
export function findEdges(file: string): FileEdges {
  const text = readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: FileEdges = { edges: [], problems: [] };

  const lineOf = (node: ts.Node): number =>
    source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;

  const reach = (node: ts.Node, specifier: ts.Node | undefined, how: string): void => {
    if (specifier === undefined || !ts.isStringLiteralLike(specifier)) {
      found.problems.push(`${file}:${lineOf(node)}: ${how} with a computed specifier`);
      return;
    }
    const name = specifier.text;
    if (how === 'new URL' && !CODE.test(name)) return;
    if (/^(node:|[a-z@])/i.test(name) && how !== 'new URL') return;
    const script = path.resolve(path.dirname(file), name);
    const to = [script, script.replace(/\.js$/, '.d.ts')].find(isFile);
    if (!/^\.\.?\//.test(name) || to === undefined) {
      found.problems.push(
        `${file}:${lineOf(node)}: ${how} of '${name}', which is no file beside it`,
      );
    } else if (CODE.test(name)) {
      found.edges.push({ from: file, to, line: lineOf(node) });
    }
  };

  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) reach(node, node.moduleSpecifier, 'import');
    else if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
      reach(node, node.moduleSpecifier, 'export');
    } else if (ts.isImportTypeNode(node)) {
      reach(
        node,
        ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined,
        'import type',
      );
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      reach(node, node.arguments[0], 'import()');
    } else if (isModuleUrl(node)) reach(node, node.arguments?.[0], 'new URL');
    else if (isModulePath(node)) {
      found.problems.push(
        `${file}:${lineOf(node)}: import.meta.${node.name.text}; use new URL('./x.ts', import.meta.url)`,
      );
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isModuleUrl(node: ts.Node): node is ts.NewExpression {
  return (
    ts.isNewExpression(node) &&
    ts.isIdentifier(node.expression) &&
    node.expression.text === 'URL' &&
    node.arguments?.[1] !== undefined &&
    isMetaProperty(node.arguments[1], ['url'])
  );
}

function isFile(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Paths built from these, and results of import.meta.resolve, would be undetected references. */
function isModulePath(node: ts.Node): node is ts.PropertyAccessExpression {
  return isMetaProperty(node, ['dirname', 'filename', 'resolve']);
}

function isMetaProperty(node: ts.Node, names: string[]): node is ts.PropertyAccessExpression {
  return (
    ts.isPropertyAccessExpression(node) &&
    ts.isMetaProperty(node.expression) &&
    names.includes(node.name.text)
  );
}
