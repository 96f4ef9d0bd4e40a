import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseChallenge, digestAuthorization } from './digest.ts';

const latin1 = (text: string): string => Buffer.from(text).toString('latin1');

/** A parameter of an answer, without quotes. */
const part = (header: string, name: string): string | undefined =>
  new RegExp(`(?:^Digest |, )${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^,]*))`)
    .exec(header)
    ?.slice(1)
    .find((each) => each !== undefined);

const answer = (
  challenge: string | string[],
  credentials: { username: string; password: string },
  request: { uri: string; clientNonce: string },
): string => {
  const chosen = chooseChallenge([challenge].flat());
  if (chosen === null) throw new Error('No challenge was chosen.');
  return digestAuthorization(chosen, credentials, { method: 'GET', ...request }).header;
};

const mufasaChallenge = (algorithm: string): string =>
  `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, ` +
  'nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", ' +
  'opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"';

describe('the vectors of the standards', () => {
  const mufasa = { username: 'Mufasa', password: 'Circle of Life' };
  const request = {
    uri: '/dir/index.html',
    clientNonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
  };

  test.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ])('RFC 7616, section 3.9.1, %s', (algorithm, response) => {
    expect(answer(mufasaChallenge(algorithm), mufasa, request)).toBe(
      'Digest username="Mufasa", realm="http-auth@example.org", ' +
        'nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", uri="/dir/index.html", ' +
        `algorithm=${algorithm}, qop=auth, nc=00000001, ` +
        'cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", ' +
        `response="${response}", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`,
    );
  });

  // Uses the values of erratum 4897: those in the text are of truncated SHA-512.
  test('RFC 7616, section 3.9.2', () => {
    const header = answer(
      'Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, ' +
        'nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", ' +
        'opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", charset=UTF-8, userhash=true',
      { username: 'Jäsøn Doe', password: 'Secret, or not?' },
      { uri: '/doe.json', clientNonce: 'NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v' },
    );
    expect(part(header, 'username')).toBe(
      '793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b',
    );
    expect(part(header, 'response')).toBe(
      '3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5',
    );
    expect(part(header, 'userhash')).toBe('true');
  });

  test.each([
    [
      'RFC 2617, section 3.5',
      'Circle Of Life',
      ', qop="auth,auth-int"',
      '6629fae49393a05397450978507c4ef1',
    ],
    [
      'RFC 2069, section 2.4, as its erratum 749 has it',
      'CircleOfLife',
      '',
      '1949323746fe6a43ef61f9606e7febea',
    ],
  ])('%s', (_name, password, qop, response) => {
    const header = answer(
      `Digest realm="testrealm@host.com"${qop}, nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", ` +
        'opaque="5ccc069c403ebaf9f0171e9517f40e41"',
      { username: 'Mufasa', password },
      { uri: '/dir/index.html', clientNonce: '0a4f113b' },
    );
    expect(part(header, 'response')).toBe(response);
    expect(part(header, 'cnonce')).toBe(qop === '' ? undefined : '0a4f113b');
    expect(header).not.toContain('algorithm');
  });

  test('a session binds the password to the nonces', () => {
    const header = answer(mufasaChallenge('MD5-sess'), mufasa, request);
    // openssl, by hand: md5(md5(md5(user:realm:password):nonce:cnonce):nonce:00000001:cnonce:auth:md5(GET:uri)).
    expect(part(header, 'response')).toBe('e783283f46242139c486a698fec7211d');
  });
});

const of = (algorithm: string): string =>
  `Digest realm="r", nonce="n", qop="auth", algorithm=${algorithm}`;

