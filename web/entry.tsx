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
import { loadWords } from './words/index.ts';

/** The document of pages that visitors open, without the shell: to sign in, and by links in mails and messages. */

const [page] = await Promise.all([
  entryPageAt(location.pathname),
  loadWords(document.documentElement.lang),
]);
createRoot(document.getElementById('app')!).render(<EntryApp page={page} />);
