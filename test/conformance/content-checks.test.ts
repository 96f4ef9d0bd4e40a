import { describe, expect, it } from 'vitest';
import {
  ASSERTIONS,
  client,
  expectRefused,
  expectStatus,
  KEYWORDS,
  REQUIRED,
  names,
} from './support.ts';

const { get, post, put, monitor } = client();

const keywordFields = (fields: object) => ({
  keyword_settings: { keywords: [{ phrase: 'x', mode: 'must_contain', ...fields }] },
});
const assertionFields = (fields: object) => ({
  json_assertion_settings: { assertions: [{ path: 'a', operator: 'equals', value: 1, ...fields }] },
});
const keywords = (count: number) => ({
  keyword_settings: { keywords: Array(count).fill(KEYWORDS.keywords[0]) },
});
const assertions = (count: number) => ({
  json_assertion_settings: { assertions: Array(count).fill(ASSERTIONS.assertions[0]) },
});
const refuse = async (fields: object, ...faults: string[]) =>
  expectRefused(await post('/monitors', { ...REQUIRED.http, ...fields }), ...faults);

/** Check type, settings that turn it on, and their field. */
const KINDS: [check: string, settings: object, field: string][] = [
  ['keyword', { keyword_settings: KEYWORDS }, 'keyword_settings'],
  ['json', { json_assertion_settings: ASSERTIONS }, 'json_assertion_settings'],
];

const KEYWORD = 'keyword_settings.keywords.0';
const ASSERTION = 'json_assertion_settings.assertions.0';
const OPERATORS = names(`
  equals not_equals contains not_contains exists not_exists gt gte lt lte regex
  not_regex
`);

