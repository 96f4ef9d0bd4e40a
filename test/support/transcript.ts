/** A command of a page, and what the page says that it shows. */
export interface Step {
  /** Without the prompt; `^C` for Ctrl-C. */
  command: string;
  /** Empty when the page shows no output. */
  output: string;
}

/** Reads the ```console blocks of a page: commands begin with `$ `, what follows is their output. */
export function readTranscript(page: string): Step[] {
  const blocks = Array.from(page.matchAll(/^```console\n([^]*?)^```$/gm), ([, block]) => block!);
  return blocks.flatMap((block) => {
    const steps: Step[] = [];
    for (const line of block.trimEnd().split('\n')) {
      if (line.startsWith('$ ') || line === '^C')
        steps.push({ command: line.replace('$ ', ''), output: '' });
      else steps.at(-1)!.output += `${line}\n`;
    }
    return steps;
  });
}

/** A time in an output is any time. */
const TIMES = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?Z?)?|\b\d\d:\d\d:\d\d\b/g;

/**
 * Pattern of an output as a page shows it: `…` stands for any text, also for none, times are any times, and the lines of
 * JSON may be broken. It begins and ends with text: any text before that would be searched for at each place of an
 * output, which takes minutes where a slow installation has drawn its progress a thousand times.
 */
export function patternOf(output: string): RegExp {
  const text = output.replaceAll(TIMES, '…').replaceAll(/\n */g, '\n');
  const parts = text.replaceAll(/^[\s…]+|[\s…]+$/g, '').split('…');
  const escaped = parts.map((part) =>
    part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\s*`),
  );
  return new RegExp(escaped.join('[^]*?'));
}
