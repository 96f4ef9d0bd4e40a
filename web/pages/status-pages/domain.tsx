import { useState, type ReactNode } from 'react';
import { reread } from '../../app/api.ts';
import { call, type StatusPage, type StatusPageDomain } from '../../app/client.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/page.tsx';
import { Copyable, CopyButton } from '../../parts/copy.tsx';
import { confirm } from '../../parts/dialog.tsx';
import { Form, Input } from '../../parts/form.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { useAct } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { BASE } from '../../app/place.ts';
import { savePage } from './preview.tsx';
import { badgeQuery, shareTexts } from './share.ts';

/** Host name of its own for a page: the records to set, and whether they were found. */
export function DomainPanel({ page }: { page: StatusPage }) {
  const w = words.statusPages;
  const [domain, setDomain] = useState(page.custom_domain ?? '');
  const save = (custom_domain: string | null) => savePage(page, { custom_domain });
  const remove = () =>
    confirm({
      title: w.removeDomain(page.custom_domain ?? ''),
      text: w.removeDomainText,
      action: words.labels.remove,
      onConfirm: async () => {
        await save(null);
        setDomain('');
      },
    });
  return (
    <div className="stack">
      <Card>
        <Form
          submit={words.common.save}
          onSubmit={() => save(domain.trim() === '' ? null : domain.trim())}
          actions={
            page.custom_domain !== null && (
              <Button look="ghost" icon="trash" onClick={remove}>
                {words.labels.remove}
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

function DomainRecords(props: { page: StatusPage; name: string; domain: StatusPageDomain }) {
  const { page, name, domain } = props;
  const w = words.statusPages;
  const { isBusy, run } = useAct(async () => {
    const answer = await call('verifyStatusPageDomain', { path: { id: page.id } });
    await reread('status-pages');
    return answer.domain_verified ? w.domainFound(name) : w.domainMissing;
  });
  return (
    <Card
      title={
        <span className="row">
          <StatusShape displayStatus={page.domain_verified ? 'online' : 'pending'} isDecoration />
          {page.domain_verified ? w.domainServed(name) : w.domainAwaited(name)}
        </span>
      }
      aside={
        <Button icon="refresh" isDisabled={isBusy} onClick={() => void run()}>
          {words.labels.checkNow}
        </Button>
      }
    >
      <div className="pad gap over">
        {domain.last_error !== null && <p className="errors">{domain.last_error}</p>}
        <p className="xs dim">
          {domain.checked_at === null ? (
            w.notChecked
          ) : (
            <>
              {words.terms.checkedAt} <RelativeTime time={domain.checked_at} />
            </>
          )}
          {domain.next_check_at !== null && (
            <>
              {' · '}
              {words.terms.next} <RelativeTime time={domain.next_check_at} />
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

function DnsRecord({ type, name, value }: { type: string; name: string; value: string }) {
  const w = words.statusPages;
  return (
    <dl className="sp-record">
      <dt className="xs dim">{w.recordType}</dt>
      <dd className="mono">{type}</dd>
      <dt className="xs dim">{words.labels.name}</dt>
      <dd className="mono">{name}</dd>
      <dd className="wrap">
        <CopyButton text={name} />
      </dd>
      <dt className="xs dim">{words.labels.value}</dt>
      <dd className="mono">{value}</dd>
      <dd className="wrap">
        <CopyButton text={value} />
      </dd>
    </dl>
  );
}

/** What carries the page to other places: its address, frames, badges and feeds, each as a text to copy. */
export function SharePanel({ page }: { page: StatusPage }) {
  const w = words.statusPages.share;
  const [label, setLabel] = useState('');
  const texts = shareTexts(page, label);
  const at = `${BASE}/status/${page.slug}`;
  const query = page.draft || page.access.type !== 'public' ? '&preview' : '';
  const picture = (kind: object) =>
    `${at}/badge.svg${badgeQuery({ ...kind, ...(query !== '' && { preview: '' }) }, label)}`;
  return (
    <div className="sp-share">
      {page.draft ? (
        <p className="notice">{w.draft}</p>
      ) : (
        page.access.type !== 'public' && <p className="notice">{w.restricted}</p>
      )}
      <Card title={w.title}>
        <div className="inset gap">
          <Shared label={words.labels.address} text={texts.link} />
          <Shared label="Atom" text={texts.atom} />
          <Shared label="RSS" text={texts.rss} />
          <Shared label={w.jsonFeed} text={texts.jsonFeed} />
          <Shared label={w.summary} text={texts.summary} />
        </div>
      </Card>
      <Card title={w.badges}>
        <div className="inset gap">
          <Input
            name="badge_label"
            label={w.badgeLabel}
            isOptional
            maxLength={40}
            placeholder={page.name}
            value={label}
            onChange={setLabel}
          />
          <Shared label={words.statusPages.state} text={texts.badge}>
            <img src={picture({})} alt={words.statusPages.state} height="20" />
          </Shared>
          <Shared label={w.uptimeBadge} text={texts.uptimeBadge}>
            <img src={picture({ kind: 'uptime' })} alt={w.uptimeBadge} height="20" />
          </Shared>
        </div>
      </Card>
      <Card title={w.frames}>
        <div className="inset gap">
          {texts.embeds.map(({ variant, width, height, text }) => (
            <Shared key={variant} label={w.variants[variant]} text={text}>
              <iframe
                sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
                title={w.variants[variant]}
                src={`${at}/embed?variant=${variant}${query}`}
                style={{ width, height }}
              />
            </Shared>
          ))}
        </div>
      </Card>
    </div>
  );
}

function Shared({ label, text, children }: { label: string; text: string; children?: ReactNode }) {
  return (
    <div className="input">
      <span className="label">{label}</span>
      {children !== undefined && <span className="block sp-live">{children}</span>}
      <Copyable text={text} label={label} />
    </div>
  );
}
