import fc from 'fast-check';
import { expect, test } from 'vitest';
import { discordText, mattermostText, withoutMentions } from './markdown.ts';

test.each([
  ['Shop is down since 08:02 UTC: HTTP 503', 'Shop is down since 08:02 UTC: HTTP 503'],
  ['*a* _b_ ~c~ `d` ||e||', String.raw`\*a\* \_b\_ \~c\~ \`d\` \|\|e\|\|`],
  ['[link](https://evil.example)', String.raw`\[link\](https://evil.example)`],
  ['<@1> <t:5> :fire:', String.raw`\<@1> \<t:5> \:fire:`],
  ['# head\n> quote\n- list', '\\# head\n\\> quote\n\\- list'],
  [String.raw`C:\temp`, String.raw`C:\\temp`],
  [
    'https://shop.example.com/a_b_c is *down*',
    String.raw`https://shop.example.com/a_b_c is \*down\*`,
  ],
])('Discord shows %j as it is', (text, expected) => {
  expect(discordText(text)).toBe(expected);
});

test.each([
  ['@channel', '@\u200bchannel'],
  [
    '<!here> & <https://evil.example|shop>',
    '&lt;!here&gt; &amp; &lt;https://evil.example|shop&gt;',
  ],
  ['https://shop.example.com/@all/', 'https://shop.example.com/%40all/'],
  [':fire: at 08:02:03', ':\u200bfire: at 08:02:03'],
  ['**bold**', String.raw`\*\*bold\*\*`],
  ['> quote', '&gt; quote'],
  ['https://shop.example.com - down', 'https://shop.example.com - down'],
  ['- down', String.raw`\- down`],
])('Mattermost shows %j as it is', (text, expected) => {
  expect(mattermostText(text)).toBe(expected);
});

test('in Mattermost nobody is mentioned and nothing is a tag, whatever a name is', () => {
  const bits = fc.constantFrom('@', 'all', '<', '!channel', '>', 'http://', 'x', '|', ' ', '\n');
  fc.assert(
    fc.property(fc.array(bits), (parts) => {
      expect(mattermostText(parts.join(''))).not.toMatch(/@\w|[<>]/);
    }),
  );
});

test('a mention is none any more, an address keeps its look', () => {
  expect(withoutMentions('@ada, ops@example.com, 5 @ 3')).toBe(
    '@\u200bada, ops@\u200bexample.com, 5 @ 3',
  );
});
