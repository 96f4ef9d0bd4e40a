import { describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { example, has, run, useJobs, WRAPPER, type Watched } from '../support/snippets.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const jobs = useJobs();

/** A command of the unit as systemd hands it to the shell. */
const commandOf = (setting: string) => {
  const lines = example('backup.service').replaceAll('\\\n', ' ').split('\n');
  const line = lines.find((one) => one.startsWith(`${setting}=`))!;
  const [, script] = /^\w+=-\/bin\/sh -c '([^']*)'$/.exec(line)!;
  return script!.replaceAll('$$', '$');
};

const perform = (setting: string, watched: Watched, env: Record<string, string> = {}) =>
  run('/bin/sh', ['-c', commandOf(setting)], {
    env: { PING_URL: watched.url, INVOCATION_ID: '0123456789abcdef', ...env },
  });

describe.skipIf(!has('curl'))('snippets of platforms', () => {
  describe('the systemd unit', () => {
    test.each([
      ['success', 'exited', '0', 'success 0'],
      // One of SuccessExitStatus=.
      ['success', 'exited', '24', 'success 0'],
      ['exit-code', 'exited', '3', 'failure 3'],
      // Of another command of the unit than the job.
      ['exit-code', 'exited', '0', 'failure'],
      ['exit-code', '', '', 'failure'],
      ['signal', 'killed', 'KILL', 'failure'],
      ['timeout', 'exited', '0', 'failure'],
      ['oom-kill', 'killed', 'KILL', 'failure'],
    ])('tells %s, %s %s', async (SERVICE_RESULT, EXIT_CODE, EXIT_STATUS, expected) => {
      const watched = await jobs.watch();
      await perform('ExecStartPre', watched);
      await perform('ExecStopPost', watched, { SERVICE_RESULT, EXIT_CODE, EXIT_STATUS });
      expect(await jobs.gist(watched)).toEqual(['start', expected]);
      const [start, end] = await jobs.told(watched);
      expect(end).toMatchObject({
        run_id: start!.run_id,
        body: `${SERVICE_RESULT}, ${EXIT_CODE} ${EXIT_STATUS}`,
        duration_ms: expect.any(Number),
      });
    });
  });

  describe('the workflow of GitHub Actions', () => {
    interface Step {
      name?: string;
      run?: string;
      if?: string;
      env?: Record<string, string>;
      'continue-on-error'?: boolean;
    }
    const { backup } = (
      parse(example('github-actions.yaml')) as { jobs: { backup: { steps: Step[] } } }
    ).jobs;
    const reports = backup.steps.filter((step) => step.name?.startsWith('Report the '));

    test('never fails by a ping, and always reports the end', () => {
      expect(reports).toHaveLength(2);
      expect(reports.map((step) => step['continue-on-error'])).toEqual([true, true]);
      expect(backup.steps.at(-1)).toBe(reports[1]);
      expect(reports[1]!.if).toBe('always()');
      for (const { env, run: script } of reports) {
        expect(env!['PING_URL']).toBe('${{ secrets.TOCSIN_PING_URL }}');
        // What others chose never stands in a script, where the shell would run it.
        expect(script).not.toContain('${{');
      }
    });

    test.each([
      ['success', 'success 0'],
      ['failure', 'failure'],
      ['cancelled', 'failure'],
    ])('tells a job that is a %s', async (JOB_STATUS, expected) => {
      const watched = await jobs.watch();
      const env = { PING_URL: watched.url, RUN_ID: '4711-1', RUN_URL: 'https://ci.example/1' };
      for (const step of reports) {
        const { code } = await run('sh', ['-e', '-c', step.run!], { env: { ...env, JOB_STATUS } });
        expect(code).toBe(0);
      }
      expect(await jobs.gist(watched)).toEqual(['start', expected]);
      const [, end] = await jobs.told(watched);
      expect(end).toMatchObject({ run_id: '4711-1', body: `${JOB_STATUS}: https://ci.example/1` });
    });
  });

  test('the container of Kubernetes runs the job in the wrapper', async () => {
    const { apiVersion, kind, spec } = parse(example('kubernetes.yaml')) as {
      apiVersion: string;
      kind: string;
      spec: { jobTemplate: { spec: { template: { spec: PodSpec } } } };
    };
    interface PodSpec {
      restartPolicy: string;
      containers: {
        command: string[];
        args: string[];
        env: { name: string; valueFrom: { secretKeyRef: object } }[];
        volumeMounts: { name: string; mountPath: string }[];
      }[];
      volumes: { name: string; configMap: object }[];
    }
    expect([apiVersion, kind]).toEqual(['batch/v1', 'CronJob']);
    const pod = spec.jobTemplate.spec.template.spec;
    const [container] = pod.containers;
    expect(pod.restartPolicy).toBe('Never');
    expect(container!.env).toEqual([
      { name: 'PING_URL', valueFrom: { secretKeyRef: { name: 'backup-ping', key: 'url' } } },
    ]);
    expect(container!.volumeMounts[0]!.name).toBe(pod.volumes[0]!.name);

    const watched = await jobs.watch();
    const command = [...container!.command, ...container!.args].map((word) =>
      word
        .replace(`${container!.volumeMounts[0]!.mountPath}/tocsin-run`, WRAPPER)
        .replace('/usr/local/bin/backup', jobs.job),
    );
    const env = { PING_URL: watched.url, JOB_CODE: '3' };
    expect(await run(command[0]!, command.slice(1), { env })).toMatchObject({ code: 3 });
    expect(await jobs.gist(watched)).toEqual(['start', 'failure 3']);
  });
});
