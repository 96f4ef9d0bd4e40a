import { once } from 'node:events';
import { Worker, isMainThread, parentPort } from 'node:worker_threads';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { watchHealth } from './health.ts';
import { numberOption } from './options.ts';
import { cpuSeconds, withFolder, withService, type Service } from './process.ts';
import { ms, report, type Figure } from './report.ts';

/** Lines of one import. */
const MAX_IMPORTED = 10_000;
const PROBE_EVERY_MS = 50;

/**
 * A page with 10,000 subscribers by e-mail (`--subscribers=N`): how long the import takes, how long until the mail server
 * has one update for all of them, and how long the slowest answer of `/healthz` takes meanwhile, which shows the longest
 * time that the event loop was held.
 */
export async function run(options: string[]): Promise<void> {
  const count = numberOption(options, '--subscribers', 10_000);
  const smtp = new Worker(new URL(import.meta.url));
  const [port] = (await once(smtp, 'message')) as [number];
  await withFolder(async (dataDir) => {
    const environment = { SMTP_URL: `smtp://127.0.0.1:${port}` };
    await withService({ dataDir, environment }, (service) => measure(service, smtp, count));
  });
  await smtp.terminate();
}

async function measure(service: Service, smtp: Worker, count: number): Promise<void> {
  const { id } = await service.create('/api/v1/status-pages', { name: 'Acme', slug: 'acme' });
  const quiet = await probed(service, () => pause(3_000));
  const imported = await probed(service, () => importAll(service, id, count));
  const sent = await probed(service, async () => {
    const all = arrived(smtp, count);
    await publish(service, id);
    await all;
  });
  report(`subscribers, ${count.toLocaleString('en')} by e-mail`, [
    ms('slowest /healthz, nothing to do', quiet.slowestMs),
    ...figuresOf('import', imported),
    ...figuresOf('one update, until the last mail', sent),
    { name: '  mails per second', value: count / (sent.milliseconds / 1_000) },
  ]);
}

interface Probed {
  milliseconds: number;
  cpu: number;
  slowestMs: number;
}

function figuresOf(name: string, { milliseconds, cpu, slowestMs }: Probed): Figure[] {
  return [
    { name, value: milliseconds / 1_000, unit: 's' },
    { name: '  CPU', value: cpu, unit: 's' },
    ms('  slowest /healthz', slowestMs),
  ];
}

/** Runs work while `/healthz` is asked for again and again. */
async function probed(service: Service, work: () => Promise<unknown>): Promise<Probed> {
  const health = watchHealth(service, PROBE_EVERY_MS);
  const before = await cpuSeconds(service.pid);
  const startedAt = performance.now();
  await work();
  const milliseconds = performance.now() - startedAt;
  const slowestMs = Math.max(...(await health.stop()));
  return { milliseconds, cpu: (await cpuSeconds(service.pid)) - before, slowestMs };
}

async function importAll(service: Service, pageId: number, count: number): Promise<void> {
  for (let from = 0; from < count; from += MAX_IMPORTED) {
    const size = Math.min(MAX_IMPORTED, count - from);
    const lines = Array.from({ length: size }, (_, index) => `person${from + index}@example.com`);
    const answer = await service.post(`/api/v1/status-pages/${pageId}/subscribers/import`, {
      csv: ['address', ...lines].join('\n'),
      consent: 'They exist only here.',
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`The import was refused: ${text}`);
  }
}

const publish = (service: Service, pageId: number) =>
  service.create('/api/v1/announcements', {
    title: 'Payments fail at checkout',
    state: 'investigating',
    text: 'We look into it.',
    status_pages: [pageId],
  });

/** Resolves when the mail server has that many mails. */
async function arrived(smtp: Worker, count: number): Promise<void> {
  for (;;) {
    const [received] = (await once(smtp, 'message')) as [number];
    if (received >= count) return;
  }
}

/** A mail server that counts what it receives, in a thread of its own. */
async function serve(): Promise<void> {
  let received = 0;
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onData(stream, _session, callback) {
      stream.resume();
      stream.on('end', () => {
        callback();
        parentPort!.postMessage(++received);
      });
    },
  });
  server.on('error', () => {});
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  parentPort!.postMessage((listening.address() as AddressInfo).port);
}

if (!isMainThread) await serve();
