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
import { showApp } from './app/app.tsx';
import { whenSignedOut } from './app/ask.ts';
import { leaveForSignIn } from './app/leave.ts';

whenSignedOut(leaveForSignIn);
showApp();
