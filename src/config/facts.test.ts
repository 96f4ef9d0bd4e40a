import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { settingFacts } from './facts.ts';
import { TABLE } from './table.ts';

const SECRET = 'planted-secret-of-32-characters-or-more';

function factsOf(environment: Record<string, string>) {
  const { config, errors } = readConfig(environment);
  expect(errors).toBeUndefined();
  return new Map(settingFacts(config!).map((fact) => [fact.name, fact]));
}

test('all settings are at their defaults in an empty environment', () => {
  const facts = factsOf({});
  expect(facts.size).toBe(Object.keys(TABLE).length);
  expect([...facts.values()].filter(({ isDefault }) => !isDefault)).toEqual([]);
});

test('what is set has its value, and secrets have none', () => {
  const facts = factsOf({
    PORT: '8080',
    REGIONS: 'nbg=Home',
    SECRET_KEY: SECRET,
    SMTP_URL: `smtp://user:${SECRET}@mail.example.com`,
  });
  expect(facts.get('PORT')).toMatchObject({ isDefault: false, value: '8080' });
  expect(facts.get('REGIONS')).toMatchObject({
    isDefault: false,
    isSecret: false,
    value: 'nbg=Home',
  });
  expect(facts.get('SECRET_KEY')).toMatchObject({ isDefault: false, isSecret: true, value: null });
  expect(facts.get('SMTP_URL')).toMatchObject({ isDefault: false, value: null });
  expect(JSON.stringify([...facts])).not.toContain(SECRET);
});

test('lists are shown as their variables hold them', () => {
  const variables = {
    ROLES: 'api,scheduler',
    NATS_URL: 'nats://127.0.0.1',
    REGIONS: 'nbg=Home,sin=Singapore',
    PRIVATE_REGIONS: 'office:7=Office Berlin,lab:7=Lab',
    REGION_KEY_VERSIONS: 'sin=2,office=3',
    SECRET_KEY: SECRET,
    DATABASE_URL: 'postgres://tocsin@127.0.0.1/tocsin',
  };
  const facts = factsOf(variables);
  for (const name of ['ROLES', 'REGIONS', 'PRIVATE_REGIONS', 'REGION_KEY_VERSIONS'] as const)
    expect(facts.get(name)?.value).toBe(variables[name]);
});

test('a meaning has no links, which lead into the documentation', () => {
  for (const { meaning } of factsOf({}).values()) expect(meaning).not.toMatch(/\]\(/);
});
