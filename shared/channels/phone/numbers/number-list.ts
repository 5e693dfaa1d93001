import { ConfigError } from '../../../runtime/config.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { senderNumber } from './phone-number.ts';

/** Reads `PHONE_NUMBERS`: numbers and sender IDs for all accounts (`+12025550100`) and for one (`<accountId>:+12025550101`). */
export function parseNumberList(list: string): { accountId?: string; number: string }[] {
  const entries = list.split(',').map((entry) => entry.trim());
  return entries.filter(Boolean).map((entry) => {
    const [, accountId, text = ''] = /^(?:([^:]+):)?(.*)$/.exec(entry) ?? [];
    const number = senderNumber(text);
    if (number === undefined)
      throw new ConfigError(
        'PHONE_NUMBERS must be numbers in E.164, short codes or sender IDs, separated by commas',
      );
    return { number, ...defined({ accountId: accountId || undefined }) };
  });
}
