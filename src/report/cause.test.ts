import { describe, expect, it, test } from 'vitest';
import { publicCause } from './cause.ts';

describe('a cause in a report', () => {
  test.each([
    ['HTTP 503 Service Unavailable', null],
    ['Response time of 2,400 ms is over the threshold of 2,000 ms', null],
    ['Keyword "Order now" not found', null],
    ['TLS certificate expires in 3 days, on 2030-01-04', null],
    ['A disk was full, e.g. that of the U.S. site at 12:30:45, version 1.2.3.', null],
    ['The provider was down. It has said so.Sorry', null],
    ['Connection refused by 192.0.2.7:443', 'Connection refused'],
    ['Connection refused by [2001:db8::7]:443', 'Connection refused'],
    ['Connection refused by 10.0.0.5 port 5439', 'Connection refused'],
    ['No connection to 2001:db8::7 port 80 within 10 s', 'No connection within 10 s'],
    [
      'IPv6 is broken while IPv4 works: Host 2001:db8::7 is unreachable',
      'IPv6 is broken while IPv4 works: Host is unreachable',
    ],
    [
      'TLS certificate is for no name at all, not localhost',
      'TLS certificate is for no name at all',
    ],
    ['Connection to db1:5432 failed (ECONNRESET)', 'Connection failed (ECONNRESET)'],
    ['Host 2001:db8::7 is unreachable', 'Host is unreachable'],
    ['No reply to ping from 10.0.0.5 within 5 s', 'No reply to ping within 5 s'],
    ['DNS look-up of shop.example.com failed: SERVFAIL', 'DNS look-up failed: SERVFAIL'],
    ['DNS name web not found (NXDOMAIN)', 'DNS name not found (NXDOMAIN)'],
    ['"intern.shop.test" is not a valid host name', 'The host name is not valid'],
    [
      'TLS certificate is for a.example.com, b.example.com and 3 more, not c.example.com',
      'TLS certificate is for other names',
    ],
    [
      'TLS certificate is for *.internal.acme.com, *.acme.com and *.lan, not shop.acme.com',
      'TLS certificate is for other names',
    ],
    ['Only 5 * 3 = 15 of *.* and **bold** were found', null],
    [
      'Redirect loop: https://example.com/login leads back to itself',
      'Redirect loop: an address leads back to itself',
    ],
    [
      'DNS records changed: A added 192.0.2.7, removed 192.0.2.1; MX added 10 mx.example.com.',
      'DNS records changed',
    ],
    ['Domain bücher.example.de expired on 2030-01-01', 'Domain expired on 2030-01-01'],
    ['db.local and localhost, nobody@example.com, 10.0.0.0/8', '… and …, …, …'],
    ['HTTP 500 Internal Server Error (from ash, pdx only)', 'HTTP 500 Internal Server Error'],
    ['No response within 5 s (in 2 of 4 checks from office)', 'No response within 5 s'],
  ])('%s [45.27]', (cause, shown) => {
    expect(publicCause(cause, 'web')).toBe(shown ?? cause);
  });

  it('is one line', () => {
    expect(publicCause('a\nb\u202Ec', null)).toBe('a b c');
  });
});
