/** Where long steps say what they are doing. Everything goes to standard error: standard output is for programs. */
export interface Progress {
  /** Begins a step; ends the one before it. */
  step(name: string): void;
  /** What the current step is doing now. */
  detail(text: string): void;
  /** A line that stays, outside of any step. */
  note(text: string): void;
  /** Ends the current step with the time it took. */
  done(): void;
  /** Ends the current step, which did not come to its end. */
  abandon(): void;
}

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/** On a terminal one moving line per step, elsewhere plain lines. */
export function consoleProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  return stream.isTTY ? terminalProgress(stream) : plainProgress((line) => void stream.write(`${line}\n`));
}

export function plainProgress(write: (line: string) => void): Progress {
  let current: { name: string; startedAt: number } | undefined;
  const done = () => {
    if (current) write(`${current.name}: done in ${secondsSince(current.startedAt)}`);
    current = undefined;
  };
  return {
    step: (name) => {
      done();
      current = { name, startedAt: performance.now() };
    },
    detail: (text) => write(current ? `${current.name}: ${text}` : text),
    note: write,
    done,
    abandon: () => {
      current = undefined;
    },
  };
}

function terminalProgress(stream: NodeJS.WriteStream): Progress {
  let current: { name: string; detail: string; startedAt: number } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let frame = 0;
  const line = (text: string) => stream.write(`\r\u001B[2K${text.slice(0, Math.max(20, (stream.columns || 80) - 1))}`);
  const draw = () => {
    if (!current) return;
    frame = (frame + 1) % frames.length;
    line(`${frames[frame]} ${current.name} (${secondsSince(current.startedAt)}) ${current.detail}`);
  };
  const done = () => {
    clearInterval(timer);
    if (current) {
      line(`✓ ${current.name} (${secondsSince(current.startedAt)})`);
      stream.write("\n");
    }
    current = undefined;
  };
  return {
    step: (name) => {
      done();
      current = { name, detail: "", startedAt: performance.now() };
      draw();
      timer = setInterval(draw, 100).unref();
    },
    detail: (text) => {
      if (!current) return void stream.write(`${text}\n`);
      current.detail = text;
      draw();
    },
    note: (text) => {
      if (current) line("");
      stream.write(`${text}\n`);
      draw();
    },
    done,
    abandon: () => {
      clearInterval(timer);
      if (current) line("");
      current = undefined;
    },
  };
}

export function secondsSince(startedAt: number): string {
  return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
}
