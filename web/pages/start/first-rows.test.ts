import { describe, expect, it } from 'vitest';
import { firstAnswer, rowsOf } from './first-rows.ts';

const stored = (region: string, vote: 'up' | 'down' | 'unknown') => ({
  region,
  vote,
  response_time: 20,
  status_code: 200,
  error: vote === 'down' ? 'Connection refused' : null,
});

const displayStatuses = (rows: ReturnType<typeof rowsOf>) =>
  rows.map(({ displayStatus }) => displayStatus);

describe('the first rows', () => {
  it('wait for each region, and take what is stored', () => {
    const rows = rowsOf(['ash', 'nbg'], [stored('nbg', 'down')], null);
    expect(displayStatuses(rows)).toEqual(['pending', 'offline']);
    expect(rows[1]!.text).toBe('Connection refused');
    expect(firstAnswer(rows)).toEqual({ displayStatus: 'pending', isComplete: false });
  });

  it('take what the stream says before what is stored', () => {
    const regions = [
      {
        region: 'ash',
        vote: 'up' as const,
        checked_at: '2030-01-01T00:00:00Z',
        response_time: 30,
        status_code: 204,
        failure_code: null,
      },
    ];
    const [row] = rowsOf(['ash'], [stored('ash', 'down')], { regions });
    expect(row).toEqual({ region: 'ash', displayStatus: 'online', ms: 30, code: 204, text: null });
  });

  it.each([
    [['up', 'up', 'down'], 'online'],
    [['up', 'down', 'down'], 'offline'],
    [['up', 'down'], 'online'],
    [['unknown', 'down'], 'offline'],
    [['unknown', 'unknown'], 'unknown'],
  ] as const)('%s together are %s', (votes, displayStatus) => {
    const regions = votes.map((_, index) => `r${index}`);
    const rows = rowsOf(
      regions,
      votes.map((vote, index) => stored(`r${index}`, vote)),
      null,
    );
    expect(firstAnswer(rows)).toEqual({ displayStatus, isComplete: true });
  });
});
