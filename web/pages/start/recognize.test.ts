import { describe, expect, it } from 'vitest';
import { recognize } from './recognize.ts';

describe('what is typed is recognized', () => {
  it.each([
    [
      'https://example.com/x',
      { monitor_type: 'http', url: 'https://example.com/x', check_types: ['ssl'] },
    ],
    ['http://10.0.0.1:8080', { monitor_type: 'http', url: 'http://10.0.0.1:8080' }],
    [' example.com ', { monitor_type: 'http', url: 'https://example.com', check_types: ['ssl'] }],
    [
      'example.com/health',
      { monitor_type: 'http', url: 'https://example.com/health', check_types: ['ssl'] },
    ],
    ['db.example.com:5432', { monitor_type: 'port', url: 'db.example.com', port: 5432 }],
    ['tcp://db:5432', { monitor_type: 'port', url: 'db', port: 5432 }],
    ['[2001:db8::1]:443', { monitor_type: 'port', url: '2001:db8::1', port: 443 }],
    ['2001:db8::1', { monitor_type: 'ping', url: '2001:db8::1' }],
    ['192.0.2.1', { monitor_type: 'ping', url: '192.0.2.1' }],
    ['router', { monitor_type: 'ping', url: 'router' }],
    ['ping example.com', { monitor_type: 'ping', url: 'example.com' }],
  ])('%s', (text, settings) => {
    expect(recognize(text, 'My job', 5)).toEqual({ check_interval: 5, ...settings });
  });

  it.each(['job', 'Heartbeat', 'cron'])('%s is a job that calls every hour', (text) => {
    expect(recognize(text, 'My job', 5)).toMatchObject({
      monitor_type: 'heartbeat',
      friendly_name: 'My job',
      heartbeat_interval: 3_600,
    });
  });
});
