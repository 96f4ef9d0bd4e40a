import { spawn, spawnSync, type ChildProcess } from 'node:child_process';

interface Options {
  cwd: string;
  env: Record<string, string>;
  /** User and group of the process, if this one may choose. */
  id?: number;
  /** Default: nothing is read of it. */
  stderr?: 'ignore' | 'pipe';
}

/** Starts a program that ends by SIGINT with this process, even if that is killed. */
export function spawnTied(
  program: string,
  args: readonly string[],
  { cwd, env, id, stderr = 'ignore' }: Options,
): ChildProcess {
  const stdio: ('ignore' | 'pipe')[] = ['ignore', 'ignore', stderr];
  const identity = id === undefined ? {} : { uid: id, gid: id };
  if (spawnSync('setpriv', ['--version']).status !== 0)
    return spawn(program, args, { cwd, env, stdio, ...identity });
  const flags = id === undefined ? [] : [`--reuid=${id}`, `--regid=${id}`, '--clear-groups'];
  return spawn('setpriv', [...flags, '--pdeathsig=INT', program, ...args], { cwd, env, stdio });
}
