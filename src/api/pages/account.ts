import { field, form, newPasswordFields, HIDDEN_USERNAME, type Page } from './document.ts';

const CURRENT_PASSWORD = {
  label: 'Your password',
  type: 'password',
  autocomplete: 'current-password',
  optional: true,
  hint: 'Leave empty if you sign in another way and have no password.',
} as const;

const PERMISSIONS = [
  ['read', 'Read', 'see monitors, incidents and everything else'],
  ['create', 'Create', 'make new ones'],
  ['update', 'Update', 'change, pause and check them'],
  ['delete', 'Delete', 'remove them'],
];

const PERSON = `<section aria-labelledby="person-title">
<h2 id="person-title">You</h2>
<dl class="facts">
<div><dt>E-mail</dt><dd id="email"></dd></div>
<div><dt>Team</dt><dd id="team"></dd></div>
</dl>
<p class="notice" id="no-team" hidden>You have no active team. If your team requires two-factor authentication, turn it on below, then sign in again. Otherwise switch to a team, open the link of your invitation, or ask for one.</p>
${form('profile', {
  submit: 'Save',
  primary: false,
  fields: [
    field({ name: 'name', label: 'Name', autocomplete: 'name', more: 'maxlength="100"' }),
    field({
      name: 'timezone',
      label: 'Time zone',
      hint: 'Such as Europe/Berlin.',
      more: 'list="time-zones" spellcheck="false"',
    }),
    '<datalist id="time-zones"></datalist>',
  ].join('\n'),
})}
<form id="switch" method="post" hidden>
<p class="notice bad" role="alert" hidden></p>
<div class="field" data-field="team">
<label for="other-team">Switch to another team</label>
<select id="other-team" name="team" aria-describedby="other-team-error"></select>
<p class="error" id="other-team-error" hidden></p>
</div>
<button type="submit">Switch</button>
</form>
</section>`;

const PASSWORD = `<section aria-labelledby="password-title">
<h2 id="password-title">Password</h2>
<p>Changing it ends your other sessions.</p>
${form('password', {
  submit: 'Change the password',
  primary: false,
  fields: [
    HIDDEN_USERNAME,
    field({
      name: 'currentPassword',
      label: 'Current password',
      type: 'password',
      autocomplete: 'current-password',
    }),
    newPasswordFields({ name: 'newPassword', label: 'New password' }),
  ].join('\n'),
})}
</section>`;

const SECOND_FACTOR = `<section aria-labelledby="factor-title">
<h2 id="factor-title">Two-factor authentication</h2>
<p id="factor-state" role="status" tabindex="-1"></p>
<div id="factor-off" hidden>
${form('factor-on', {
  submit: 'Turn it on',
  primary: false,
  fields: field({ name: 'password', id: 'factor-on-password', ...CURRENT_PASSWORD }),
})}
</div>
<div id="factor-confirm" hidden>
<p>Scan this code with your authenticator, <a id="factor-uri" href="">open it there</a>, or enter the secret.</p>
<p id="factor-qr"></p>
<p class="secret"><code id="factor-secret"></code> <button type="button" data-copy="factor-secret">Copy</button></p>
${form('factor-code', {
  submit: 'Confirm',
  fields: field({
    name: 'code',
    label: 'Current code',
    autocomplete: 'one-time-code',
    more: 'inputmode="numeric" maxlength="10"',
  }),
})}
</div>
<div id="recovery" class="notice good" hidden>
<p tabindex="-1"><strong>Save these recovery codes.</strong> Each signs you in once without the authenticator. They are not shown again.</p>
<pre id="recovery-codes"></pre>
<button type="button" data-copy="recovery-codes">Copy</button>
</div>
<div id="factor-active" hidden>
${form('factor-off-form', {
  submit: 'Turn it off',
  primary: false,
  fields: field({ name: 'password', id: 'factor-off-password', ...CURRENT_PASSWORD }),
})}
</div>
</section>`;

const PASSKEYS = `<section aria-labelledby="passkeys-title">
<h2 id="passkeys-title">Passkeys</h2>
<p>Sign in without a password, the way you unlock your device.</p>
<p class="notice bad" role="alert" hidden></p>
<ul class="rows" tabindex="-1" id="passkeys"></ul>
${form('passkey', {
  submit: 'Add a passkey',
  primary: false,
  fields: field({
    name: 'name',
    id: 'passkey-name',
    label: 'Its name',
    hint: 'Where it is stored, such as "Phone".',
    more: 'maxlength="60"',
  }),
})}
<p class="faint" id="no-passkeys" hidden>This browser does not support passkeys here.</p>
</section>`;

const SESSIONS = `<section aria-labelledby="sessions-title">
<h2 id="sessions-title">Sessions</h2>
<p>Devices where you are signed in. If you do not recognize one, end its session and change your password.</p>
<p class="notice bad" role="alert" hidden></p>
<ul class="rows" tabindex="-1" id="sessions"></ul>
<p><button type="button" id="end-others">End all other sessions</button></p>
</section>`;

