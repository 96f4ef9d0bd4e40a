import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { EXAMPLES, has, run, useJobs } from '../support/snippets.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const jobs = useJobs();

interface Language {
  name: string;
  program: string;
  file: string;
  script: string;
  env: Record<string, string>;
  trace: string;
}

const LANGUAGES: [Language, Language] = [
  {
    name: 'Node',
    program: process.execPath,
    file: 'job.mjs',
    script: `
      import { withPings } from '${new URL('../../examples/pings.mjs', import.meta.url).href}';
      const answer = await withPings(process.env.PING_URL, async () => {
        if (process.env.JOB_CODE !== '0') throw new Error('no room left');
        return 'working';
      });
      console.log(answer);`,
    env: {},
    trace: 'Error: no room left',
  },
  {
    name: 'Python',
    program: 'python3',
    file: 'job.py',
    script: [
      'import os',
      'from pings import pings',
      'with pings(os.environ["PING_URL"]):',
      '    if os.environ["JOB_CODE"] != "0": raise RuntimeError("no room left")',
      '    print("working")',
    ].join('\n'),
    env: { PYTHONPATH: EXAMPLES, PYTHONDONTWRITEBYTECODE: '1' },
    trace: 'RuntimeError: no room left',
  },
];

async function perform(language: Language, url: string, code: number, script = language.script) {
  const path = join(await jobs.folder(), language.file);
  await writeFile(path, script);
  const env = { ...language.env, PING_URL: url, JOB_CODE: String(code) };
  return run(language.program, [path], { env });
}

describe.each(LANGUAGES)('the snippet for $name', (language) => {
  const { program, trace } = language;
  test.skipIf(!has(program))('tells a run that goes well, and gives its answer', async () => {
    const watched = await jobs.watch();
    expect(await perform(language, watched.url, 0)).toEqual({
      code: 0,
      stdout: 'working\n',
      stderr: '',
    });
    const [start, end, ...more] = await jobs.told(watched);
    expect(start).toMatchObject({ kind: 'start' });
    expect(end).toMatchObject({ kind: 'success', run_id: start!.run_id, body: null });
    expect(end!.duration_ms).toEqual(expect.any(Number));
    expect(more).toEqual([]);
  });

  test.skipIf(!has(program))('tells a run that fails, and fails as it did', async () => {
    const watched = await jobs.watch();
    const { code, stderr } = await perform(language, watched.url, 1);
    expect(code).toBe(1);
    expect(stderr).toContain(trace);
    expect(await jobs.gist(watched)).toEqual(['start', 'failure']);
    expect((await jobs.told(watched))[1]!.body).toContain(trace);
    expect(await jobs.standing(watched)).toEqual(['offline', 'The job reported a failure']);
  });

  test.skipIf(!has(program))('goes on at once when the URL is that of no monitor', async () => {
    const ended = await perform(language, jobs.strangeUrl, 0);
    expect(ended).toMatchObject({ code: 0, stdout: 'working\n' });
    expect(ended.stderr.match(/Tocsin was not told of this run/g)).toHaveLength(2);
  });
});

test.skipIf(!has('python3')).each([
  ['sys.exit()', 0, 'success 0'],
  ['sys.exit(0)', 0, 'success 0'],
  ['sys.exit(3)', 3, 'failure 3'],
  ['sys.exit("no room left")', 1, 'failure 1'],
])('the snippet for Python tells %s', async (statement, code, expected) => {
  const watched = await jobs.watch();
  const script = `import os, sys\nfrom pings import pings\nwith pings(os.environ["PING_URL"]): ${statement}\n`;
  expect(await perform(LANGUAGES[1], watched.url, 0, script)).toMatchObject({ code });
  expect(await jobs.gist(watched)).toEqual(['start', expected]);
});

describe('without a server', { concurrent: true }, () => {
  const languages = LANGUAGES.filter(({ program }) => has(program));
  test.each(languages)('a job in $name that goes well gives its answer', async (language) => {
    const ended = await perform(language, jobs.deadUrl, 0);
    expect(ended).toMatchObject({ code: 0, stdout: 'working\n' });
    expect(ended.stderr.match(/Tocsin was not told of this run/g)).toHaveLength(2);
    expect(ended.stderr).not.toContain('/ping/');
  });

  test.each(languages)('a job in $name that fails, fails as it did', async (language) => {
    const ended = await perform(language, jobs.deadUrl, 1);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain(language.trace);
    expect(ended.stderr.match(/Tocsin was not told of this run/g)).toHaveLength(2);
  });
});
