import { expect, test } from 'vitest';
import { createOpened } from './opened.ts';

test('what was opened last is closed first', async () => {
  const closed: string[] = [];
  const opened = createOpened();
  for (const name of ['database', 'network', 'processes']) {
    expect(opened.use(name, async () => void closed.push(name))).toBe(name);
  }
  await opened.close();
  expect(closed).toEqual(['processes', 'network', 'database']);
  await opened.close();
  expect(closed).toHaveLength(3);
});

test('what cannot be closed leaves nothing else open', async () => {
  const closed: string[] = [];
  const opened = createOpened();
  opened.use('database', async (name) => void closed.push(name));
  opened.use('network', () => Promise.reject(new Error('the network')));
  opened.use('processes', () => Promise.reject(new Error('the processes')));
  await expect(opened.close()).rejects.toThrow('the processes');
  expect(closed).toEqual(['database']);
});
