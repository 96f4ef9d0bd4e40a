import './style/fonts.css';
import './style/tokens.css';
import './style/base.css';
import './style/controls.css';
import './style/cards.css';
import './style/forms.css';
import './style/helpers.css';
import './pages/entry/entry.css';
import { showEntryApp } from './app/entry-app.tsx';
import { hideLinkQuery } from './app/link-query.ts';
import { BASE } from './app/place.ts';

/** The document of pages that visitors open, without the shell: to sign in, and by links in mails and messages. */

// The signed request of an application that asks to be connected is no secret, and is sent as it is.
if (location.pathname !== `${BASE}/connect`) hideLinkQuery();
showEntryApp();
