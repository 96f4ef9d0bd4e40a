import { createRoot } from 'react-dom/client';
import './style/fonts.css';
import './style/tokens.css';
import './style/base.css';
import './style/controls.css';
import './style/cards.css';
import './style/forms.css';
import './style/helpers.css';
import './pages/entry/entry.css';
import { EntryApp } from './app/entry-app.tsx';
import { entryPageAt } from './app/entry-pages.ts';

/** The document of pages that visitors open, without the shell: to sign in, and by links in mails and messages. */

const page = await entryPageAt(location.pathname);
createRoot(document.getElementById('app')!).render(<EntryApp page={page} />);
