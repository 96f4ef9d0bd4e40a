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
import { whenSignedOut } from './app/client.ts';
import { showApp } from './app/app.tsx';
import { BASE } from './app/place.ts';

whenSignedOut(leaveForSignIn);
showApp();

let isLeaving = false;

/** Opens the sign-in page, which leads back here. */
function leaveForSignIn(): void {
  if (isLeaving) return;
  isLeaving = true;
  const isStart = location.pathname === `${BASE}/`;
  const next = new URLSearchParams({ next: location.pathname + location.search });
  location.assign(`${BASE}/sign-in${isStart ? '' : `?${next}`}`);
}
