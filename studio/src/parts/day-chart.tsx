import { useEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';

/** `delivered` is absent where it is not known. */
type Day = { date: string; sent: number; failed: number; delivered?: number | undefined };
type Props = { label: string; days: readonly Day[]; cap?: number | undefined };

/** Messages per day as bars, with their delivered and failed parts, and the cap of a day as a line where it is near. */
export function DayChart({ label, days, cap }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const max = Math.max(
    5,
    ...days.map(({ sent, failed, delivered = 0 }) => Math.max(sent, failed + delivered)),
  );
  // A cap far above the bars would make them invisible: the card's head has its number.
  const line = cap !== undefined && cap <= max * 4 ? cap : undefined;
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    let plot: uPlot | undefined;
    let isCurrent = true;
    const observer = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height: HEIGHT }));
    import('uplot').then(({ default: Plot }) => {
      if (!isCurrent) return;
      plot = new Plot(
        optionsOf(Plot.paths, element, days, Math.max(max, line ?? 0)),
        dataOf(days, line),
        element,
      );
      observer.observe(element);
    });
    return () => {
      isCurrent = false;
      observer.disconnect();
      plot?.destroy();
    };
  }, [JSON.stringify([days, line])]);
  const words = days.filter(({ sent, failed }) => sent + failed > 0);
  const text = words
    .map(({ date, sent, failed, delivered }) =>
      [
        `${date}: ${sent} sent`,
        ...(delivered === undefined ? [] : [`${delivered} delivered`]),
        `${failed} failed`,
      ].join(', '),
    )
    .join('; ');
  return (
    <div ref={box} class="chart" role="img" aria-label={`${label} per day. ${text || 'No messages.'}`} />
  );
}

const HEIGHT = 120;

function dataOf(days: readonly Day[], cap: number | undefined): uPlot.AlignedData {
  return [
    days.map((_, index) => index),
    days.map(({ sent }) => sent || null),
    // Bars overlap: the failed part ends above the delivered part.
    days.map(({ failed, delivered = 0 }) => (failed ? failed + delivered : null)),
    days.map(({ delivered }) => delivered || null),
    days.map(() => cap ?? null),
  ];
}

function optionsOf(
  paths: uPlot.Series.PathBuilderFactories,
  element: HTMLElement,
  days: readonly Day[],
  top: number,
): uPlot.Options {
  const style = getComputedStyle(element);
  const colourOf = (name: string) => {
    const probe = document.createElement('i');
    probe.style.color = `var(--${name})`;
    element.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
  const axis = { stroke: style.color, grid: { show: false }, ticks: { show: false }, font: '11px system-ui' };
  // Outlined, hatched and solid: the parts differ without their colours too.
  const bars = (colour: string, fill: string | CanvasPattern = colour): uPlot.Series => ({
    stroke: colour,
    fill: () => fill,
    ...(paths.bars ? { paths: paths.bars({ size: [0.6, 24] }) } : {}),
    points: { show: false },
  });
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, range: () => [-0.6, days.length - 0.4] },
      y: { range: () => [0, top * 1.05] },
    },
    axes: [
      { ...axis, size: 24, values: (_plot, ticks) => ticks.map((tick) => dayText(days[tick]?.date)) },
      { ...axis, size: 44, incrs: [1, 2, 5, 10, 20, 50, 100, 500, 1000, 10_000, 100_000, 1_000_000] },
    ],
    series: [
      {},
      bars(colourOf('sent'), 'transparent'),
      bars(colourOf('failed'), hatch(colourOf('failed'))),
      bars(colourOf('delivered')),
      { stroke: colourOf('waiting'), width: 1.5, dash: [4, 4], points: { show: false } },
    ],
  };
}

function hatch(colour: string): string | CanvasPattern {
  const tile = document.createElement('canvas');
  tile.width = tile.height = 6;
  const pen = tile.getContext('2d');
  if (!pen) return colour;
  pen.strokeStyle = colour;
  pen.lineWidth = 2;
  pen.moveTo(-1, 7);
  pen.lineTo(7, -1);
  pen.stroke();
  return pen.createPattern(tile, 'repeat') ?? colour;
}

/** `2026-11-07` -> `7 Nov`, as the browser's language has it. */
function dayText(date: string | undefined): string {
  if (!date) return '';
  const options = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
  return new Date(`${date}T00:00:00Z`).toLocaleDateString(undefined, options);
}
