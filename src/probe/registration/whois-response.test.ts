import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readWhoisAnswer } from './whois-response.ts';
import { WHOIS_SERVERS } from './whois-servers.ts';

const END_OF_DAY = '2027-03-09T23:59:59.000Z';
/** Boilerplate that many registries add. */
const TERMS =
  'NOTICE: access is limited to a number of queries; whoever exceeds it is blocked. Try again later.';

interface Sample {
  domain: string;
  text: string;
  expiresAt: string | null;
  registrar?: string;
  statuses?: string[];
}

/** Invented data in the formats of these registries. */
const SAMPLES: Sample[] = [
  {
    domain: 'example.com',
    text: `   Domain Name: EXAMPLE.COM
   Registry Domain ID: 1_DOMAIN_COM-VRSN
   Registrar WHOIS Server: whois.registrar.example
   Updated Date: 2026-01-05T10:11:12Z
   Creation Date: 1999-03-09T05:00:00Z
   Registry Expiry Date: 2027-03-09T05:00:00Z
   Registrar: Registrar Example, Inc.
   Domain Status: clientDeleteProhibited https://icann.org/epp#clientDeleteProhibited
   Domain Status: clientTransferProhibited https://icann.org/epp#clientTransferProhibited
   Name Server: NS1.EXAMPLE.COM
   DNSSEC: unsigned
>>> Last update of whois database: 2026-11-21T10:00:00Z <<<
${TERMS}`,
    expiresAt: '2027-03-09T05:00:00.000Z',
    registrar: 'Registrar Example, Inc.',
    statuses: ['client delete prohibited', 'client transfer prohibited'],
  },
  {
    domain: 'example.org',
    text: `Domain Name: example.org
Registrar Registration Expiration Date: 2029-01-01T00:00:00Z
Registry Expiry Date: 2027-03-09T05:00:00Z
Domain Status: redemptionPeriod https://icann.org/epp#redemptionPeriod`,
    expiresAt: '2027-03-09T05:00:00.000Z',
    statuses: ['redemption period'],
  },
  {
    domain: 'example.xyz',
    text: `Domain Name: EXAMPLE.XYZ
Registrar Registration Expiration Date: 2027-03-09T23:59:59.0Z
Domain Status: ok (https://icann.org/epp#ok)`,
    expiresAt: END_OF_DAY,
    statuses: ['active'],
  },
  {
    domain: 'example.co.uk',
    text: `
    Domain name:
        example.co.uk

    Data validation:
        Nominet was able to match the registrant's name and address on 10-Dec-2012

    Registrar:
        Registrar Example Ltd t/a Example [Tag = EXAMPLE]
        URL: https://registrar.example

    Relevant dates:
        Registered on: 09-Mar-2001
        Expiry date:  09-Mar-2027
        Last updated:  02-Feb-2026

    Registration status:
        Registered until expiry date.`,
    expiresAt: END_OF_DAY,
    registrar: 'Registrar Example Ltd t/a Example [Tag = EXAMPLE]',
  },
  {
    domain: 'example.ru',
    text: `% TCI Whois Service. Terms of use:
domain:        EXAMPLE.RU
nserver:       ns1.example.ru. 192.0.2.1
state:         REGISTERED, DELEGATED, VERIFIED
registrar:     EXAMPLE-RU
created:       2003-03-09T21:00:00Z
paid-till:     2027-03-09T21:00:00Z
free-date:     2027-04-10
source:        TCI`,
    expiresAt: '2027-03-09T21:00:00.000Z',
    registrar: 'EXAMPLE-RU',
  },
  {
    domain: 'example.se',
    text: `# Copyright (c) 1997- The Swedish Internet Foundation.
state:            active
domain:           example.se
holder:           exa0001
created:          2003-03-09
modified:         2026-02-01
expires:          2027-03-09
status:           ok
registrar:        Registrar Example AB`,
    expiresAt: END_OF_DAY,
    registrar: 'Registrar Example AB',
    statuses: ['active'],
  },
  {
    domain: 'example.fi',
    text: `domain.............: example.fi
status.............: Registered
created............: 9.3.2003 00:00:00
expires............: 9.3.2027 10:20:30
available..........: 9.4.2027 10:20:30
registrar..........: Registrar Example Oy`,
    expiresAt: '2027-03-09T10:20:30.000Z',
    registrar: 'Registrar Example Oy',
    statuses: ['registered'],
  },
  {
    domain: 'example.jp',
    text: `[ JPRS database provides information on network administration. ]
Domain Information:
[Domain Name]                   EXAMPLE.JP

[Registrant]                    Example Co., Ltd.

[Created on]                    2003/03/09
[Expires on]                    2027/03/09
[Status]                        Active`,
    expiresAt: END_OF_DAY,
    statuses: ['active'],
  },
  {
    domain: 'example.jp',
    text: `[ JPRS database ]
[ドメイン名]                    EXAMPLE.JP
[登録年月日]                    2003/03/09
[有効期限]                      2027/03/09
[状態]                          Active`,
    expiresAt: END_OF_DAY,
  },
  {
    domain: 'example.co.jp',
    text: `Domain Information:
a. [Domain Name]                EXAMPLE.CO.JP
g. [Organization]               Example Corporation
[State]                         Connected (2027/03/09)
[Registered Date]               2003/03/09`,
    expiresAt: END_OF_DAY,
  },
  {
    domain: 'example.kr',
    text: `query : example.kr

# KOREAN(UTF8)
도메인이름                  : example.kr
등록일                      : 2003. 03. 09.
사용 종료일                 : 2027. 03. 09.

# ENGLISH
Domain Name                 : example.kr
Registered Date             : 2003. 03. 09.
Expiration Date             : 2027. 03. 09.`,
    expiresAt: END_OF_DAY,
  },
  {
    domain: 'example.cn',
    text: `Domain Name: example.cn
Domain Status: clientTransferProhibited
Sponsoring Registrar: Registrar Example
Registration Time: 2003-03-09 20:48:36
Expiration Time: 2027-03-09 20:48:36`,
    expiresAt: '2027-03-09T20:48:36.000Z',
    registrar: 'Registrar Example',
    statuses: ['client transfer prohibited'],
  },
  {
    domain: 'example.com.tw',
    text: `Domain Name: example.com.tw
   Domain Status: clientTransferProhibited
   Record expires on 2027-03-09 12:00:00 (UTC+8)
   Record created on 2003-03-09 00:00:00 (UTC+8)

Registration Service Provider: EXAMPLE`,
    expiresAt: '2027-03-09T04:00:00.000Z',
    statuses: ['client transfer prohibited'],
  },
  {
    domain: 'example.com.br',
    text: `% Copyright (c) Nic.br
domain:      example.com.br
owner:       Exemplo Ltda
created:     20030309 #1012345
expires:     20270309
status:      published`,
    expiresAt: END_OF_DAY,
    statuses: ['published'],
  },
  {
    domain: 'example.it',
    text: `Domain:             example.it
Status:             ok
Created:            2003-03-09 00:00:00
Last Update:        2026-03-25 00:51:03
Expire Date:        2027-03-09

Registrar
  Organization:     Registrar Example S.p.A.
  Name:             EXAMPLE-REG`,
    expiresAt: END_OF_DAY,
    statuses: ['active'],
  },
  {
    domain: 'example.pl',
    text: `DOMAIN NAME:           example.pl
registrant type:       organization
created:               2003.03.09 14:00:00
last modified:         2026.02.01 10:00:00
renewal date:          2027.03.09 14:00:00
option created:        2026.01.01 10:00:00
option expiration date:       2028.10.14 09:29:47
REGISTRAR:
Registrar Example Sp. z o.o.`,
    expiresAt: '2027-03-09T14:00:00.000Z',
    registrar: 'Registrar Example Sp. z o.o.',
  },
  {
    domain: 'example.cz',
    text: `%  (c) 2006-2026 CZ.NIC, z.s.p.o.
domain:       example.cz
registrant:   EXAMPLE
registrar:    REG-EXAMPLE
registered:   09.03.2003 18:15:00
expire:       09.03.2027

contact:      EXAMPLE
created:      01.02.2003 18:15:00`,
    expiresAt: END_OF_DAY,
    registrar: 'REG-EXAMPLE',
  },
  {
    domain: 'example.ee',
    text: `Domain:
name:       example.ee
status:     ok (paid and in zone)
registered: 2003-03-09 13:02:32 +02:00
changed:    2026-02-01 13:02:32 +02:00
expire:     2027-03-09
outzone:
delete:

Registrar:
name:       Registrar Example OÜ`,
    expiresAt: END_OF_DAY,
    statuses: ['active'],
  },
  {
    domain: 'example.sk',
    text: `Domain:                       example.sk
Created:                      2003-03-09
Valid Until:                  2027-03-09
EPP Status:                   clientTransferProhibited`,
    expiresAt: END_OF_DAY,
    statuses: ['client transfer prohibited'],
  },
  {
    domain: 'example.sk',
    text: `Domain-name              example.sk
Valid-date               2027-03-09
Domain-status            DOM_OK`,
    expiresAt: END_OF_DAY,
  },
  {
    domain: 'example.bg',
    text: `DOMAIN NAME: example.bg (example.bg)
registration status: busy, active
expires at: 09/03/2027 00:00:00 EET`,
    expiresAt: '2027-03-09T00:00:00.000Z',
  },
  {
    domain: 'example.pt',
    text: `Domain: example.pt
Domain Status: Registered
Nome de domínio / Domain Name: example.pt
Data de registo / Creation Date (dd/mm/yyyy): 09/03/2003
Data de expiração / Expiration Date (dd/mm/yyyy): 09/03/2027
Estado / Status: ACTIVE`,
    expiresAt: END_OF_DAY,
    statuses: ['registered'],
  },
  {
    domain: 'example.co.il',
    text: `query:        example.co.il
reg-name:     example
domain:       example.co.il
validity:     09-03-2027
DNSSEC:       unsigned
status:       Transfer Locked`,
    expiresAt: END_OF_DAY,
    statuses: ['transfer locked'],
  },
  {
    domain: 'example.hk',
    text: `Domain Name:  EXAMPLE.HK
Domain Status: Active
Registrar Name: Registrar Example Limited
Domain Name Commencement Date: 09-03-2003
Expiry Date: 09-03-2027`,
    expiresAt: END_OF_DAY,
    registrar: 'Registrar Example Limited',
    statuses: ['active'],
  },
  {
    domain: 'example.im',
    text: `Domain Name: example.im
Expiry Date: 09/03/2027 23:59:52`,
    expiresAt: '2027-03-09T23:59:52.000Z',
  },
  {
    domain: 'example.com.tr',
    text: `** Domain Name: example.com.tr
Domain Status: Active
** Additional Info:
Created on..............: 2003-Mar-09.
Expires on..............: 2027-Mar-09.`,
    expiresAt: END_OF_DAY,
    statuses: ['active'],
  },
  {
    domain: 'example.com.my',
    text: `a [Domain Name]                 example.com.my
b [Registration No.]            D1A000001
c [Record Created]              09-MAR-2003
d [Record Expired]              09-MAR-2027`,
    expiresAt: END_OF_DAY,
  },
  {
    domain: 'example.in.th',
    text: `Domain Name:\tEXAMPLE.IN.TH
Registrar:\tT.H.NIC Co., Ltd.
Created date:\t9 Mar 2003
Exp date:\t9 Mar 2027`,
    expiresAt: END_OF_DAY,
    registrar: 'T.H.NIC Co., Ltd.',
  },
  {
    domain: 'example.edu',
    text: `Domain Name: EXAMPLE.EDU

Registrant:
\tExample University

Domain record activated:    09-Mar-1993
Domain record last updated: 01-Feb-2026
Domain expires:             09-Mar-2027`,
    expiresAt: END_OF_DAY,
  },
  {
    domain: 'example.mx',
    text: `Domain Name:       example.mx

Created On:        2003-03-09
Expiration Date:   2027-03-09
Registrar:         Registrar Ejemplo`,
    expiresAt: END_OF_DAY,
    registrar: 'Registrar Ejemplo',
  },
  {
    domain: 'example.ac.uk',
    text: `Domain:
\texample.ac.uk

Renewal date:
\tTuesday 9th March 2027

Entry updated:
\tMonday 2nd February 2026`,
    expiresAt: END_OF_DAY,
  },
  {
    domain: 'example.tm',
    text: `Domain : example.tm
Status : Permanent/Reserved
Expiry : 2027-03-09`,
    expiresAt: END_OF_DAY,
    statuses: ['permanent/reserved'],
  },
  {
    domain: 'xn--mnchen-3ya.de',
    text: `Domain: münchen.de
Nserver: ns1.example.net
Status: connect
Changed: 2026-02-01T10:11:12+01:00`,
    expiresAt: null,
    statuses: ['connect'],
  },
  {
    domain: 'example.at',
    text: `domain:         example.at
registrar:      Registrar Example GmbH ( https://nic.at/registrar/1 )
changed:        20260201 10:11:12`,
    expiresAt: null,
    registrar: 'Registrar Example GmbH ( https://nic.at/registrar/1 )',
  },
  {
    domain: 'example.eu',
    text: `% ${TERMS}
Domain: example.eu
Script: LATIN

Registrar:
        Name: Registrar Example SA
        Website: https://registrar.example`,
    expiresAt: null,
  },
  {
    domain: 'example.be',
    text: `Domain:\texample.be
Status:\tNOT AVAILABLE
Registered:\tSun Mar 9 2003`,
    expiresAt: null,
    statuses: ['not available'],
  },
  {
    domain: 'example.hr',
    text: `domain:                example.hr
expires:               not defined`,
    expiresAt: null,
  },
];

