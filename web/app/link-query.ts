/**
 * Query of the address that led here. It may hold a token, which should not stay in the address bar, in screenshots or in the
 * history: it is moved to the state of this entry of the history, so that the page can be loaded again.
 */
export const linkQuery: URLSearchParams = takeQuery();

function takeQuery(): URLSearchParams {
  const state = history.state as { query?: string } | null;
  const query = location.search === '' ? (state?.query ?? '') : location.search;
  if (query !== '') {
    const keep = () => history.replaceState({ query }, '', location.pathname + location.hash);
    keep();
    // A view of the page has an entry of its own, which may be loaded again as well.
    addEventListener('hashchange', keep);
  }
  return new URLSearchParams(query);
}
