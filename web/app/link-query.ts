const query = location.search === '' ? keptQuery() : location.search;

/** Query of the address that led here, such as the token of a link. */
export const linkQuery: URLSearchParams = new URLSearchParams(query);

/**
 * Takes the query out of the address bar: its token should not stay in there, in screenshots or in the history. It is kept in
 * the state of this entry of the history, so that the page can be loaded again.
 */
export function hideLinkQuery(): void {
  if (query === '') return;
  const keep = () => history.replaceState({ query }, '', location.pathname + location.hash);
  keep();
  // A view of the page has an entry of its own, which may be loaded again as well.
  addEventListener('hashchange', keep);
}

function keptQuery(): string {
  return (history.state as { query?: string } | null)?.query ?? '';
}