describe('choice of the challenge [16.16]', () => {
  test.each<[string, string[], string | null]>([
    ['the strongest of several headers', [of('MD5'), of('SHA-256'), of('SHA-256-sess')], 'SHA-256'],
    [
      'the strongest of one list',
      [`${of('MD5')}, ${of('SHA-512-256')}, ${of('SHA-256')}`],
      'SHA-512-256',
    ],
    ['one between others', [`Basic realm="a, b", Negotiate abcd==, ${of('MD5')}, Bearer`], 'MD5'],
    ['in any case', [of('sha-256').replace('Digest', 'dIGEST')], 'sha-256'],
    ['not an unknown algorithm', [of('SHA3-256'), of('MD5')], 'MD5'],
    ['quoted', [of('"MD5"')], 'MD5'],
  ])('%s', (_name, values, algorithm) => {
    expect(chooseChallenge(values)?.algorithm).toBe(algorithm);
  });

  test.each([
    ['nothing', ''],
    ['another scheme', 'Basic realm="Digest nonce=1"'],
    ['no nonce', 'Digest realm="r"'],
    ['an unknown algorithm', of('SHA-1')],
    ['integrity of the body alone', 'Digest realm="r", nonce="n", qop="auth-int"'],
    [
      'a session without a quality of protection',
      'Digest realm="r", nonce="n", algorithm=MD5-sess',
    ],
    ['a control character', 'Digest realm="r", nonce="\u0001", qop="auth"'],
    ['a quote that does not end', 'Digest realm="r, nonce="n'],
  ])('none: %s', (_name, value) => {
    expect(chooseChallenge([value])).toBeNull();
  });

  test('value formats of servers', () => {
    const odd =
      'Digest\trealm = "a \\"b\\", c" ,,nonce=abc=/+,stale=TRUE, qop="AUTH-INT , Auth",userhash="true"';
    expect(chooseChallenge([odd])).toEqual({
      realm: 'a "b", c',
      nonce: 'abc=/+',
      opaque: null,
      algorithm: null,
      hasQop: true,
      userhash: true,
      stale: true,
    });
  });
});

describe('the answer', () => {
  const request = { uri: '/', clientNonce: 'c' };

  test('names beyond ASCII, realms beyond ASCII, quotes', () => {
    const challenge = latin1('Digest realm="Köln \\"1\\"", nonce="n", qop="auth", charset=UTF-8');
    const header = answer(challenge, { username: 'jö(e)', password: 'x' }, request);
    expect(header).toContain("username*=UTF-8''j%C3%B6%28e%29, ");
    expect(header).toContain('realm="Köln \\"1\\"", ');
    const plain = answer(challenge, { username: 'a"\\b', password: 'x' }, request);
    expect(plain).toContain('username="a\\"\\\\b", ');
  });

  test('any challenge and user name result in one header', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc
        .array(
          fc.constantFrom(
            'Digest ',
            'nonce',
            'realm',
            'qop',
            'algorithm',
            '=',
            '"',
            '\\',
            ',',
            ' ',
            'auth',
            'MD5-sess',
            'SHA-256',
            'nonce="n"',
            'opaque="\r\n"',
            'stale=true',
            'userhash=true',
            '\u00e9',
            '\u0000',
          ),
          { maxLength: 40 },
        )
        .map((pieces) => `Digest nonce="1", ${pieces.join('')}`),
    );
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 4 }), texts, texts, (values, username, password) => {
        const challenge = chooseChallenge(values.map(latin1));
        if (challenge === null) return;
        const { header, response } = digestAuthorization(
          challenge,
          { username, password },
          { method: 'GET', uri: '/', clientNonce: 'c' },
        );
        expect(header).toMatch(/^[\t\x20-\x7e\x80-\u{10ffff}]*$/u);
        expect(header).toContain(`response="${response}"`);
      }),
    );
  });

  test.each(['a="', 'a="\\', '"', 'Digest ', ',', 'a=', 'Digest a="b\\"c", '])(
    'a header of nothing but %j is read without stopping the world',
    (piece) => {
      expect(chooseChallenge([piece.repeat(Math.ceil(65_536 / piece.length))])).toBeNull();
    },
  );
});
