import { useState } from 'react';
import {
  rows,
  setLanguage,
  setRows,
  setTheme,
  theme,
  type Rows,
  type Theme,
} from '../../app/preferences.ts';
import { Card } from '../../parts/page.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { words } from '../../words/index.ts';
import { LANGUAGE_NAMES, type Language } from '../../words/languages.ts';

const LANGUAGES = Object.keys(LANGUAGE_NAMES) as Language[];

/** Language, theme and height of rows in this browser. */
export function Appearance() {
  const { appearance } = words.account;
  const [shownTheme, setShownTheme] = useState(theme());
  const [shownRows, setShownRows] = useState(rows());
  const here = LANGUAGES.find((name) => name === document.documentElement.lang) ?? 'en';
  return (
    <Card title={appearance.title}>
      <p className="account-intro">{appearance.intro}</p>
      <dl className="account-settings">
        <div>
          <dt>{appearance.language}</dt>
          <dd>
            <Segmented
              label={appearance.language}
              choices={LANGUAGES.map((value) => ({ value, text: LANGUAGE_NAMES[value] }))}
              value={here}
              onChange={setLanguage}
            />
          </dd>
        </div>
        <div>
          <dt>{appearance.theme}</dt>
          <dd>
            <Segmented<Theme>
              label={appearance.theme}
              choices={(['system', 'light', 'dark'] as const).map((value) => ({
                value,
                text: appearance.themes[value],
              }))}
              value={shownTheme}
              onChange={(next) => {
                setTheme(next);
                setShownTheme(next);
              }}
            />
          </dd>
        </div>
        <div>
          <dt>{appearance.rows}</dt>
          <dd>
            <Segmented<Rows>
              label={appearance.rows}
              choices={(['comfortable', 'dense'] as const).map((value) => ({
                value,
                text: appearance.heights[value],
              }))}
              value={shownRows}
              onChange={(next) => {
                setRows(next);
                setShownRows(next);
              }}
            />
          </dd>
        </div>
      </dl>
    </Card>
  );
}
