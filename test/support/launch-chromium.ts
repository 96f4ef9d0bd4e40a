import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium, type Browser } from 'playwright-core';

const PACKAGE = findPackageJSON('@sparticuz/chromium', import.meta.url)!;

/**
 * Starts Chromium without a window. Its own sandbox needs rights that root in a container lacks; everything else,
 * such as the isolation of sites and content security policies, is as in a browser.
 * @param args further arguments of its command line
 */
export async function launchChromium(...args: string[]): Promise<Browser> {
  const folder = await unpacked();
  return await chromium.launch({
    executablePath: path.join(folder, 'chromium'),
    args: ['--no-sandbox', ...args],
    env: {
      ...process.env,
      LD_LIBRARY_PATH: path.join(folder, 'al2023/lib'),
      FONTCONFIG_FILE: path.join(folder, 'fonts.conf'),
    },
  });
}

/** Folder with the browser, its libraries and a font, unpacked once per machine and version. */
async function unpacked(): Promise<string> {
  const { version } = JSON.parse(await readFile(PACKAGE, 'utf8')) as { version: string };
  const folder = path.join(tmpdir(), `tocsin-chromium-${version}`);
  if (existsSync(folder)) return folder;
  const work = `${folder}.${process.pid}`;
  await mkdir(work);
  // The package unpacks into the temporary folder of its process.
  await promisify(execFile)(
    process.execPath,
    [fileURLToPath(new URL('./unpack-chromium.ts', import.meta.url)), path.dirname(PACKAGE)],
    { env: { ...process.env, TMPDIR: work } },
  );
  await writeFile(path.join(work, 'fonts.conf'), fontsIn(path.join(folder, 'fonts/fonts')));
  try {
    await rename(work, folder);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(folder)) throw error;
    await rm(work, { recursive: true });
  }
  return folder;
}

function fontsIn(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}</dir><dir>/usr/share/fonts</dir><cachedir>${folder}-cache</cachedir></fontconfig>
`;
}
