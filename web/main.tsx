import './style/fonts.css';
import './style/tokens.css';
import './style/base.css';
import './style/shell.css';
import './style/controls.css';
import './style/cards.css';
import './style/charts.css';
import './style/tables.css';
import './style/records.css';
import './style/forms.css';
import './style/layers.css';
import './style/helpers.css';
import './style/pages.css';
import { queries } from './app/api.ts';
import { whenSignedOut } from './app/client.ts';
import { showApp } from './app/app.tsx';
import { BASE } from './app/place.ts';
import { keyOf } from './app/read-key.ts';

whenSignedOut(leaveForSignIn);
showApp();

let isLeaving = false;

/** Opens the sign-in page, which leads back here. */
function leaveForSignIn(): void {
  if (isLeaving) return;
  isLeaving = true;
  const isStart = location.pathname === `${BASE}/`;
  // A person who was not shown yet has not been signed in.
  const error = queries.getQueryData(keyOf('whoAmI')) === undefined ? '' : 'session_ended';
  const query = new URLSearchParams({
    ...(!isStart && { next: location.pathname + location.search }),
    ...(error !== '' && { error }),
  });
  location.assign(`${BASE}/sign-in${query.size === 0 ? '' : `?${query}`}`);
}
