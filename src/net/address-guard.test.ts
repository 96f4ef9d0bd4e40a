import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createAddressGuard,
  evaluateHostLiteral,
  parseAllowPrivateTargets,
  type AddressGuard,
} from './address-guard.ts';

function guardOf(text: string): AddressGuard {
  const parsed = parseAllowPrivateTargets(text);
  if (!parsed.ok) throw new Error(parsed.message);
  return createAddressGuard(parsed.value);
}

const open = guardOf('true');
const closed = guardOf('false');

const PUBLIC = [
  '93.184.216.34',
  '1.1.1.1',
  '172.32.0.1',
  '2606:2800:220:1::1',
  '[2606:2800:220:1::1]',
  '::ffff:93.184.216.34',
  '64:ff9b::93.184.216.34',
];

const PRIVATE = [
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '::1',
  '[::1]',
  '0:0:0:0:0:0:0:1',
  '::1%lo',
  'fd00::1',
  'fc00::1',
  '::ffff:10.0.0.1',
  '::ffff:7f00:1',
  '64:ff9b::10.0.0.1',
  '127.1',
  '0x7f.1',
  '2130706433',
  '0177.0.0.1',
];

const NEVER = [
  '169.254.169.254',
  '::ffff:169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  '0xa9fea9fe',
  'fe80::1',
  'fe80::1%eth0',
  '100.100.100.200',
  '168.63.129.16',
  'fd00:ec2::254',
  '224.0.0.1',
  'ff02::1',
  '0.0.0.0',
  '0.1.2.3',
  '::',
  '255.255.255.255',
  '240.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '::127.0.0.1',
  '::7f00:1',
  '::ffff:0:127.0.0.1',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2002:5db8:d822::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  'fec0::1',
  '100::1',
  '2001:db8::1',
  '4000::1',
  'example.com',
  '',
  '1.2.3.4.5',
];

describe('evaluate', () => {
  test.each(PUBLIC)('%s is always allowed', (address) => {
    expect(open.evaluate(address)).toEqual({ allowed: true });
    expect(closed.evaluate(address)).toEqual({ allowed: true });
  });

  test.each(PRIVATE)('%s follows the setting [15.10]', (address) => {
    expect(open.evaluate(address)).toEqual({ allowed: true });
    expect(closed.evaluate(address)).toMatchObject({ allowed: false });
  });

  test.each(NEVER)('%s is always refused [15.11]', (address) => {
    expect(open.evaluate(address)).toMatchObject({ allowed: false, reason: expect.any(String) });
    expect(closed.evaluate(address)).toMatchObject({ allowed: false });
  });

  test.each([
    ['10.0.0.0/8', '10.1.2.3', true],
    ['10.0.0.0/8', '::ffff:10.1.2.3', true],
    ['10.0.0.0/8', '64:ff9b::10.1.2.3', true],
    ['10.0.0.0/8', '2002:a01:203::', false],
    ['10.0.0.0/8', '192.168.0.1', false],
    ['10.0.0.0/8', '127.0.0.1', false],
    ['10.0.0.0/8', '1.1.1.1', true],
    ['10.7.7.7/8', '10.1.2.3', true],
    ['169.254.169.254', '169.254.169.254', true],
    ['169.254.169.254', '169.254.169.253', false],
    ['fe80::/10', 'fe80::1%eth0', true],
    ['::ffff:10.0.0.0/104', '10.1.2.3', true],
    ['192.0.2.0/24, fd00::/8', 'fd12::1', true],
    ['192.0.2.0/24, fd00::/8', '192.0.2.9', true],
    ['0.0.0.0/0', '::1', false],
    ['::/0', '::1', true],
    ['::/0', '10.0.0.1', false],
    ['::/0', '::ffff:10.0.0.1', false],
    ['::/0', '::ffff:169.254.169.254', false],
    ['::/0', '64:ff9b::169.254.169.254', false],
    ['64:ff9b::/96', '64:ff9b::10.0.0.1', true],
    ['64:ff9b::/96', '10.0.0.1', false],
    ['64:ff9b:1::/48', '64:ff9b:1::10.0.0.1', true],
    ['2002:a00::/24', '2002:a00:1::', true],
    ['::127.0.0.0/104', '127.0.0.1', false],
    ['::127.0.0.0/104', '::127.0.0.1', true],
  ])('with %s, %s allowed: %s', (setting, address, allowed) => {
    expect(guardOf(setting).evaluate(address).allowed).toBe(allowed);
  });

  test('evaluates mapped addresses as IPv4', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(closed.evaluate(`::ffff:${address}`)).toEqual(closed.evaluate(address));
        expect(open.evaluate(`[::FFFF:${address}]`)).toEqual(open.evaluate(address));
      }),
    );
  });

  test('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV6(), fc.webUrl(), fc.domain()), (text) => {
        expect(typeof open.evaluate(text).allowed).toBe('boolean');
      }),
      { numRuns: 50 },
    );
  });
});

test('validation evaluates only address literals [7.5]', () => {
  expect(evaluateHostLiteral(open, 'localhost')).toBeNull();
  expect(evaluateHostLiteral(closed, 'xn--mnchen-3ya.de')).toBeNull();
  expect(evaluateHostLiteral(open, 'not a host')).toBeNull();
  expect(evaluateHostLiteral(closed, '127.1')).toMatchObject({ allowed: false });
  expect(evaluateHostLiteral(open, '[fe80::1]')).toMatchObject({ allowed: false });
  expect(evaluateHostLiteral(closed, '①②⑦.⓪.⓪.①')).toMatchObject({ allowed: false });
});

test.each([
  '',
  'yes',
  '10.0.0.0/33',
  '10.0.0.0/-1',
  '10.0.0.0/8/8',
  '10/8',
  'fe80::/129',
  'a,b',
  '10.0.0.0/8,',
])('ALLOW_PRIVATE_TARGETS=%j is refused with an error that contains it', (text) => {
  expect(parseAllowPrivateTargets(text)).toMatchObject({
    ok: false,
    message: expect.stringContaining('ALLOW_PRIVATE_TARGETS'),
  });
});
