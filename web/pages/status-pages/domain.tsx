import { useState, type ReactNode } from 'react';
import { useChange } from '../../app/api.ts';
import { updateStatusPage, verifyStatusPageDomain } from '../../client/sdk.gen.ts';
import type { StatusPage, StatusPageDomain } from '../../client/types.gen.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { confirm } from '../../parts/dialog.tsx';
import { Form, Input } from '../../parts/form.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { say, sayError } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';

/** Host name of its own for a page: the records to set, and whether they were found. */
export function DomainPanel({
  page,
  onSaved,
}: {
  page: StatusPage;
  onSaved: () => void;
}): ReactNode {
  const w = words.statusPages;
  const [domain, setDomain] = useState(page.custom_domain ?? '');
  const save = useChange(
    (custom_domain: string | null) =>
      updateStatusPage({ path: { id: page.id }, body: { custom_domain } }),
    ['status-pages'],
  );
  const remove = () =>
    confirm({
      title: w.removeDomain(page.custom_domain ?? ''),
      text: w.removeDomainText,
      action: w.remove,
      onConfirm: async () => {
        await save.mutateAsync(null);
        setDomain('');
        onSaved();
      },
    });
  return (
    <div className="stack">
      <Card>
        <Form
          submit={words.common.save}
          onSubmit={async () => {
            await save.mutateAsync(domain.trim() === '' ? null : domain.trim());
            onSaved();
          }}
          actions={
            page.custom_domain !== null && (
              <Button look="ghost" icon="trash" onClick={remove}>
                {w.remove}
              </Button>
            )
          }
        >
          <div className="fieldset">
            <Input
              name="custom_domain"
              label={w.ownDomain}
              hint={w.ownDomainHint}
              placeholder="status.example.com"
              spellCheck={false}
              value={domain}
              onChange={setDomain}
            />
          </div>
        </Form>
      </Card>
      {page.custom_domain !== null && page.domain !== null && (
        <DomainRecords page={page} name={page.custom_domain} domain={page.domain} />
      )}
    </div>
  );
}

function DomainRecords({
  page,
  name,
  domain,
}: {
  page: StatusPage;
  name: string;
  domain: StatusPageDomain;
}): ReactNode {
  const w = words.statusPages;
  const verify = useChange(
    () => verifyStatusPageDomain({ path: { id: page.id } }),
    ['status-pages'],
  );
  const look = () =>
    verify.mutate(undefined, {
      onSuccess: (answer) => say(answer.domain_verified ? w.domainFound(name) : w.domainMissing),
      onError: sayError,
    });
  return (
    <Card
      title={
        <span className="row">
          <StatusShape standing={page.domain_verified ? 'online' : 'pending'} isDecoration />
          {page.domain_verified ? w.domainServed(name) : w.domainAwaited(name)}
        </span>
      }
      aside={
        <Button icon="refresh" isBusy={verify.isPending} onClick={look}>
          {w.verify}
        </Button>
      }
    >
      <div className="pad gap sp-records">
        {domain.last_error !== null && <p className="errors">{domain.last_error}</p>}
        <p className="xs dim">
          {domain.checked_at === null ? (
            w.notChecked
          ) : (
            <>
              {w.lastChecked} <RelativeTime time={domain.checked_at} />
            </>
          )}
          {domain.next_check_at !== null && (
            <>
              {' · '}
              {w.nextCheck} <RelativeTime time={domain.next_check_at} />
            </>
          )}
        </p>
        <h3 className="b">{w.proveOne}</h3>
        {domain.records.map((record) => (
          <DnsRecord key={record.type} {...record} />
        ))}
        <h3 className="b">{w.pointTo}</h3>
        <DnsRecord type="CNAME" name={`${name}.`} value={`${domain.target.replace(/\.$/, '')}.`} />
        <p className="xs dim">{w.keepRecord}</p>
      </div>
    </Card>
  );
}

function DnsRecord({
  type,
  name,
  value,
}: {
  type: string;
  name: string;
  value: string;
}): ReactNode {
  const w = words.statusPages;
  return (
    <dl className="sp-record">
      <dt>{w.recordType}</dt>
      <dd className="mono">{type}</dd>
      <dt>{w.recordName}</dt>
      <dd className="mono">{name}</dd>
      <dd>
        <CopyButton text={name} />
      </dd>
      <dt>{w.recordValue}</dt>
      <dd className="mono">{value}</dd>
      <dd>
        <CopyButton text={value} />
      </dd>
    </dl>
  );
}
