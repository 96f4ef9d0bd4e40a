import { useState, type ReactNode } from 'react';
import type { MonitorDetail } from '../../client/types.gen.ts';
import { Card } from '../../parts/card.tsx';
import { Copyable, CopyButton } from '../../parts/copy.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { words } from '../../words/index.ts';
import { RotatePingUrl } from './rotate-ping-url.tsx';
import { cronOfInterval, snippetOf, TOOLS, type Tool } from './snippets.ts';

/** The URL that the job calls, and what to write where it runs. */
export function PingUrlCard({ monitor }: { monitor: MonitorDetail }): ReactNode {
  const [tool, setTool] = useState<Tool>('crontab');
  const { ping_url, heartbeat_cron_expression, heartbeat_interval } = monitor;
  const expression = heartbeat_cron_expression ?? cronOfInterval(heartbeat_interval);
  const { url } = words.push;
  if (ping_url === null) {
    return (
      <Card title={url.title} aside={<RotatePingUrl monitor={monitor} />}>
        <p className="mo-none">{url.unreadable}</p>
      </Card>
    );
  }
  const snippet = snippetOf(tool, { pingUrl: ping_url, expression });
  return (
    <Card title={url.title} aside={<RotatePingUrl monitor={monitor} />}>
      <div className="mo-url">
        <p className="dim">{url.text}</p>
        <Copyable text={ping_url} label={url.title} />
        <p className="xs dim">{url.suffixes}</p>
        <div className="row mo-tools">
          <Segmented<Tool>
            label={url.tools}
            value={tool}
            onChange={setTool}
            choices={TOOLS.map((value) => ({ value, text: url.names[value] }))}
          />
          <CopyButton text={snippet} label={url.copySnippet} />
        </div>
      </div>
      <ScrollRegion className="mo-snippet" label={url.names[tool]}>
        <pre>{snippet}</pre>
      </ScrollRegion>
    </Card>
  );
}
