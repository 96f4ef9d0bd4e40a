import { describe, expect, test } from 'vitest';
import { de } from '../../words/de.ts';
import { en } from '../../words/en.ts';
import { problemText, type InstallationProblem } from './problem-text.ts';

const problem = (
  kind: InstallationProblem['kind'],
  changes: Partial<InstallationProblem> = {},
): InstallationProblem => ({
  kind,
  subject: '',
  since: '2030-01-01T00:00:00.000Z',
  text: '',
  value: null,
  processes: [],
  ...changes,
});
const processes = ['a:3000', 'b:3000'];

const plain = (text: string) => text.replaceAll('\u202f', ' ');

describe('a problem of the installation', () => {
  test.each<[InstallationProblem, english: string, german: string]>([
    [
      problem('rounds_late', { value: 95, processes }),
      'Rounds start up to 1 min 35 s late (a:3000, b:3000)',
      'Runden beginnen bis zu 1 Min. 35 s zu spät (a:3000, b:3000)',
    ],
    [
      problem('rounds_late', { value: 0, processes }),
      'At least half of the checks start late (a:3000, b:3000)',
      'Mindestens die Hälfte der Prüfungen beginnt zu spät (a:3000, b:3000)',
    ],
    [
      problem('deliveries_waiting', { value: 300 }),
      'Messages have waited to be sent for 5 min',
      'Nachrichten warten seit 5 Min. darauf, gesendet zu werden',
    ],
    [
      problem('region_without_probe', { subject: 'nbg', processes: ['a:3000'] }),
      'The region nbg has no live probe (a:3000)',
      'In der Region nbg läuft keine Sonde (a:3000)',
    ],
    [
      problem('shards_unowned', { value: 128 }),
      'No process checks the monitors of 128 of 256 shards',
      'Kein Prozess prüft die Monitore von 128 der 256 Teilbereiche',
    ],
    [
      problem('process_silent', { value: 128, processes: ['b:3000'] }),
      'Nothing was heard of b:3000, which should check 128 of 256 shards',
      'Von b:3000 kommt kein Lebenszeichen, obwohl dort 128 der 256 Teilbereiche geprüft werden sollen',
    ],
    [
      problem('role_missing', { subject: 'worker' }),
      'No process has the role worker',
      'Kein Prozess hat die Rolle worker',
    ],
    [
      problem('clock_off', { value: 61_500, processes: ['b:3000'] }),
      "The clock of b:3000 differs from the database's by 61,500 ms",
      'Die Uhr von b:3000 weicht um 61.500 ms von der Uhr der Datenbank ab',
    ],
    [
      problem('files_refused', { processes: ['a:3000'] }),
      'The configuration files of CONFIG_DIR are refused (a:3000)',
      'Die Konfigurationsdateien in CONFIG_DIR werden abgelehnt (a:3000)',
    ],
    [
      problem('disk_low', { value: 123.9 * 2 ** 20 }),
      'Only 123 MiB are free where the database is',
      'Bei der Datenbank sind nur noch 123 MiB frei',
    ],
    [
      problem('discovery_failing', { subject: 'docker', processes: ['a:3000'] }),
      'Discovery of docker fails (a:3000)',
      'Die Erkennung von docker scheitert (a:3000)',
    ],
  ])('%o', (one, english, german) => {
    expect(plain(problemText(one, en.installation.problems, en.time))).toBe(english);
    expect(plain(problemText(one, de.installation.problems, de.time))).toBe(german);
  });
});
