import { useId } from 'preact/hooks';

/** `delivered` is absent where it is not known. */
type Day = { date: string; sent: number; failed: number; delivered?: number | undefined };
type Props = { label: string; days: readonly Day[]; cap?: number | undefined };

/** Pixels of the chart, with the days below. */
const [HEIGHT, BASE] = [120, 100];
/** Per cent of the width beside the counts. */
const LEFT = 14;
const STEPS = [1, 2, 5, 10, 20, 50, 100, 500, 1000, 10_000, 100_000, 1_000_000, 10_000_000];

/** Messages per day as bars, with their delivered and failed parts, and the cap of a day as a line where it is near. */
export function DayChart({ label, days, cap }: Props) {
  const hatch = useId();
  const max = Math.max(
    5,
    ...days.map(({ sent, failed, delivered = 0 }) => Math.max(sent, failed + delivered)),
  );
  // A cap far above the bars would make them invisible: the card's head has its number.
  const line = cap !== undefined && cap <= max * 4 ? cap : undefined;
  const top = Math.max(max, line ?? 0) * 1.05;
  const step = STEPS.find((each) => top / each < 5) ?? top;
  const heightOf = (count: number) => BASE * (1 - count / top);
  const leftOf = (place: number) => `${LEFT + ((100 - LEFT) * place) / days.length}%`;
  const bar = (look: string, fill: string, index: number, [from, to]: readonly [number, number]) =>
    to > from && (
      <rect
        class={look}
        fill={fill}
        stroke="currentColor"
        x={leftOf(index + 0.2)}
        width={`${((100 - LEFT) * 0.6) / days.length}%`}
        y={heightOf(to)}
        height={heightOf(from) - heightOf(to)}
      />
    );
  const words = days
    .filter(({ sent, failed }) => sent + failed > 0)
    .map(({ date, sent, failed, delivered }) =>
      [
        `${date}: ${sent} sent`,
        ...(delivered === undefined ? [] : [`${delivered} delivered`]),
        `${failed} failed`,
      ].join(', '),
    );
  return (
    <svg class="chart" role="img" aria-label={`${label} per day. ${words.join('; ') || 'No messages.'}`}>
      <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse">
        <path class="failed" d="M-1 7 7 -1" stroke="currentColor" stroke-width="2" />
      </pattern>
      {Array.from({ length: Math.floor(top / step) + 1 }, (_, index) => (
        <text key={index} x={`${LEFT - 2}%`} y={heightOf(index * step) + 4} text-anchor="end">
          {(index * step).toLocaleString()}
        </text>
      ))}
      {/* Outlined, hatched and solid: the parts differ without their colours too. */}
      {days.map(({ date, sent, failed, delivered = 0 }, index) => (
        <g key={date}>
          {bar('sent', 'none', index, [0, sent])}
          {bar('failed', `url(#${hatch})`, index, [delivered, delivered + failed])}
          {bar('delivered', 'currentColor', index, [0, delivered])}
          {index % 4 === 0 && (
            <text x={leftOf(index)} y={HEIGHT - 4}>
              {dayText(date)}
            </text>
          )}
        </g>
      ))}
      {line !== undefined && (
        <g class="waiting" stroke="currentColor" stroke-dasharray="4 4">
          <line x1={`${LEFT}%`} x2="100%" y1={heightOf(line)} y2={heightOf(line)} />
        </g>
      )}
    </svg>
  );
}

/** `2026-11-07` -> `7 Nov`, as the browser's language has it. */
function dayText(date: string): string {
  const options = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
  return new Date(`${date}T00:00:00Z`).toLocaleDateString(undefined, options);
}
