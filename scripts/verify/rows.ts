/** The result of one part of a verification. `detail` says what happened, `fix` what to do. */
export type Row = {
  part: string;
  state: 'works' | 'not configured' | 'failed';
  detail: string;
  fix?: string;
};

export const works = (part: string, detail: string): Row => ({ part, state: 'works', detail });
export const notConfigured = (part: string, detail: string): Row => ({
  part,
  state: 'not configured',
  detail,
});
export const failed = (part: string, detail: string, fix: string): Row => ({
  part,
  state: 'failed',
  detail,
  fix,
});

/** The rows as a table, failures last: those are what the reader has to do. */
export function tableOf(rows: readonly Row[]): string {
  const order = { works: 0, 'not configured': 1, failed: 2 };
  const sorted = rows.toSorted((left, right) => order[left.state] - order[right.state]);
  const [parts, states] = [widthOf(rows, 'part'), widthOf(rows, 'state')];
  return sorted
    .flatMap(({ part, state, detail, fix }) => [
      `${part.padEnd(parts)}  ${state.padEnd(states)}  ${detail}`,
      ...(fix === undefined ? [] : [`${' '.repeat(parts + states + 4)}Fix: ${fix}`]),
    ])
    .join('\n');
}

function widthOf(rows: readonly Row[], column: 'part' | 'state'): number {
  return Math.max(0, ...rows.map((row) => row[column].length));
}
