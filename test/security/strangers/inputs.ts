/** The inputs of each parser: `n` is how large one may become; what they return parses it. */
export type Parsers = Record<string, Record<string, (n: number) => () => unknown>>;

export const NOW_MS = Date.parse('2026-11-21T08:30:00.000Z');

/** Accepts every signature: what is read behind one must be linear too. */
export const signer = { sign: async () => '', verify: async () => true };

export const base64url = (text: string) => Buffer.from(text).toString('base64url');

export const times = (n: number, text: string) => text.repeat(n);

export const listOf = (n: number, entry: (index: number) => string) =>
  Array.from({ length: n }, (_, index) => entry(index));

/** A message of a topic of SNS. */
export const sns = (message: object) =>
  JSON.stringify({ Type: 'Notification', Message: JSON.stringify(message), Timestamp: '' });

/** Ignores what is wrong with the input. */
export async function rejecting(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (
      !(error instanceof Error) ||
      !['AppError', 'ConfigError', 'SyntaxError', 'ValiError'].includes(error.name)
    )
      throw error;
  }
}
