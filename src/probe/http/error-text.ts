/**
 * Texts of error pages that servers send with status 200. Each is specific to a program, so that an article about
 * errors doesn't match; plain English ones only count as title or heading. Documented for users in this order.
 */
const ERROR_TEXTS: readonly { name: string; pattern: RegExp }[] = [
  {
    name: 'Error establishing a database connection',
    pattern: /Error establishing a database connection/,
  },
  {
    name: 'There has been a critical error on this website',
    pattern: /There has been a critical error on (?:this|your) website/,
  },
  { name: 'PHP fatal error', pattern: /(?:<b>|PHP )(?:Fatal|Parse) error(?:<\/b>)?:\s/ },
  {
    name: 'Fatal error',
    pattern:
      /(?:^|[\r\n>])[ \t]{0,20}Fatal error: (?:Uncaught|Allowed memory|Maximum execution|Call to|Class|require)/,
  },
  {
    name: 'Uncaught PHP exception',
    pattern:
      /Uncaught (?:PDOException|mysqli_sql_exception|Error|Exception|TypeError):[^\n]{0,300}\.php/,
  },
  {
    name: 'Server Error in application (ASP.NET)',
    pattern: /Server Error in '[^'\n]{0,200}' Application/,
  },
  {
    name: 'Java stack trace',
    pattern:
      /(?:^|[\s>])(?:[a-z][\w$]*\.){2,12}[A-Z][\w$]{0,80}(?:Exception|Error)\b[^\n]{0,500}\r?\n(?:\s|&nbsp;){1,20}at (?:[\w$]{1,100}\.){1,15}[\w$<>]{1,100}\(/,
  },
  { name: 'Whitelabel Error Page (Spring)', pattern: /<h1>Whitelabel Error Page<\/h1>/ },
  { name: 'Python traceback', pattern: /Traceback \(most recent call last\):/ },
  {
    name: 'Database error',
    pattern:
      /SQLSTATE\[[0-9A-Z]{5}\]|You have an error in your SQL syntax; check the manual|ORA-\d{5}: /,
  },
  {
    name: 'Internal Server Error',
    pattern: heading('(?:500 |Error 500:? ?)?Internal Server Error'),
  },
  { name: 'Bad Gateway', pattern: heading('(?:502 )?Bad Gateway') },
  {
    name: 'Service Unavailable',
    pattern: heading('(?:503 )?Service (?:Temporarily )?Unavailable'),
  },
  { name: 'Gateway Timeout', pattern: heading('(?:504 )?Gateway Time-?out') },
];

/** Matches the whole of a title, a heading or the text. */
function heading(words: string): RegExp {
  return new RegExp(`(?:<title>|<h1>|^)\\s{0,200}${words}\\s{0,200}(?:</title>|</h1>|$)`, 'i');
}

/** Number of characters searched. Error pages are short; the patterns are bounded, and so is the time. */
const SEARCHED_LENGTH = 256 * 1024;

/** Name of the first server error text on a page; null if there is none. */
export function findErrorText(page: string): string | null {
  const text = page.slice(0, SEARCHED_LENGTH);
  return ERROR_TEXTS.find(({ pattern }) => pattern.test(text))?.name ?? null;
}
