import { blocksOf, type Block, type Span } from '../lib/markdown.ts';

/** Text of an update as visitors read it. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className="gap wrap sm prose">
      {blocksOf(text).map((block, index) => (
        <BlockView key={index} block={block} />
      ))}
    </div>
  );
}

function BlockView({ block }: { block: Block }) {
  switch (block.kind) {
    case 'rule':
      return <hr />;
    case 'code':
      return <pre>{block.text}</pre>;
    case 'list': {
      const items = block.items.map((spans, index) => (
        <li key={index}>
          <Spans spans={spans} />
        </li>
      ));
      return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case 'quote':
      return (
        <blockquote>
          <Lines lines={block.lines} />
        </blockquote>
      );
    default:
      return (
        <p className={block.kind === 'heading' ? 'b' : ''}>
          <Lines lines={block.lines} />
        </p>
      );
  }
}

function Lines({ lines }: { lines: Span[][] }) {
  return lines.map((spans, index) => (
    <span key={index}>
      {index > 0 && <br />}
      <Spans spans={spans} />
    </span>
  ));
}

function Spans({ spans }: { spans: Span[] }) {
  return spans.map((span, index) => <SpanView key={index} span={span} />);
}

function SpanView({ span }: { span: Span }) {
  switch (span.kind) {
    case 'bold':
      return <strong>{span.text}</strong>;
    case 'italic':
      return <em>{span.text}</em>;
    case 'code':
      return <code>{span.text}</code>;
    case 'link':
      return (
        <a className="link" href={span.href} rel="noreferrer" target="_blank">
          {span.text}
        </a>
      );
    default:
      return span.text;
  }
}

/** Text with code between backticks. */
export function WithCode({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    // The parts of a text are always the same ones, in one order.
    index % 2 === 0 ? (
      part
    ) : (
      <code key={index} className="mono">
        {part}
      </code>
    ),
  );
}
