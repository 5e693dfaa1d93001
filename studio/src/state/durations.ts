/** Units of a delay, with the ISO 8601 duration of a number of them. */
export const DELAY_UNITS = {
  minutes: { seconds: 60, write: (count: number) => `PT${count}M` },
  hours: { seconds: 3600, write: (count: number) => `PT${count}H` },
  days: { seconds: 86_400, write: (count: number) => `P${count}D` },
} as const;

export type DelayUnit = keyof typeof DELAY_UNITS;

const SECONDS: Readonly<Record<string, number>> = { W: 604_800, D: 86_400, H: 3600, M: 60, S: 1 };

/** A duration in its largest unit without a remainder: `PT120M` is two hours. Zero minutes if it is not one. */
export function delayOf(duration = ''): { count: number; unit: DelayUnit } {
  const parts = [...duration.matchAll(/(\d+(?:\.\d+)?)([WDHMS])/g)];
  const seconds = parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (SECONDS[unit] ?? 0), 0);
  const units: readonly DelayUnit[] = ['days', 'hours', 'minutes'];
  const unit = units.find((each) => seconds > 0 && seconds % DELAY_UNITS[each].seconds === 0) ?? 'minutes';
  return { count: seconds / DELAY_UNITS[unit].seconds, unit };
}
