import { form, type Page } from './document.ts';

const CHOICES = `<p id="only-team" hidden>It acts in your team <strong id="team-name"></strong>.</p>
<div class="field" data-field="team_id" id="team-field">
<label for="team">Team</label>
<select id="team" name="team_id" aria-describedby="team-error"></select>
<p class="error" id="team-error" hidden></p>
</div>
<fieldset class="field" data-field="permissions" aria-describedby="note permissions-error">
<legend>It may</legend>
<div id="choices"></div>
<p class="hint" id="note" role="status" hidden></p>
<p class="error" id="permissions-error" hidden></p>
</fieldset>
<p class="faint">It never gets passwords, tokens or other secrets, and neither sees nor uses the sessions of members. You can disconnect it on your account page at any time.</p>`;

/**
 * Page `/connect`, to which the authorization endpoint leads: asks the signed-in person whether an application may act
 * for them. Its query is the signed request. Opening it has no effect.
 */
export const CONNECT_PAGE: Page = {
  title: 'Connect an application',
  script: 'connect.js',
  width: 'narrow',
  main: `<h1 tabindex="-1" id="headline">Connect an application</h1>
<p class="notice" id="state" role="status">Loading the request…</p>
<button type="button" id="again" hidden>Try again</button>
<p id="open-application" hidden><a id="open" href="">Open the application</a></p>
<section id="ready" hidden>
<p>It asks to use Tocsin as you, <strong id="person"></strong>. Access goes to <strong id="destination"></strong>.</p>
<p class="notice">Applications choose their names themselves, and Tocsin has not verified this one. Connect it only if you have just started this there yourself.</p>
<p class="notice bad" role="alert" hidden></p>
${form('consent', { submit: 'Connect', fields: CHOICES })}
<button type="button" id="cancel">Cancel</button>
</section>
<p class="links"><a href="sign-in" id="other-account" hidden>Use another account</a> <a href="account">Your account</a></p>`,
};
