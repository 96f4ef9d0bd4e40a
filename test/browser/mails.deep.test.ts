import { describe, expect, test, vi } from 'vitest';
import { browser } from '../support/chromium.ts';
import { sampleMails, showMail } from '../support/sample-mails.ts';
import { NO_PAGE_FAULTS, pageFaults } from './support/page-faults.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const open = browser();
const MAILS = Object.entries(sampleMails());

describe.each(['light', 'dark'] as const)('in the %s scheme', (colorScheme) => {
  test.each(MAILS)('the mail %s fits a phone, and can be read by all', async (_name, mail) => {
    const page = await (
      await open()
    ).newPage({ viewport: { width: 375, height: 700 }, colorScheme });
    await page.setContent(showMail(mail));
    expect(await pageFaults(page)).toEqual(NO_PAGE_FAULTS);
    await page.close();
  });
});
