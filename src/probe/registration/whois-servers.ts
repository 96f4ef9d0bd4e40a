/** WHOIS server of a registry and its query format. */
export interface WhoisRegistry {
  /** Host name; the port is 43. */
  server: string;
  /** Formats the query for a domain; the domain alone by default. */
  query?: (domain: string) => string;
  /** Numeric dates with slashes or hyphens begin with the day. */
  isDayFirst?: boolean;
}

/** IANA's server, which knows the server of each top-level domain. */
export const ROOT_WHOIS_SERVER = 'whois.iana.org';

/** Without the keyword, Verisign also returns name servers that begin like the domain. */
const verisign = (server: string): WhoisRegistry => ({
  server,
  query: (domain) => `domain ${domain}`,
});
/** `ace` queries the name as it is in the DNS. */
const DENIC: WhoisRegistry = { server: 'whois.denic.de', query: (domain) => `-T dn,ace ${domain}` };
/** `/e` requests English. */
const JPRS: WhoisRegistry = { server: 'whois.jprs.jp', query: (domain) => `${domain}/e` };

/** Servers of common top-level domains that have no RDAP, or an unreliable one. IANA is queried for all others. */
const SERVERS: Record<string, string> = {
  ac: 'whois.nic.ac',
  ae: 'whois.aeda.net.ae',
  am: 'whois.amnic.net',
  at: 'whois.nic.at',
  be: 'whois.dns.be',
  br: 'whois.registro.br',
  by: 'whois.cctld.by',
  ca: 'whois.cira.ca',
  ch: 'whois.nic.ch',
  cl: 'whois.nic.cl',
  cn: 'whois.cnnic.cn',
  co: 'whois.registry.co',
  cz: 'whois.nic.cz',
  dk: 'whois.punktum.dk',
  edu: 'whois.educause.edu',
  ee: 'whois.tld.ee',
  eu: 'whois.eu',
  fi: 'whois.fi',
  fr: 'whois.nic.fr',
  ge: 'whois.nic.ge',
  gg: 'whois.gg',
  hr: 'whois.dns.hr',
  hu: 'whois.nic.hu',
  ie: 'whois.weare.ie',
  io: 'whois.nic.io',
  ir: 'whois.nic.ir',
  is: 'whois.isnic.is',
  it: 'whois.nic.it',
  je: 'whois.je',
  kg: 'whois.kg',
  kr: 'whois.kr',
  kz: 'whois.nic.kz',
  la: 'whois.nic.la',
  li: 'whois.nic.li',
  lt: 'whois.domreg.lt',
  lu: 'whois.dns.lu',
  lv: 'whois.nic.lv',
  ma: 'whois.registre.ma',
  md: 'whois.nic.md',
  me: 'whois.nic.me',
  mk: 'whois.marnet.mk',
  mx: 'whois.mx',
  my: 'whois.mynic.my',
  nc: 'whois.nc',
  nl: 'whois.domain-registry.nl',
  no: 'whois.norid.no',
  nu: 'whois.iis.nu',
  nz: 'whois.irs.net.nz',
  om: 'whois.registry.om',
  pk: 'whois.pknic.net.pk',
  pl: 'whois.dns.pl',
  qa: 'whois.registry.qa',
  ro: 'whois.rotld.ro',
  rs: 'whois.rnids.rs',
  ru: 'whois.tcinet.ru',
  sa: 'whois.nic.net.sa',
  se: 'whois.iis.se',
  sg: 'whois.sgnic.sg',
  sh: 'whois.nic.sh',
  si: 'whois.register.si',
  sk: 'whois.sk-nic.sk',
  so: 'whois.nic.so',
  st: 'whois.nic.st',
  su: 'whois.tcinet.ru',
  th: 'whois.thnic.co.th',
  tm: 'whois.nic.tm',
  tn: 'whois.ati.tn',
  tr: 'whois.trabis.gov.tr',
  tw: 'whois.twnic.net.tw',
  ua: 'whois.ua',
  uk: 'whois.nic.uk',
  us: 'whois.nic.us',
  uz: 'whois.cctld.uz',
  ve: 'whois.nic.ve',
  ws: 'whois.website.ws',
  'xn--p1ai': 'whois.tcinet.ru',
};

/** By top-level domain. */
export const WHOIS_SERVERS: ReadonlyMap<string, WhoisRegistry> = new Map<string, WhoisRegistry>([
  ...Object.entries(SERVERS).map(([domain, server]): [string, WhoisRegistry] => [
    domain,
    { server },
  ]),
  ['com', verisign('whois.verisign-grs.com')],
  ['net', verisign('whois.verisign-grs.com')],
  ['cc', verisign('ccwhois.verisign-grs.com')],
  ['de', DENIC],
  ['jp', JPRS],
  ['bg', { server: 'whois.register.bg', isDayFirst: true }],
  ['hk', { server: 'whois.hkirc.hk', isDayFirst: true }],
  ['hm', { server: 'whois.registry.hm', isDayFirst: true }],
  ['il', { server: 'whois.isoc.org.il', isDayFirst: true }],
  ['im', { server: 'whois.nic.im', isDayFirst: true }],
  ['pt', { server: 'whois.dns.pt', isDayFirst: true }],
]);

/** Registries that don't publish expiry dates: RDAP's response without a date is complete. */
export const PUBLISHES_NO_EXPIRY: ReadonlySet<string> = new Set([
  'at',
  'au',
  'be',
  'ch',
  'de',
  'eu',
  'hu',
  'li',
  'lu',
  'nl',
]);
