/** Unpacks Chromium into the temporary folder. The argument is the folder of its package. */
import path from 'node:path';
import chromium, { inflate } from '@sparticuz/chromium';

const packageFolder = process.argv[2]!;
await chromium.executablePath();
await inflate(path.join(packageFolder, 'bin/al2023.tar.br'));
