import { useEffect, useState, type ReactNode } from 'react';
import { askAuth } from '../../app/api.ts';
import { atFields } from '../../app/at-fields.ts';
import { CopyButton } from '../../parts/copy.tsx';
import { Form } from '../../parts/form.tsx';
import { digitsOf, OneTimeCode } from '../../parts/one-time-code.tsx';
import { words } from '../../words/index.ts';
import { withProof } from './proof.ts';
import { grouped, QR_SIZE, secretOf } from './secret.ts';

/** Secret of a second factor that is not confirmed yet. */
export interface FactorSecret {
  /** Address for authenticators, `otpauth://totp/…`. */
  uri: string;
  /** Recovery codes, which work from the confirmation on. */
  codes: readonly string[];
}

/** Shows the secret as a QR code and as a text, and asks for the first code. */
export function FactorSetup({
  secret: { uri },
  onConfirmed,
}: {
  secret: FactorSecret;
  onConfirmed: () => Promise<void>;
}): ReactNode {
  const { factor } = words.account;
  const [code, setCode] = useState('');
  const secret = secretOf(uri);
  const send = async () => {
    await atFields({ INVALID_CODE: 'code', CODE_USED: 'code' }, () =>
      withProof(() => askAuth('POST', '/two-factor/verify-totp', { code: digitsOf(code) })),
    );
    await onConfirmed();
  };
  return (
    <>
      <div className="account-scan">
        <QrCode text={uri} />
        <div className="gap">
          <p>
            {factor.scan}{' '}
            <a className="link" href={uri}>
              {factor.openApp}
            </a>
          </p>
          <p>{factor.orSecret}</p>
          <p className="copied">
            <code>{grouped(secret)}</code>
            <CopyButton text={secret} />
          </p>
        </div>
      </div>
      <Form submit={factor.confirm} onSubmit={send}>
        <div className="gap account-fields">
          <OneTimeCode
            label={factor.code}
            hint={factor.codeHint}
            autoFocus
            value={code}
            onChange={setCode}
          />
        </div>
      </Form>
    </>
  );
}

/** Draws a text in the browser, so that it is sent nowhere. The encoder is loaded for it. */
function QrCode({ text }: { text: string }): ReactNode {
  const [source, setSource] = useState('');
  useEffect(() => {
    let isWanted = true;
    const draw = async () => {
      const { encodeQR } = await import('qr');
      if (isWanted) setSource(encodeQR(text, 'data-url', QR_SIZE));
    };
    void draw();
    return () => {
      isWanted = false;
    };
  }, [text]);
  if (source === '') return <div className="account-qr waiting" />;
  return <img className="account-qr" src={source} alt={words.account.factor.qr} />;
}