const TOKENS = `<section aria-labelledby="tokens-title">
<h2 id="tokens-title">API tokens</h2>
<p>For programs that act on your behalf. Create one for each, with the permissions it needs: see <a href="docs">the API reference</a>.</p>
<p class="notice bad" role="alert" hidden></p>
<ul class="rows" tabindex="-1" id="tokens"></ul>
<div id="new-token" class="notice good" hidden>
<p tabindex="-1"><strong>Copy the token now.</strong> It is not shown again.</p>
<p class="secret"><code id="token"></code> <button type="button" data-copy="token">Copy</button></p>
</div>
${form('token-form', {
  submit: 'Create the token',
  primary: false,
  fields: `${field({
    name: 'name',
    id: 'token-name',
    label: 'Its name',
    hint: 'What uses it, such as "Terraform".',
    more: 'maxlength="100"',
  })}
<fieldset class="field" data-field="permissions" aria-describedby="permissions-error">
<legend>Permissions</legend>
${PERMISSIONS.map(
  ([value, label, meaning]) =>
    `<label class="choice"><input type="checkbox" name="permissions" value="${value}"${value === 'read' ? ' checked' : ''}><span>${label} <span class="faint">${meaning}</span></span></label>`,
).join('\n')}
<p class="error" id="permissions-error" hidden></p>
</fieldset>
<div class="field" data-field="expires_at">
<label for="expires-in">Expires</label>
<select id="expires-in" name="expires_in" aria-describedby="expires-in-error">
<option value="30">in 30 days</option>
<option value="90" selected>in 90 days</option>
<option value="365">in a year</option>
<option value="">never</option>
</select>
<p class="error" id="expires-in-error" hidden></p>
</div>`,
})}
</section>`;

const APPLICATIONS = `<section aria-labelledby="applications-title">
<h2 id="applications-title">Connected applications</h2>
<p>AI assistants and other applications that act on your behalf. To connect one, enter this address there: see <a href="docs#subject-connected-applications">the API reference</a>.</p>
<p class="secret"><code id="tool-server"></code> <button type="button" data-copy="tool-server">Copy</button></p>
<p class="notice bad" role="alert" hidden></p>
<ul class="rows" tabindex="-1" id="applications"></ul>
</section>`;

const PUSH = `<section aria-labelledby="push-title">
<h2 id="push-title">Notifications in this browser</h2>
<p>Shows your alerts, even when no page of Tocsin is open.</p>
<p class="notice bad" role="alert" hidden></p>
<div id="push" hidden>
<p id="push-state" role="status"></p>
<p class="notice good" id="push-tested" role="status" hidden></p>
<p><button type="button" id="push-on">Notify me in this browser</button>
<button type="button" id="push-test" hidden>Send a test</button>
<button type="button" id="push-off" hidden>Turn it off</button></p>
</div>
<p class="faint" id="no-push" hidden>This browser does not support notifications here. They need https; on an iPhone or iPad, add Tocsin to the home screen first.</p>
</section>`;

/** Dialogs that ask for what the session alone does not prove. */
const PROOF = `<dialog id="proof" aria-labelledby="proof-title">
<h2 id="proof-title">Confirm that it is you</h2>
<p id="proof-why"></p>
${form('proof-form', {
  submit: 'Confirm',
  fields: [
    HIDDEN_USERNAME,
    field({ name: 'password', id: 'proof-password', ...CURRENT_PASSWORD }),
    field({
      name: 'code',
      id: 'proof-code',
      label: 'Or a code of your authenticator',
      autocomplete: 'one-time-code',
      optional: true,
      more: 'inputmode="numeric" maxlength="10"',
    }),
  ].join('\n'),
})}
<p class="links"><button type="button" data-close>Cancel</button></p>
</dialog>
<dialog id="enrollment" aria-labelledby="enrollment-title">
<section>
<h2 id="enrollment-title">One more step</h2>
<p id="enrollment-why"></p>
<p class="notice bad" role="alert" hidden></p>
<p class="notice good" id="enrollment-sent" role="status" hidden></p>
<p><button type="button" id="send-enrollment-code">Send the code</button></p>
${form('enrollment-form', {
  submit: 'Continue',
  fields: field({
    name: 'code',
    id: 'enrollment-code',
    label: 'Code in the mail',
    autocomplete: 'one-time-code',
    more: 'maxlength="20" spellcheck="false" autocapitalize="characters"',
  }),
})}
<p class="links"><button type="button" data-close>Cancel</button></p>
</section>
</dialog>`;

/** Page `/account`: profile and credentials of the signed-in person. Its script loads the data, or redirects to sign-in. */
export const ACCOUNT_PAGE: Page = {
  title: 'Account',
  script: 'account.js',
  width: 'wide',
  main: `<div class="title"><h1 tabindex="-1">Account</h1><button type="button" id="sign-out">Sign out</button></div>
<p class="notice" id="state" role="status">Loading…</p>
<div id="ready" hidden>
${[PERSON, PASSWORD, SECOND_FACTOR, PASSKEYS, PUSH, SESSIONS, TOKENS, APPLICATIONS].join('\n')}
</div>
${PROOF}`,
};
