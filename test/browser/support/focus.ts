import type { Page } from 'playwright-core';

/** Where the focus is: in sight, under the buttons that stay at the end of a form, at these, or at nothing. */
export type FocusPlace = 'seen' | 'covered' | 'end' | 'lost';

/**
 * Presses Tab from where the focus is to the buttons at the end of the form.
 * @param form selector of what has the form
 */
export async function tabToEnd(page: Page, form: string): Promise<FocusPlace[]> {
  const place = `(() => {
    const end = document.querySelector(${JSON.stringify(`${form} .form-end`)});
    const { activeElement } = document;
    if (activeElement === document.body) return 'lost';
    if (end.contains(activeElement)) return 'end';
    const { bottom } = activeElement.getBoundingClientRect();
    return bottom <= end.getBoundingClientRect().top ? 'seen' : 'covered';
  })()`;
  const places: FocusPlace[] = [];
  while (places.at(-1) !== 'end') {
    await page.keyboard.press('Tab');
    places.push((await page.evaluate(place)) as FocusPlace);
  }
  return places;
}
