import { useState, type ReactNode } from 'react';
import { ApiError } from '../../app/api.ts';
import type { ChannelTest } from '../../client/types.gen.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { words } from '../../words/index.ts';

/** Button that sends a test message, with what came of it. */
export function TestCard({ run }: { run: () => Promise<ChannelTest> }): ReactNode {
  const [isBusy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<ChannelTest | null>(null);
  const test = async () => {
    setBusy(true);
    setAnswer(null);
    try {
      setAnswer(await run());
    } catch (error) {
      const message = error instanceof ApiError ? error.message : words.errors.broken;
      setAnswer({ success: false, message });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Card title={words.channels.test}>
      <div className="test-card">
        <p className="dim">{words.channels.testText}</p>
        <Button icon="play" isBusy={isBusy} onClick={() => void test()}>
          {isBusy ? words.channels.testing : words.channels.test}
        </Button>
      </div>
      <output>{answer !== null && <Answer answer={answer} />}</output>
    </Card>
  );
}

function Answer({ answer: { success, message } }: { answer: ChannelTest }): ReactNode {
  return (
    <div className="answer">
      <StatusShape standing={success ? 'online' : 'offline'} isDecoration />
      <div>
        <p className={success ? 'b up' : 'b down'}>
          {success ? words.channels.testDone : words.channels.testFailed}
        </p>
        <p className="dim">{message}</p>
      </div>
    </div>
  );
}
