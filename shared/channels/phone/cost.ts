/**
 * A provider's amount as a positive number of USD: Twilio has negative text, Telnyx text, AWS a number.
 * Undefined if there is none, or in another currency.
 */
export function toCostUsd(amount: number | undefined, currency?: string): number | undefined {
  if (amount === undefined || (currency !== undefined && currency.toUpperCase() !== 'USD')) return undefined;
  return roundUsd(Math.abs(amount));
}

export function sumUsd(...amounts: (number | undefined)[]): number | undefined {
  const known = amounts.filter((amount) => amount !== undefined);
  return known.length === 0 ? undefined : roundUsd(known.reduce((sum, amount) => sum + amount, 0));
}

// Providers use up to five decimals; anything smaller is binary noise of the sum.
function roundUsd(amount: number): number {
  return Math.round(amount * 1e8) / 1e8;
}
