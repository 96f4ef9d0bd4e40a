import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { scratchFolder } from './scratch.ts';

/** Path of a file with this content that is removed after the running test. */
export function fileWith(content: string): string {
  const folder = mkdtempSync(join(scratchFolder(), 'tocsin-file-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'file');
  writeFileSync(file, content);
  return file;
}
