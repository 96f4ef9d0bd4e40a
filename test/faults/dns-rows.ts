import type { FailureCode } from '../../src/model/failure.ts';
import { answering, page, startServer } from '../support/fault-servers.ts';
import { freePorts } from '../support/free-ports.ts';
import { httpCheck } from '../support/probing.ts';
import {
  addresses,
  aliases,
  byType,
  garbage,
  responseCode,
  silent,
  truncated,
} from './name-server.ts';
import type { Answers } from './name-server.ts';
import { down, HANGS, up } from './row.ts';
import type { Expected, Overrides, Row } from './row.ts';

const HERE = '127.0.0.1';
const dead = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `127.0.${(at >> 8) + 1}.${at & 255}`);

interface Extras extends Overrides {
  guard?: Row['guard'];
  /** Address on which the target listens. */
  listens?: string;
}

/** Row whose target has the name `<word>.test`, or a full name. */
function named(
  what: string,
  name: string,
  answers: Answers,
  expected: Expected,
  extras: Extras = {},
): Row {
  const { guard = 'open', listens = HERE, ...more } = extras;
  const host = name.includes('.') ? name : `${name}.test`;
  return {
    name: `dns: ${what}`,
    // Nobody listens on this port of the other addresses, and nobody connects from it.
    start: async () => {
      const [port] = await freePorts(1);
      return await startServer(answering(page('hello')), listens, port);
    },
    names: { [host]: answers },
    request: httpCheck(`http://${host}:{port}/`, more),
    guard,
    expected,
  };
}

const notFound = (name: string): Expected =>
  down('dns_not_found', `DNS name ${name} not found`, 'nothing', null);
const failed = (name: string): Expected =>
  down('dns_failed', `DNS look-up of ${name} failed`, 'nothing', null);
const timeout = (name: string): Expected =>
  down('dns_timeout', `DNS timeout looking up ${name}`, 'nothing', null);
const notAllowed = (target: string): Expected =>
  down(
    'target_not_allowed',
    `Target ${target} is not allowed (ALLOW_PRIVATE_TARGETS)`,
    'nothing',
    null,
  );
const noName = (name: string): Expected =>
  down('dns_not_found', `"${name}" is not a valid host name`, 'nothing', null);

const oneFamily = (ipv4: FailureCode | null, ipv6: FailureCode | null): Expected => ({
  ...up(),
  families: { ipv4, ipv6 },
});
const LONG_LABEL = `${'x'.repeat(64)}.test`;
const LONG_NAME = `${'abcdefghi.'.repeat(25)}test`;
const refused = (address: string): Expected =>
  down('connection_refused', `Connection refused by ${address} port {port}`, 'dns', null);

