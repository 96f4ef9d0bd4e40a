import type { SignInOffer } from '../../identity/sign-in.ts';
import { escapeHtml, field, form, newPasswordFields, type Page } from './document.ts';

/** Page `/sign-in`: password and second factor, passkey, and the configured providers. */
export function signInPage(offer: SignInOffer): Page {
  return {
    title: 'Sign in',
    script: 'sign-in.js',
    width: 'narrow',
    main: [
      firstFactor(offer),
      SECOND_FACTOR,
      offer.canReset ? FORGOT_BY_MAIL : FORGOT_WITHOUT_MAIL,
      ...(offer.openSignup ? [REGISTER] : []),
    ].join('\n'),
  };
}

function firstFactor({ providers, openSignup }: SignInOffer): string {
  const others = providers.map(
    ({ id, name }) =>
      `<button type="button" data-provider="${escapeHtml(id)}">Continue with ${escapeHtml(name)}</button>`,
  );
  return `<section data-view="sign-in" hidden>
<h1 tabindex="-1">Sign in</h1>
<p class="notice bad" id="failure" role="alert" hidden></p>
${form('sign-in-form', {
  submit: 'Sign in',
  fields: [
    field({ name: 'email', label: 'E-mail', type: 'email', autocomplete: 'username' }),
    field({
      name: 'password',
      label: 'Password',
      type: 'password',
      autocomplete: 'current-password',
    }),
  ].join('\n'),
})}
<div class="others" id="others"${others.length === 0 ? ' hidden' : ''}>
<p class="or">or</p>
${others.join('\n')}
<button type="button" id="passkey" hidden>Sign in with a passkey</button>
</div>
<p class="links"><a href="#forgot">Forgot your password?</a>${openSignup ? ' <a href="#register">Create an account</a>' : ''}</p>
</section>`;
}

const SECOND_FACTOR = `<section data-view="second-factor" hidden>
<h1 tabindex="-1">One more step</h1>
<p>Enter the code that your authenticator shows now.</p>
${form('second-factor-form', {
  submit: 'Continue',
  fields: field({
    name: 'code',
    label: 'Code',
    autocomplete: 'one-time-code',
    more: 'inputmode="numeric" maxlength="10"',
  }),
})}
<p class="links"><a href="#recovery">Use a recovery code</a> <a href="#sign-in">Start again</a></p>
</section>
<section data-view="recovery" hidden>
<h1 tabindex="-1">Use a recovery code</h1>
<p>You were shown these codes when you turned on two-factor authentication. Each works once.</p>
${form('recovery-form', {
  submit: 'Continue',
  fields: field({
    name: 'code',
    id: 'recovery-code',
    label: 'Recovery code',
    more: 'spellcheck="false" autocapitalize="none"',
  }),
})}
<p class="links"><a href="#second-factor">Use the authenticator</a> <a href="#sign-in">Start again</a></p>
</section>`;

const FORGOT_BY_MAIL = `<section data-view="forgot" hidden>
<h1 tabindex="-1">Forgot your password?</h1>
<p>Enter your e-mail address to get a link to choose a new one.</p>
${form('forgot-form', {
  submit: 'Send the link',
  fields: field({
    name: 'email',
    id: 'forgot-email',
    label: 'E-mail',
    type: 'email',
    autocomplete: 'username',
  }),
})}
<p class="links"><a href="#sign-in">Back to signing in</a></p>
</section>`;

const FORGOT_WITHOUT_MAIL = `<section data-view="forgot" hidden>
<h1 tabindex="-1">Forgot your password?</h1>
<p>This installation sends no mail. Ask an owner or admin of your team for a link to choose a new password.</p>
<p>The operator of this installation can create one, too: <code>npm run tocsin -- user reset-password you@example.com</code></p>
<p class="links"><a href="#sign-in">Back to signing in</a></p>
</section>`;

const REGISTER = `<section data-view="register" hidden>
<h1 tabindex="-1">Create an account</h1>
${form('register-form', {
  submit: 'Create the account',
  fields: [
    field({ name: 'name', label: 'Name', autocomplete: 'name', more: 'maxlength="100"' }),
    field({
      name: 'email',
      id: 'register-email',
      label: 'E-mail',
      type: 'email',
      autocomplete: 'username',
    }),
    newPasswordFields({ name: 'password', label: 'Password', idPrefix: 'register-' }),
  ].join('\n'),
})}
<p class="links"><a href="#sign-in">I have an account</a></p>
</section>`;
