import { field, form, newPasswordFields, HIDDEN_USERNAME, type Page } from './document.ts';

/** Pages opened by a link with a token, which the script removes from the address bar. */

/** Page `/setup?token=`, created at first start. */
export const SETUP_PAGE: Page = {
  title: 'Set up',
  script: 'setup.js',
  width: 'narrow',
  main: `<h1 tabindex="-1">Set up Tocsin</h1>
<p class="notice" id="state" role="status">Checking the link…</p>
<div id="ready" hidden>
<p>You become the owner of this installation's first team.</p>
${form('setup', {
  submit: 'Finish the set-up',
  fields: [
    field({
      name: 'name',
      label: 'Your name',
      autocomplete: 'name',
      optional: true,
      more: 'maxlength="100"',
    }),
    field({ name: 'email', label: 'E-mail', type: 'email', autocomplete: 'username' }),
    newPasswordFields({ name: 'password', label: 'Password' }),
    field({
      name: 'team_name',
      label: 'Name of your team',
      autocomplete: 'organization',
      optional: true,
      more: 'maxlength="100"',
    }),
  ].join('\n'),
})}
</div>
<p class="links" id="sign-in-instead" hidden><a href="sign-in">Sign in</a></p>`,
};

/** Page `/invitation?token=`. */
export const INVITATION_PAGE: Page = {
  title: 'Invitation',
  script: 'invitation.js',
  width: 'narrow',
  main: `<h1 tabindex="-1">Invitation</h1>
<p class="notice" id="state" role="status">Checking the link…</p>
<div id="ready" hidden>
<p id="offer"></p>
<dl class="facts">
<div><dt>Team</dt><dd id="team"></dd></div>
<div><dt>Role</dt><dd id="role"></dd></div>
<div><dt>For</dt><dd id="email"></dd></div>
<div><dt>Until</dt><dd id="until"></dd></div>
</dl>
${form('accept', {
  submit: 'Join the team',
  fields: `<p id="has-account" hidden>You already have an account. Join with it, then sign in as usual.</p>
<div id="new-person" hidden>
${HIDDEN_USERNAME}
${field({
  name: 'name',
  label: 'Your name',
  autocomplete: 'name',
  optional: true,
  more: 'maxlength="100"',
})}
${newPasswordFields({ name: 'password', label: 'Password' })}
</div>`,
})}
</div>
<p class="links" id="sign-in-first" hidden><a href="sign-in">Sign in with that address</a></p>`,
};

/** Page `/reset-password?token=`. */
export const RESET_PASSWORD_PAGE: Page = {
  title: 'New password',
  script: 'reset-password.js',
  width: 'narrow',
  main: `<h1 tabindex="-1">Choose a new password</h1>
<p class="notice" id="state" role="status">Checking the link…</p>
<div id="ready" hidden>
<p>This ends all your sessions. Then sign in with the new password.</p>
${form('reset', { submit: 'Set the password', fields: newPasswordFields({ name: 'newPassword', label: 'New password' }) })}
</div>
<p class="links"><a href="sign-in">Sign in</a></p>`,
};

/**
 * Page `/verify-email?token=`: confirms an address, and both steps of a change. Only the button confirms, not the link:
 * mail scanners open links and would confirm an account that somebody else created with the address.
 */
export const VERIFY_EMAIL_PAGE: Page = {
  title: 'Confirm an address',
  script: 'verify-email.js',
  width: 'narrow',
  main: `<h1 tabindex="-1">Confirm an e-mail address</h1>
<p class="notice" id="state" role="status">Checking the link…</p>
<div id="ready" hidden>
<div id="for-address" hidden>
<p>You received this link because somebody entered your address for an account on Tocsin.</p>
<p><strong>If that was not you, do not press the button.</strong> Somebody else may have created the account, and knows its password. Close this page: the address stays unconfirmed.</p>
</div>
<div id="for-change" hidden>
<p>You received this link because the e-mail address of an account on Tocsin is being changed, which both addresses must confirm.</p>
<p><strong>If you did not request this, do not press the button.</strong> Close this page: nothing changes. If you have an account here, choose a new password and end all other sessions, since somebody may be signed in as you.</p>
</div>
${form('confirm', { submit: 'Confirm this address', fields: '' })}
</div>
<p class="links"><a id="sign-in" href="sign-in">Sign in</a> <a id="account" href="account" hidden>Your account</a></p>`,
};