export const DNS_ROWS: Row[] = [
  named('an address', 'good', addresses(HERE), up()),
  named('an address of IPv6 alone', 'six', addresses('::1'), up(), { listens: '::1' }),
  named('capitals and a final dot', 'good2.test', addresses(HERE), up(), {}),
  named('a name that does not exist', 'nobody', responseCode('NXDOMAIN'), notFound('nobody.test')),
  named('a name without addresses', 'empty', addresses(), notFound('empty.test')),
  named('the server fails', 'servfail', responseCode('SERVFAIL'), failed('servfail.test')),
  named('the server refuses', 'refused', responseCode('REFUSED'), failed('refused.test')),
  named('the server knows no such thing', 'notimp', responseCode('NOTIMP'), failed('notimp.test')),
  named(
    'the server finds fault with the question',
    'formerr',
    responseCode('FORMERR'),
    failed('formerr.test'),
  ),
  named('the server is silent', 'silent', silent, timeout('silent.test'), HANGS),
  named('the server talks nonsense', 'garbage', garbage, failed('garbage.test')),
  named(
    'an answer in another name',
    'other',
    () => ({ answers: [{ type: 'A', name: 'else.test', ttl: 1, data: HERE }] }),
    up(),
  ),
  named(
    'an answer of another type',
    'text',
    (question) => ({ answers: [{ type: 'TXT', name: question.name, ttl: 1, data: 'x' }] }),
    notFound('text.test'),
  ),
  named('too long for a datagram', 'truncated', truncated(addresses(HERE)), up()),
  named(
    'too long for a datagram, and silence on TCP',
    'half',
    truncated(silent),
    timeout('half.test'),
    HANGS,
  ),
  named(
    'one family is silent, the other answers',
    'slow-a',
    byType(silent, addresses('::1')),
    up(),
    { listens: '::1' },
  ),
  named(
    'one family fails, the other answers',
    'bad-aaaa',
    byType(addresses(HERE), responseCode('SERVFAIL')),
    up(),
  ),
  named(
    'one family does not exist, the other answers',
    'lie-aaaa',
    byType(addresses(HERE), responseCode('NXDOMAIN')),
    up(),
  ),
  named(
    'one family is silent, the other has none',
    'half-silent',
    byType(addresses(), silent),
    timeout('half-silent.test'),
    HANGS,
  ),
  named('an alias', 'alias', aliases(['next.test', 'last.test'], [HERE]), up()),
  named(
    'an alias to nowhere',
    'alias-nowhere',
    aliases(['nowhere.test'], [], 'NXDOMAIN'),
    notFound('alias-nowhere.test'),
  ),
  named(
    'an alias without addresses',
    'alias-empty',
    aliases(['empty.test'], []),
    notFound('alias-empty.test'),
  ),
  named(
    'aliases in a circle',
    'circle',
    aliases(['second.test', 'circle.test'], []),
    notFound('circle.test'),
  ),
  named('the first address is dead', 'first-dead', addresses('127.0.1.1', HERE), up()),
  named('the first three are dead', 'three-dead', addresses(...dead(3), HERE), up()),
  named(
    'more are dead than are tried',
    'five-dead',
    addresses(...dead(5), HERE),
    refused('127.0.1.0'),
  ),
  named(
    'a thousand addresses, all dead',
    'many',
    truncated(addresses(...dead(1_000))),
    refused('127.0.1.0'),
  ),
  named(
    'a thousand addresses, the second one lives',
    'many-2',
    truncated(addresses('127.0.1.1', HERE, ...dead(998))),
    up(),
  ),
  named(
    'IPv4 is dead, IPv6 lives',
    'four-dead',
    addresses('127.0.1.1', '::1'),
    oneFamily('connection_refused', null),
    {
      listens: '::1',
    },
  ),
  named(
    'IPv6 is dead, IPv4 lives',
    'six-dead',
    addresses(HERE, '::1'),
    oneFamily(null, 'connection_refused'),
  ),
  named('both families are dead', 'both-dead', addresses('127.0.1.1', '::1'), refused('127.0.1.1')),
  named('IPv6 alone, and dead', 'six-only-dead', addresses('::1'), refused('[::1]')),
  named('beyond ASCII', 'xn--mnchen-3ya.test', addresses(HERE), up()),
  named('with an underscore', '_dmarc', addresses(HERE), up()),
  named('below localhost', 'shop.localhost', silent, up()),
  named('a label of 64 characters', LONG_LABEL, silent, noName(LONG_LABEL)),
  named('a name of 254 characters', LONG_NAME, silent, noName(LONG_NAME)),
  named('an empty label', 'a..test', silent, noName('a..test')),
  named(
    'a private address where none is allowed',
    'private',
    addresses('10.0.0.1'),
    notAllowed('private.test'),
    { guard: 'closed' },
  ),
  named(
    'a public and a private address',
    'mixed',
    addresses('8.8.8.8', '192.168.1.1'),
    notAllowed('mixed.test'),
    { guard: 'closed' },
  ),
  named(
    'a public address and a private one of IPv6',
    'mixed-6',
    addresses('8.8.8.8', 'fd00::1'),
    notAllowed('mixed-6.test'),
    { guard: 'closed' },
  ),
  named(
    'an alias to a private address',
    'alias-private',
    aliases(['inside.test'], ['172.16.0.1']),
    notAllowed('alias-private.test'),
    { guard: 'closed' },
  ),
  named('loopback where it is not allowed', 'loop', addresses(HERE), notAllowed('loop.test'), {
    guard: 'closed',
  }),
  named(
    'an IPv4 address in an IPv6 one',
    'mapped',
    addresses('::ffff:10.0.0.1'),
    notAllowed('mapped.test'),
    { guard: 'closed' },
  ),
  named(
    'a cloud metadata address',
    'metadata',
    addresses('169.254.169.254'),
    notAllowed('metadata.test'),
  ),
  named('the unspecified address', 'zero', addresses('0.0.0.0'), notAllowed('zero.test')),
  named('a multicast address', 'multicast', addresses('224.0.0.1'), notAllowed('multicast.test')),
];

const literal = (host: string, shown: string): Row => ({
  name: `guard: ${host}`,
  request: httpCheck(`http://${host}/`),
  guard: 'closed',
  expected: notAllowed(shown),
});

/** Spellings of addresses when private ones are not allowed. */
export const GUARD_ROWS: Row[] = [
  literal('127.0.0.1', '127.0.0.1'),
  literal('127.1', '127.0.0.1'),
  literal('2130706433', '127.0.0.1'),
  literal('0x7f000001', '127.0.0.1'),
  literal('0177.0.0.01', '127.0.0.1'),
  literal('[::1]', '::1'),
  literal('[::ffff:127.0.0.1]', '::ffff:7f00:1'),
  literal('[64:ff9b::a00:1]', '64:ff9b::a00:1'),
  literal('10.0.0.1', '10.0.0.1'),
  literal('localhost', 'localhost'),
  literal('169.254.169.254', '169.254.169.254'),
  literal('[fd00:ec2::254]', 'fd00:ec2::254'),
];

const ping = (
  what: string,
  host: string,
  expected: Expected,
  answers: Answers = silent,
  guard: Row['guard'] = 'open',
): Row => ({
  name: `ping: ${what}`,
  names: { [host]: answers },
  request: { type: 'ping', monitorId: 1, host, timeoutMs: 2_000 },
  guard,
  expected,
});

/** Pings that end before an echo is sent: whether the machine permits echoes varies. */
export const PING_ROWS: Row[] = [
  ping(
    'a name that does not exist',
    'ping-nobody.test',
    notFound('ping-nobody.test'),
    responseCode('NXDOMAIN'),
  ),
  ping('the server fails', 'ping-fail.test', failed('ping-fail.test'), responseCode('SERVFAIL')),
  ping('the server is silent', 'ping-silent.test', timeout('ping-silent.test')),
  ping(
    'a public and a private address',
    'ping-mixed.test',
    notAllowed('ping-mixed.test'),
    addresses('8.8.8.8', '10.0.0.1'),
    'closed',
  ),
  ping('a private address', '10.0.0.1', notAllowed('10.0.0.1'), silent, 'closed'),
  ping('a broadcast address', '255.255.255.255', notAllowed('255.255.255.255')),
  ping('no host name at all', 'a b', noName('a b')),
];
