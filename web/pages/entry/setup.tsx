import { call, callAuth } from '../../app/client.ts';
import { linkQuery } from '../../app/link-query.ts';
import { BASE } from '../../app/place.ts';
import { withTimeZone } from '../../app/sign-in-calls.ts';
import { Form, Input, useForm } from '../../parts/form.tsx';
import { NewPassword, NO_PASSWORD, passwordOf } from '../../parts/credentials.tsx';
import { words } from '../../words/index.ts';
import { EmailField, EntryPage, NameField, Notice, PageLink } from './frame.tsx';
import { filled, linkProblem, useLink } from './use-link.ts';

const token = linkQuery.get('token') ?? '';
const readState = () => call('getSetupState', { query: { token } });

/** Page `/setup?token=`, whose link is created at the first start: the owner chooses a password. */
export default function Setup() {
  const { setup } = words.entry;
  const { data, problem } = useLink(readState);
  return (
    <EntryPage
      title={setup.title}
      view={data === null ? '' : 'ready'}
      links={problem !== null && <PageLink to="/sign-in">{words.entry.signIn.title}</PageLink>}
    >
      {problem !== null && <Notice tone="bad">{linkProblem(problem, setup.refused)}</Notice>}
      {data === null && problem === null && <Notice>{words.entry.checking}</Notice>}
      {data !== null && <SetupForm known={data.email} />}
    </EntryPage>
  );
}

function SetupForm({ known }: { known: string | null }) {
  const { setup } = words.entry;
  const { draft, form } = useForm(null, {
    name: '',
    // The default address of an owner is not a mailbox.
    email: known === null || known.endsWith('@localhost') ? '' : known,
    team_name: '',
    password: NO_PASSWORD,
  });
  const send = async () => {
    const { password: typed, ...texts } = draft;
    const password = passwordOf('password', typed);
    const given = filled(texts);
    const { user } = await withTimeZone((zone) =>
      call('completeSetup', { body: { token, password, ...given, ...zone } }),
    );
    await callAuth('POST', '/sign-in/email', { email: user.email, password }).catch(() => null);
    // A folder of configuration files may have made monitors before anyone signed in.
    const { total } = await call('listMonitors', { query: { per_page: 1 } }).catch(() => ({
      total: 0,
    }));
    location.replace(`${BASE}${total > 0 ? '/monitors' : '/start'}`);
  };
  return (
    <>
      <p>{setup.intro}</p>
      <Form {...form} submit={setup.submit} onSubmit={send}>
        <div className="gap">
          <NameField isOptional />
          <EmailField />
          <NewPassword name="password" label={words.labels.password} />
          <Input
            name="team_name"
            label={setup.team}
            isOptional
            autoComplete="organization"
            maxLength={100}
          />
        </div>
      </Form>
    </>
  );
}
