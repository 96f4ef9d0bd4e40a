import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { InvalidInput, Problem, RateLimited } from '../resources/common/errors.ts';
import { refusalOf, refusalText } from './refusal.ts';

it('is null for an internal error', () => {
  expect(refusalOf(new Error('SELECT * FROM person'))).toBeNull();
});

it('has every argument that is wrong with its sentences, one a line', () => {
  const refusal = refusalOf(
    new InvalidInput({ url: ['url must be text.'], 'regions.0': ['regions.0 is unknown.'] }),
  )!;
  expect(refusal).toMatchObject({
    code: 'invalid',
    fields: { url: ['url must be text.'], 'regions.0': ['regions.0 is unknown.'] },
  });
  expect(refusalText(refusal)).toBe(
    'Nothing was changed.\n- url must be text.\n- regions.0 is unknown.',
  );
});

it('says how long to wait', () => {
  const refusal = refusalOf(new RateLimited(20, 31))!;
  expect(refusal).toMatchObject({ code: 'rate_limited', retry_after_seconds: 31 });
  expect(refusalText(refusal)).toContain('Wait 31 seconds, then repeat the call.');
});

it('says where to find ids', () => {
  expect(refusalOf(new Problem('not_found', 'Not found.'))!.message).toBe(
    'Not found. A tool that lists has the ids there are.',
  );
});

it('keeps to a line each and to a size, whatever was sent', () => {
  const text = fc.string({ unit: 'binary', maxLength: 500, size: 'max' });
  const errors = fc.dictionary(text, fc.array(text, { maxLength: 8 }), {
    maxKeys: 40,
    size: 'max',
    noNullPrototype: true,
  });
  fc.assert(
    fc.property(errors, (given) => {
      const refusal = refusalOf(new InvalidInput(given))!;
      const bytes = [refusal, refusalText(refusal)].map((one) =>
        Buffer.byteLength(JSON.stringify(one)),
      );
      expect(bytes[0]! + bytes[1]!).toBeLessThan(20_000);
      const lines = refusalText(refusal)
        .split(/[\n\r\u0085\u2028\u2029]/)
        .slice(1);
      const sentences = Object.values(refusal.fields!).flat();
      if (sentences.length > 0) expect(lines).toEqual(sentences.map((one) => `- ${one}`));
    }),
    { numRuns: 30 },
  );
});
