import { AppError } from '../../runtime/errors.ts';
import type { Problem } from '../problems/problems.ts';
import { isConditional, type Route } from '../rows/route.ts';

const KEY_LENGTH_MAX = 255;
const ETAGS = /^\s*(?:\*|(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")*)\s*$/;

type HeaderRule = {
  name: string;
  isRead: boolean;
  isValid: (value: string) => boolean;
  must: string;
  fix: string;
};

const rulesOf = (row: Route): HeaderRule[] => [
  {
    name: 'Idempotency-Key',
    isRead: row.idempotent === true,
    isValid: (key) => key.trim() !== '' && key.length <= KEY_LENGTH_MAX,
    must: `must be 1 to ${KEY_LENGTH_MAX} characters, not all of them spaces`,
    fix: 'Send a key such as a UUID, or no header.',
  },
  isConditional(row)
    ? {
        name: 'If-Match',
        isRead: true,
        isValid: (etags) => ETAGS.test(etags),
        must: 'must be ETags in double quotes, or *',
        fix: 'Send the header ETag of the response that you have read, as it is.',
      }
    : {
        name: 'If-Match',
        isRead: row.access !== 'none' && row.method !== 'GET' && !row.readOnly,
        isValid: () => false,
        must: 'is not supported by this operation',
        fix: 'Send it with the operations that the reference lists with an ETag, and omit it here.',
      },
];

export function headerProblems(row: Route, headers: Readonly<Record<string, string>>): Problem[] {
  return rulesOf(row).flatMap(({ name, isRead, isValid, must, fix }) => {
    const value = headers[name.toLowerCase()];
    if (!isRead || value === undefined || isValid(value)) return [];
    const error = new AppError('INVALID_REQUEST', { message: `The header ${name} ${must}.`, fix });
    return [{ where: `header ${name}`, must, error }];
  });
}

/** The ETags of If-Match. Proxies that compress mark them as weak. */
export function expectedOf({ 'if-match': header }: Readonly<Record<string, string>>): string[] | undefined {
  return header?.match(/\*|"[^"]*"/g)?.slice();
}
