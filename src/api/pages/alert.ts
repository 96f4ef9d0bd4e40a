import { form, type Page } from './document.ts';

/**
 * Page `/alert?token=`, linked in messages: shows an alert and a button to acknowledge it. Opening it has no effect.
 */
export const ALERT_PAGE: Page = {
  title: 'Alert',
  script: 'alert.js',
  width: 'narrow',
  main: `<p class="faint" id="team" hidden></p>
<h1 tabindex="-1" id="headline">Alert</h1>
<p class="notice" id="state" role="status">Loading the alert…</p>
<button type="button" id="again" hidden>Try again</button>
<div id="ready" hidden>
${form('acknowledge', { submit: 'Acknowledge', fields: '' })}
<p class="faint" id="may-not" hidden>Your role in the team does not let you acknowledge it.</p>
<ul class="incidents" id="incidents"></ul>
<p class="faint" id="more" hidden></p>
</div>
<p class="links"><a href="sign-in">Sign in</a></p>`,
};
