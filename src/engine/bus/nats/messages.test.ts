import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  missingNeed,
  parseBatch,
  parseBatchAnswer,
  parsePresence,
  parseUnderWay,
  PROTOCOL,
} from './messages.ts';

/*
 * Messages as the first release with this protocol writes them. They are never changed: a later release must read them,
 * and whatever it adds must not keep this one from reading its own.
 */
const WRITTEN = {
  batch:
    '{"protocol":1,"items":[[7,{"type":"port","monitorId":3,"teamId":2,"timeoutMs":5000,"host":"192.0.2.1","port":443}],[8,{"kind":"machine","timeoutMs":2500}]]}',
  answer:
    '{"protocol":1,"probe":"p1","vantage":"rack 4","results":[[7,[null,1.5,null,1.2,null,null,1.5,"192.0.2.1",12,0]]]}',
  refusal: '{"protocol":1,"probe":"p1","vantage":"rack 4","refusal":"no","results":[]}',
  underWay: '{"protocol":1,"probe":"p1","batches":["a","b"]}',
  presence:
    '{"protocol":1,"probe":"p1","sequence":9,"vantage":"rack 4","version":"0.1.0","load":[{"running":1,"waiting":0,"longestWaitMs":0,"capacity":9904,"openFiles":20000}],"now":1764324000000}',
};

/** The message with a field that this release does not know. */
function withMore(text: string): string {
  return JSON.stringify({ ...(JSON.parse(text) as object), later: { any: [1] } });
}

function ofNextProtocol(text: string): string {
  return text.replace('"protocol":1', '"protocol":2');
}

describe('messages of protocol 1', () => {
  test('are read', () => {
    expect(parseBatch(WRITTEN.batch)).toMatchObject({
      items: [
        [7, { host: '192.0.2.1' }],
        [8, {}],
      ],
    });
    expect(parseBatchAnswer(WRITTEN.answer)).toMatchObject({ vantage: 'rack 4' });
    expect(parseBatchAnswer(WRITTEN.refusal)).toMatchObject({ refusal: 'no' });
    expect(parseUnderWay(WRITTEN.underWay)?.batches).toEqual(['a', 'b']);
    expect(parsePresence(WRITTEN.presence)).toMatchObject({
      sequence: 9,
      load: [{ capacity: 9904 }],
    });
  });

  test('are read as well with fields of a later release', () => {
    expect(parseBatch(withMore(WRITTEN.batch))).toMatchObject({
      items: [
        [7, {}],
        [8, {}],
      ],
    });
    expect(parseBatchAnswer(withMore(WRITTEN.answer))).not.toBeNull();
    expect(parseUnderWay(withMore(WRITTEN.underWay))).not.toBeNull();
    expect(parsePresence(withMore(WRITTEN.presence))).not.toHaveProperty('later');
  });
});

describe('messages of a later protocol', () => {
  test('a batch is refused with a reason', () => {
    expect(parseBatch(ofNextProtocol(WRITTEN.batch))).toEqual({
      refusal: `it reads protocol ${PROTOCOL} and was sent 2`,
    });
  });

  test('a refusal and a sign of life are read, answers are not', () => {
    expect(parseBatchAnswer(ofNextProtocol(WRITTEN.refusal))?.refusal).toBe('no');
    expect(parsePresence(ofNextProtocol(WRITTEN.presence))?.protocol).toBe(2);
    expect(parseBatchAnswer(ofNextProtocol(WRITTEN.answer))).toBeNull();
    expect(parseUnderWay(ofNextProtocol(WRITTEN.underWay))).toBeNull();
  });
});

test('what a request needs beyond the protocol is named', () => {
  expect(missingNeed([])).toBeNull();
  expect(missingNeed(['grpc'])).toBe('grpc');
});

test.each([
  'x',
  '[]',
  'null',
  '{"protocol":1}',
  '{"protocol":1,"items":[[1]]}',
  '{"protocol":1,"items":[["1",{}]]}',
  '{"protocol":1,"items":[[1,{},"need"]]}',
])('%s is no batch', (text) => {
  expect(parseBatch(text)).toBeNull();
});

test('loads that are none are left out', () => {
  const text = WRITTEN.presence.replace('"running":1', '"running":"many"');
  expect(parsePresence(text)?.load).toEqual([]);
});

test('any text is read or refused without an exception', () => {
  const json = fc.json().map((text) => text);
  const almost = fc
    .constantFrom(...Object.values(WRITTEN))
    .chain((text) =>
      fc
        .tuple(fc.constantFrom(...Object.keys(JSON.parse(text) as object)), fc.jsonValue())
        .map(([key, value]) => JSON.stringify({ ...(JSON.parse(text) as object), [key]: value })),
    );
  fc.assert(
    fc.property(fc.oneof(json, almost, fc.string()), (text) => {
      parseBatch(text);
      parseBatchAnswer(text);
      parseUnderWay(text);
      parsePresence(text);
    }),
  );
});