function isDayFirst(domain: string): boolean {
  const registry = WHOIS_SERVERS.get(domain.slice(domain.lastIndexOf('.') + 1));
  return registry?.isDayFirst ?? false;
}

test.each(SAMPLES.map((sample) => [sample.domain, sample] as const))('%s', (domain, sample) => {
  const read = readWhoisAnswer(sample.text, domain, isDayFirst(domain));
  if (read.state === 'unknown') throw new Error(read.reason);
  const { expiresAt, registrar, statuses } = read;
  expect(expiresAt === null ? null : new Date(expiresAt).toISOString()).toBe(sample.expiresAt);
  expect(registrar).toBe(sample.registrar ?? null);
  expect(statuses).toEqual(sample.statuses ?? []);
});

describe('unknown domains', () => {
  test.each([
    ['Verisign', `No match for "EXAMPLE.ZZ".\n>>> Last update <<<\n${TERMS}`],
    ['Identity Digital', 'Domain not found.\n>>> Last update of WHOIS database'],
    ['DENIC', 'Domain: example.zz\nStatus: free'],
    ['EURid', 'Domain: example.zz\nScript: LATIN\n\nStatus: AVAILABLE'],
    ['nic.at', '% nothing found'],
    ['SIDN', 'example.zz is free'],
    ['IIS', `# Copyright\ndomain "example.zz" not found.`],
    ['Nominet', '    No match for "example.zz".\n\n    This domain name has not been registered.'],
    ['CZ.NIC', '%ERROR:101: no entries found\n%\n% No entries found.'],
    ['CNNIC', 'No matching record.'],
    ['CIRA', 'Not found: example.zz'],
    ['CoCCA', 'Domain Name: example.zz\nDomain Status: No Object Found'],
    ['TCI', '% TCI Whois Service\n\nNo entries found for the selected source(s).'],
    ['Registro.br', '% No match for example.zz'],
    ['a registry of CentralNic', 'The queried object does not exist: DOMAIN NOT FOUND'],
  ])('%s', (_registry, text) => {
    expect(readWhoisAnswer(text, 'example.zz', false)).toEqual({
      state: 'unknown',
      reason: 'does not know example.zz',
    });
  });
});

