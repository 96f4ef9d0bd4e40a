import { createRoot } from 'react-dom/client';
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
import { App } from './app/app.tsx';
import { loadWords } from './words/index.ts';

await loadWords(document.documentElement.lang);
createRoot(document.getElementById('app')!).render(<App />);