describe('keyword and JSON settings', () => {
  it.each(['must_contain', 'must_not_contain'])(
    'the mode of a keyword may be %s [8.1]',
    async (mode) => {
      const settings = keywordFields({ mode, case_sensitive: true });
      expect(await monitor('http', settings)).toMatchObject(settings);
    },
  );

  it('another mode, or none, is refused [8.1]', async () => {
    await refuse(keywordFields({ mode: 'contains' }), `${KEYWORD}.mode`);
    await refuse(keywordFields({ mode: undefined }), `${KEYWORD}.mode`);
  });

  it('case_sensitive is a boolean [8.2]', async () => {
    for (const value of [true, false]) {
      const made = await monitor('http', keywordFields({ case_sensitive: value }));
      expect(made).toMatchObject(keywordFields({ case_sensitive: value }));
    }
    await refuse(keywordFields({ case_sensitive: 'yes' }), `${KEYWORD}.case_sensitive`);
  });

  it('search_target is html or text [8.3]', async () => {
    for (const target of ['html', 'text']) {
      const settings = { ...KEYWORDS, search_target: target };
      const made = await monitor('http', { keyword_settings: settings });
      expect(made['keyword_settings']).toEqual(settings);
    }
    const wrong = { keyword_settings: { ...KEYWORDS, search_target: 'body' } };
    await refuse(wrong, 'keyword_settings.search_target');
  });

  it('there are at most 10 keywords [8.4]', async () => {
    expect(await monitor('http', keywords(10))).toMatchObject(keywords(10));
    await refuse(keywords(11), 'keyword_settings.keywords');
  });

  it('there are at most 10 assertions [8.5]', async () => {
    expect(await monitor('http', assertions(10))).toMatchObject(assertions(10));
    await refuse(assertions(11), 'json_assertion_settings.assertions');
  });

  it.each(OPERATORS)('the operator of an assertion may be %s [8.6]', async (operator) => {
    const settings = assertionFields({ operator, value: /gt|lt/.test(operator) ? 5 : 'x' });
    expect(await monitor('http', settings)).toMatchObject(settings);
  });

  it('another operator, or none, is refused [8.6]', async () => {
    await refuse(assertionFields({ operator: 'like' }), `${ASSERTION}.operator`);
    await refuse(assertionFields({ operator: undefined }), `${ASSERTION}.operator`);
  });

  it('JSON assertions and keyword matching exclude each other [8.11]', async () => {
    const answer = await post('/monitors', {
      ...REQUIRED.http,
      keyword_settings: KEYWORDS,
      json_assertion_settings: ASSERTIONS,
    });
    expectStatus(answer, 422);
    const { id } = await monitor('http', { keyword_settings: KEYWORDS });
    expectStatus(await put(`/monitors/${id}`, { json_assertion_settings: ASSERTIONS }), 422);
  });

  it.each(KINDS)(
    'settings with content turn the check type %s on [8.13]',
    async (check, settings) => {
      expect((await monitor('http', settings))['check_types']).toEqual([check]);
      const added = await monitor('http', { ...settings, check_types: ['ssl'] });
      expect((added['check_types'] as string[]).toSorted()).toEqual(['ssl', check].toSorted());
      const { id } = await monitor('http', { check_types: ['dns'] });
      const changed = await put(`/monitors/${id}`, settings);
      expect((changed.body['check_types'] as string[]).toSorted()).toEqual(
        ['dns', check].toSorted(),
      );
    },
  );

  it.each(KINDS)(
    'the check type %s without its settings, sent or stored, is refused [8.15]',
    async (check) => {
      expectStatus(await post('/monitors', { ...REQUIRED.http, check_types: [check] }), 422);
      const { id } = await monitor();
      expectStatus(await put(`/monitors/${id}`, { check_types: [check] }), 422);
    },
  );

  it.each(KINDS)(
    'the check type %s is accepted when its settings are stored [8.15]',
    async (check, settings) => {
      const { id } = await monitor('http', settings);
      await put(`/monitors/${id}`, { check_types: [] });
      const changed = await put(`/monitors/${id}`, { check_types: [check] });
      expect(changed.body['check_types'], changed.text).toEqual([check]);
    },
  );

  it.each(KINDS)(
    'settings set to null without check_types turn the check type %s off [8.17]',
    async (check, settings, field) => {
      const { id } = await monitor('http', { ...settings, check_types: ['ssl', check] });
      const { body } = await put(`/monitors/${id}`, { [field]: null });
      expect([body['check_types'], body[field]]).toEqual([['ssl'], null]);
    },
  );

  it.each(KINDS)(
    'check_types without %s, whose settings are stored: the type goes off, the settings stay [8.18]',
    async (check, settings) => {
      const { id } = await monitor('http', { ...settings, check_types: ['ssl', check] });
      const { body } = await put(`/monitors/${id}`, { check_types: ['ssl'] });
      expect(body).toMatchObject({ ...settings, check_types: ['ssl'] });
    },
  );

  it('settings of another form are refused on the field that is wrong [8.20]', async () => {
    await refuse({ keyword_settings: 'x' }, 'keyword_settings');
    await refuse({ keyword_settings: { keywords: {} } }, 'keyword_settings.keywords');
    await refuse({ json_assertion_settings: 7 }, 'json_assertion_settings');
    const wrong = { json_assertion_settings: { assertions: ['x'] } };
    await refuse(wrong, 'json_assertion_settings.assertions.0');
  });

  it('settings without content do not turn their check type on [8.14]', async () => {
    for (const settings of [
      { keyword_settings: {} },
      { keyword_settings: { keywords: [] } },
      { json_assertion_settings: {} },
      { json_assertion_settings: { assertions: [] } },
    ])
      expect((await monitor('http', settings))['check_types']).toEqual([]);
  });

  it.each(KINDS)(
    'check_types with %s beside null for its settings are refused [8.16]',
    async (check, settings, field) => {
      const fields = { check_types: [check], [field]: null };
      expectStatus(await post('/monitors', { ...REQUIRED.http, ...fields }), 422);
      const { id } = await monitor('http', settings);
      expectStatus(await put(`/monitors/${id}`, fields), 422);
    },
  );

  it.each(KINDS)(
    'check_types null turn %s off, the settings stay; sent again they turn it on [8.18]',
    async (check, settings) => {
      const { id } = await monitor('http', settings);
      const off = await put(`/monitors/${id}`, { check_types: null });
      expect(off.body, off.text).toMatchObject({ ...settings, check_types: [] });
      const on = await put(`/monitors/${id}`, settings);
      expect(on.body, on.text).toMatchObject({ ...settings, check_types: [check] });
    },
  );

  it('both kinds in check_types are refused [8.12]', async () => {
    expectStatus(
      await post('/monitors', { ...REQUIRED.http, check_types: ['keyword', 'json'] }),
      422,
    );
    const { id } = await monitor('http', { keyword_settings: KEYWORDS });
    expectStatus(await put(`/monitors/${id}`, { check_types: ['keyword', 'json'] }), 422);
  });

  it('a refused change of settings leaves what is stored [8.21]', async () => {
    const made = await monitor('http', { keyword_settings: KEYWORDS });
    expectStatus(await put(`/monitors/${made.id}`, keywordFields({ mode: 'maybe' })), 422);
    expect((await get(`/monitors/${made.id}`)).body).toMatchObject(made);
  });

  it('one kind can take the place of the other in one call [8.19]', async () => {
    const { id } = await monitor('http', { keyword_settings: KEYWORDS });
    const changed = await put(`/monitors/${id}`, {
      keyword_settings: null,
      json_assertion_settings: ASSERTIONS,
    });
    expect(changed.body, changed.text).toMatchObject({
      check_types: ['json'],
      keyword_settings: null,
      json_assertion_settings: ASSERTIONS,
    });
  });

  it('a phrase is counted in characters [8.4]', async () => {
    const settings = keywordFields({ phrase: '🛎'.repeat(500) });
    expect(await monitor('http', settings)).toMatchObject(settings);
  });

  it('a phrase has 1 to 500 characters [8.4]', async () => {
    for (const length of [1, 500]) {
      const settings = keywordFields({ phrase: 'é'.repeat(length) });
      expect(await monitor('http', settings)).toMatchObject(settings);
    }
    for (const phrase of ['', 'x'.repeat(501), 7, null, undefined])
      await refuse(keywordFields({ phrase }), `${KEYWORD}.phrase`);
  });

  it.each(['text', 1, 0.5, true, false, null, ''])('value may be %j [8.7]', async (value) => {
    const made = await monitor('http', assertionFields({ value }));
    expect(made).toMatchObject(assertionFields({ value }));
  });

  it.each([[['x']], [{}]])('value must not be %j [8.7]', async (value) => {
    await refuse(assertionFields({ value }), `${ASSERTION}.value`);
  });

  it.each(OPERATORS.filter((operator) => !operator.endsWith('exists')))(
    'value is required for %s [8.8]',
    async (operator) => {
      await refuse(assertionFields({ operator, value: undefined }), `${ASSERTION}.value`);
    },
  );

  it.each(['exists', 'not_exists'])('value is not required for %s [8.8]', async (operator) => {
    const settings = { assertions: [{ path: 'a', operator }] };
    const made = await monitor('http', { json_assertion_settings: settings });
    expect(made['json_assertion_settings']).toEqual(settings);
  });

  it.each(['gt', 'gte', 'lt', 'lte'])('%s coerces numeric strings [17.12]', async (operator) => {
    const settings = assertionFields({ operator, value: '10.5' });
    expect(await monitor('http', settings)).toMatchObject(settings);
  });

  it.each(['a', 'a.b.c', 'items.0.name', '$.a.b', 'a["b.c"].d', '["a.b"]', '$["a.b"]'])(
    'path may be %s [17.9]',
    async (path) => {
      expect(await monitor('http', assertionFields({ path }))).toMatchObject(
        assertionFields({ path }),
      );
    },
  );

  it.each(['', 'a..b', 'a[', '["a', 7, null])('path must not be %j [8.9]', async (path) => {
    await refuse(assertionFields({ path }), `${ASSERTION}.path`);
  });

  it.each(['^ok$', '(?i)fine', '[a-z]+\\d{2,3}'])(
    'regex takes RE2 syntax: %s [17.13]',
    async (value) => {
      const settings = assertionFields({ operator: 'regex', value });
      expect(await monitor('http', settings)).toMatchObject(settings);
    },
  );

  it.each(['(', '[a-', 'a(?=b)', '(a)\\1'])(
    'a regular expression that RE2 does not know is refused on its own field: %s [8.10]',
    async (value) => {
      for (const operator of ['regex', 'not_regex'])
        await refuse(assertionFields({ operator, value }), `${ASSERTION}.value`);
    },
  );
});
