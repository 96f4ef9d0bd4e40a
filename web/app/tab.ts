/** The tab of the browser: its title says which page is open. */

let title = 'Tocsin';
/** What is said besides, once it is known how many monitors are down. */
let write = (page: string) => {
  document.title = page === '' ? 'Tocsin' : `${page} · Tocsin`;
};

/** Sets the title of the page that is open. */
export function setTabTitle(next: string): void {
  title = next;
  write(title);
}

/** Replaces how the title of the page is written, and writes it. */
export function writeTab(next: (page: string) => void): void {
  write = next;
  write(title);
}
