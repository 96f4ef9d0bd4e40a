import { describe, expect, it } from 'vitest';
import {
  isFilteringIncidents,
  NO_INCIDENT_FILTER,
  queryOf,
  readIncidentFilter,
  writeIncidentFilter,
} from './filter.ts';

describe('the filter of incidents', () => {
  it.each([
    ['', {}],
    ['?status=open', { status: 'open' }],
    ['?status=ajar&type=x&severity=&monitor=-1&from=yesterday&page=0', {}],
    [
      '?severity=warning&type=ssl&monitor=7&page=3',
      { severity: 'warning', type: 'ssl', monitor: 7, page: 3 },
    ],
    ['?from=2030-01-01&to=2030-01-31', { from: '2030-01-01', to: '2030-01-31' }],
  ])('reads %s', (search, expected) => {
    expect(readIncidentFilter(search)).toEqual({ ...NO_INCIDENT_FILTER, ...expected });
  });

  it.each([
    '',
    '?status=open&severity=critical&type=uptime&from=2030-01-01&to=2030-01-31&monitor=7&page=2',
  ])('writes what it reads: %s', (search) => {
    expect(writeIncidentFilter(readIncidentFilter(search))).toBe(search);
  });

  it('leaves nothing out on a later page of all incidents', () => {
    expect(isFilteringIncidents({ ...NO_INCIDENT_FILTER, page: 2 })).toBe(false);
    expect(isFilteringIncidents({ ...NO_INCIDENT_FILTER, monitor: 2 })).toBe(true);
  });

  it('asks the API for what is set alone', () => {
    expect(queryOf({ ...NO_INCIDENT_FILTER, monitor: 7, from: '2030-01-01' })).toEqual({
      sort: 'started_at',
      direction: 'desc',
      per_page: 25,
      page: 1,
      monitor_id: 7,
      start_date: '2030-01-01',
    });
  });
});
