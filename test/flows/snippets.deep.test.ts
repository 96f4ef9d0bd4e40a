import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import {
  EXAMPLES,
  example,
  has,
  run,
  useJobs,
  WRAPPER,
  type RunOptions,
} from '../support/snippets.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const jobs = useJobs();

const SHELLS = ['sh', 'bash'].filter(has);
const documentOf = (name: string) =>
  fileURLToPath(
    new URL(
      `../../docs/${/webhook\./i.test(name) ? 'webhooks' : 'heartbeats'}.md`,
      import.meta.url,
    ),
  );

const FILES = readdirSync(EXAMPLES, { withFileTypes: true }).filter((entry) => entry.isFile());

test.each(FILES.map(({ name }) => name))('%s stands in the docs as it is', (name) => {
  const text = readFileSync(documentOf(name), 'utf8');
  expect(text).toContain(`\n${example(name).trimEnd()}\n\`\`\`\n`);
});

test('the wrapper can be run as it is', () => {
  expect(() => accessSync(WRAPPER, constants.X_OK)).not.toThrow();
});

/** A line of the crontab as cron runs it, with a monitor and a job of ours. */
async function runLine(variable: string, url: string, code: number) {
  const line = example('crontab')
    .split('\n')
    .find((one) => /^[^#]/.test(one) && one.includes(`"$${variable}`));
  const command = line!
    .split(' ')
    .slice(5)
    .join(' ')
    .replace('/usr/local/bin/tocsin-run', WRAPPER)
    .replace(/\/usr\/local\/bin\/(backup|sync-files|report)/, jobs.job);
  return run('/bin/sh', ['-c', command], { env: { [variable]: url, JOB_CODE: String(code) } });
}

const wrapIn = (shell: string, url: string, command: string[], options: RunOptions = {}) =>
  run(shell, [WRAPPER, ...command], { ...options, env: { ...options.env, PING_URL: url } });

describe.skipIf(!has('curl'))('snippets that use curl', () => {
  describe('the crontab', () => {
    test('"job && curl" pings after a success only', async () => {
      const watched = await jobs.watch();
      await runLine('BACKUP_URL', watched.url, 3);
      expect(await jobs.gist(watched)).toEqual([]);
      expect(await runLine('BACKUP_URL', watched.url, 0)).toMatchObject({
        code: 0,
        stdout: 'working\n',
        stderr: 'ends with 0\n',
      });
      expect(await jobs.gist(watched)).toEqual(['success']);
      expect(await jobs.standing(watched)).toEqual(['online']);
    });

    test('"job; curl …/$?" tells the exit code', async () => {
      const watched = await jobs.watch();
      await runLine('SYNC_URL', watched.url, 3);
      expect(await jobs.standing(watched)).toEqual(['offline', 'The job ended with exit code 3']);
      await runLine('SYNC_URL', watched.url, 0);
      expect(await jobs.gist(watched)).toEqual(['failure 3', 'success 0']);
      expect(await jobs.standing(watched)).toEqual(['online']);
    });

    test('the wrapper is given its URL', async () => {
      const watched = await jobs.watch();
      await runLine('REPORT_URL', watched.url, 0);
      expect(await jobs.gist(watched)).toEqual(['start', 'success 0']);
    });
  });

  describe.each(SHELLS)('the wrapper under %s', (shell) => {
    const wrap = (url: string, command: string[], options?: RunOptions) =>
      wrapIn(shell, url, command, options);

    test('tells the start, and the end with duration and output, of a job that goes well', async () => {
      const watched = await jobs.watch();
      const ended = await wrap(watched.url, [jobs.job], { env: { JOB_CODE: '0' } });
      expect(ended).toEqual({ code: 0, stdout: 'working\n', stderr: 'ends with 0\n' });
      const [start, end, ...more] = await jobs.told(watched);
      expect(start).toMatchObject({ kind: 'start', run_id: expect.stringMatching(/^\w{16}$/) });
      expect(end).toMatchObject({ kind: 'success', exit_code: 0, run_id: start!.run_id });
      expect(end!.duration_ms).toEqual(expect.any(Number));
      expect(end!.body!.split('\n').toSorted()).toEqual(['', 'ends with 0', 'working']);
      expect(more).toEqual([]);
    });

    test('tells and keeps the exit code of one that fails', async () => {
      const watched = await jobs.watch();
      expect(await wrap(watched.url, [jobs.job], { env: { JOB_CODE: '3' } })).toMatchObject({
        code: 3,
      });
      expect(await jobs.gist(watched)).toEqual(['start', 'failure 3']);
      expect(await jobs.standing(watched)).toEqual(['offline', 'The job ended with exit code 3']);
    });

    test('ends, with all that the job printed, where what copies it is slow to begin', async () => {
      const watched = await jobs.watch();
      const folder = await jobs.folder();
      const slow = join(folder, 'tee');
      await writeFile(slow, `#!/bin/sh\nsleep 0.5\nPATH=\${PATH#*:} exec tee "$@"\n`);
      await chmod(slow, 0o755);
      const env = { JOB_CODE: '3', PATH: `${folder}:${process.env['PATH']}` };
      expect(await wrap(watched.url, [jobs.job], { env })).toEqual({
        code: 3,
        stdout: 'working\n',
        stderr: 'ends with 3\n',
      });
      expect(await jobs.gist(watched)).toEqual(['start', 'failure 3']);
      const { body } = (await jobs.told(watched)).at(-1)!;
      expect(body!.split('\n').toSorted()).toEqual(['', 'ends with 3', 'working']);
    });

    test('tells of a job that is not there', async () => {
      const watched = await jobs.watch();
      expect(await wrap(watched.url, ['/no/such/job'])).toMatchObject({ code: 127 });
      expect(await jobs.gist(watched)).toEqual(['start', 'failure 127']);
    });

    test('gives the job its input and its arguments', async () => {
      const watched = await jobs.watch();
      const script = 'cat; printf "<%s>" "$@"';
      const ended = await wrap(watched.url, ['sh', '-c', script, 'sh', 'a b', '', '$c'], {
        input: 'typed ',
      });
      expect(ended).toEqual({ code: 0, stdout: 'typed <a b><><$c>', stderr: '' });
    });

    test.each(['<&-', '>&-', '2>&-'])(
      'runs the job when its caller has closed %s',
      async (closed) => {
        const watched = await jobs.watch();
        const { code } = await run(
          'sh',
          ['-c', `${shell} "$0" "$1" ${closed}`, WRAPPER, jobs.job],
          {
            env: { PING_URL: watched.url, JOB_CODE: '3' },
          },
        );
        expect(code).toBe(3);
        expect(await jobs.gist(watched)).toEqual(['start', 'failure 3']);
      },
    );

    test('prints all of a long output and sends its end', async () => {
      const watched = await jobs.watch();
      const script = 'i=0; while [ $i -lt 5000 ]; do echo "line $i"; i=$((i+1)); done';
      const { stdout } = await wrap(watched.url, ['sh', '-c', script]);
      expect(stdout.split('\n')).toHaveLength(5_001);
      const [, end] = await jobs.told(watched);
      expect(end!.body).toBe(stdout.slice(-10_240));
    });

    test('passes a signal on, and ends as the job then does', async () => {
      const watched = await jobs.watch();
      const script =
        'trap "echo tidied; exit 7" TERM; echo ready; for i in $(seq 150); do sleep 0.1; done';
      const { code, stdout } = await wrap(watched.url, ['sh', '-c', script], {
        onOutput: (text, pid) => {
          if (text === 'ready\n') process.kill(pid, 'SIGTERM');
        },
      });
      expect({ code, stdout }).toEqual({ code: 7, stdout: 'ready\ntidied\n' });
      expect(await jobs.gist(watched)).toEqual(['start', 'failure 7']);
    });

    test('tells a job that was killed from one that ended', async () => {
      const watched = await jobs.watch();
      const { code } = await wrap(watched.url, ['sh', '-c', 'kill -KILL $$']);
      expect(code).toBe(137);
      expect(await jobs.gist(watched)).toEqual(['start', 'failure 137']);
    });

    test('does not wait for what the job left running', async () => {
      const watched = await jobs.watch();
      const note = join(await jobs.folder(), 'pid');
      const script = `sleep 300 & echo $! >${note}; exit 4`;
      try {
        const { code } = await wrap(watched.url, ['sh', '-c', script], { until: 'exit' });
        expect(code).toBe(4);
        expect(await jobs.gist(watched)).toEqual(['start', 'failure 4']);
      } finally {
        process.kill(Number(await readFile(note, 'utf8')));
      }
    });

    test('reports nothing when it is given no job', async () => {
      const watched = await jobs.watch();
      const { code, stderr } = await wrapIn(shell, watched.url, []);
      expect(code).toBe(64);
      expect(stderr).toContain('Usage: ');
      expect(await jobs.gist(watched)).toEqual([]);
    });

    test('keeps the URL out of the list of processes', async () => {
      const watched = await jobs.watch();
      const stand = join(await jobs.folder(), 'curl');
      await writeFile(stand, '#!/bin/sh\ncat >/dev/null\necho "$0 $*" >&2\n');
      await chmod(stand, 0o755);
      const PATH = `${join(stand, '..')}:${process.env['PATH']}`;
      const { code, stderr } = await wrap(watched.url, ['true'], { env: { PATH } });
      expect(code).toBe(0);
      expect(stderr.match(/^\S+curl /gm)).toHaveLength(2);
      expect(stderr).not.toContain('/ping/');
    });

    test('keeps the exit code when the URL is that of no monitor, or not given', async () => {
      const env = { JOB_CODE: '3' };
      const stranger = await wrap(jobs.strangeUrl, [jobs.job], { env });
      expect(stranger).toMatchObject({ code: 3, stdout: 'working\n' });
      expect(stranger.stderr).toContain('404');
      const without = await wrap('', [jobs.job], { env });
      expect(without).toMatchObject({ code: 3, stdout: 'working\n' });
      expect(without.stderr).toContain('PING_URL');
    });
  });

  describe('without a server', { concurrent: true }, () => {
    test('a line of the crontab says so, and ends', async () => {
      const { code, stdout, stderr } = await runLine('SYNC_URL', jobs.deadUrl, 0);
      expect({ code, stdout }).toEqual({ code: 7, stdout: 'working\n' });
      expect(stderr).toMatch(/^curl: \(7\)/m);
    });

    test.each(SHELLS)('the wrapper under %s keeps the exit code', async (shell) => {
      const ended = await wrapIn(shell, jobs.deadUrl, [jobs.job], { env: { JOB_CODE: '3' } });
      expect(ended).toMatchObject({ code: 3, stdout: 'working\n' });
      expect(ended.stderr).toContain('ends with 3\n');
      expect(ended.stderr).toContain('tocsin-run: Tocsin was not told of this (/start).\n');
      expect(ended.stderr).toContain('tocsin-run: Tocsin was not told of this (/3).\n');
    });
  });
});