describe('invalid responses', () => {
  test.each([
    'WHOIS LIMIT EXCEEDED - SEE WWW.PIR.ORG/WHOIS FOR DETAILS',
    'Your connection limit exceeded. Please slow down and try again later.',
    '% Quota exceeded',
    'Too many requests from 192.0.2.1',
    'Requests of this client are not permitted. Please use https://www.nic.example/whois/ for queries.',
  ])('%s', (text) => {
    expect(readWhoisAnswer(text, 'example.zz', false)).toMatchObject({
      state: 'unknown',
      isLimit: true,
    });
  });

  test.each([
    ['nothing', ''],
    ['another domain', 'Domain Name: notexample.zz\nRegistry Expiry Date: 2027-03-09T05:00:00Z'],
    ['a longer domain', 'Domain Name: example.zz.org\nRegistry Expiry Date: 2027-03-09'],
    ['a web page', '<html><body>Welcome to example.zz</body></html>'],
  ])('%s', (_what, text) => {
    expect(readWhoisAnswer(text, 'example.zz', false)).toEqual({
      state: 'unknown',
      reason: 'sent no readable answer about example.zz',
    });
  });

  test('an ambiguous date is not guessed [23.23]', () => {
    const text = 'Domain name: example.zz\nRecord will expire on: 03/02/2027';
    expect(readWhoisAnswer(text, 'example.zz', false)).toEqual({
      state: 'unknown',
      reason: 'returned an ambiguous expiry date, "03/02/2027"',
    });
    expect(readWhoisAnswer(text, 'example.zz', true)).toMatchObject({
      expiresAt: Date.UTC(2027, 1, 3, 23, 59, 59),
    });
  });
});

test('never throws for any text', () => {
  const words = fc.constantFrom(
    'Domain: example.zz',
    'expires:',
    '[',
    ']',
    ':',
    '\n',
    '2027-',
    ' ',
    '.',
  );
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.oneof(words, fc.string()), { maxLength: 40 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(texts, fc.boolean(), (text, isFirst) => {
      expect(['known', 'unknown']).toContain(readWhoisAnswer(text, 'example.zz', isFirst).state);
    }),
  );
});

test.each(['example.zz ', ' : ', '[a] ', '% ', '. ', 'domain: example.zz\n', 'not  ', '\n', ' '])(
  'as much as a server may send of %j is read before the test gives up',
  (piece) => {
    const many = piece.repeat((64 * 1024) / piece.length);
    const text = `expires: ${many}x\nstatus: ${many}x\ndomain: example.zz`;
    expect(readWhoisAnswer(text, 'example.zz', false).state).toBe('known');
  },
);
