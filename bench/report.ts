/** One measured figure. With a `target`, the most that it may be, or `least`, the figure may miss it. */
export type Figure = {
  part: string;
  name: string;
  value: number;
  unit: string;
  target?: number;
  least?: number;
  note?: string;
};

/** True if a figure is over its target, or under the least that it should be. */
export function isMissed({ value, target, least }: Figure): boolean {
  return (target !== undefined && !(value <= target)) || (least !== undefined && !(value >= least));
}

/** The figures as a table, one line each, grouped by part. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    `${rounded(figure.value)} ${figure.unit}`,
    targetOf(figure),
    targetOf(figure) === '' ? '' : isMissed(figure) ? 'MISSED' : 'met',
    figure.note ?? '',
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd();
  let part = '';
  return figures
    .map((figure, index) => {
      const heading = figure.part === part ? '' : `\n${figure.part}\n`;
      part = figure.part;
      return heading + line(rows[index] ?? []);
    })
    .join('\n');
}

function targetOf({ target, least }: Figure): string {
  if (target !== undefined) return `<= ${target}`;
  return least === undefined ? '' : `>= ${least}`;
}

function rounded(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

export function medianOf(numbers: readonly number[]): number {
  return percentileOf(numbers, 50);
}

/** The smallest number that `percent` of them do not exceed. */
export function percentileOf(numbers: readonly number[], percent: number): number {
  const sorted = [...numbers].sort((left, right) => left - right);
  const at = Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1);
  return sorted[at] ?? Number.NaN;
}
