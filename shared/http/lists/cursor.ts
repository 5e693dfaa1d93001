import { AppError } from '../../runtime/errors.ts';
import type { Signer } from '../../tokens/signer.ts';

/**
 * Where a list continues, bound to its list: `binding` is the operation, account and filters; `field` is what its pages call the
 * cursor.
 */
export type CursorScope = { signer: Signer; binding: readonly string[]; field?: 'nextToken' };

const SIGNATURE_LENGTH = 43;
const CURSOR_LENGTH_MAX = 4096;

export async function writeCursor(scope: CursorScope, position: unknown): Promise<string> {
  const text = Buffer.from(JSON.stringify(position)).toString('base64url');
  return text + (await sign(scope, text));
}

/**
 * The position that a cursor represents. Throws INVALID_CURSOR if it was changed or belongs to another list.
 */
export async function readCursor(scope: CursorScope, cursor: string): Promise<unknown> {
  const text = cursor.slice(0, -SIGNATURE_LENGTH);
  const signature = cursor.slice(-SIGNATURE_LENGTH);
  const isOurs =
    text !== '' &&
    cursor.length <= CURSOR_LENGTH_MAX &&
    (await scope.signer.verify('cursor', signedText(scope, text), signature));
  if (!isOurs) throw invalidCursor(scope.field);
  return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
}

/** True if the text may be a cursor of some list. */
export function isCursor(text: string): boolean {
  return /^[\w-]+$/.test(text) && text.length > SIGNATURE_LENGTH && text.length <= CURSOR_LENGTH_MAX;
}

/** The error for a cursor of no list, or of another. */
export function invalidCursor(field = 'nextCursor'): AppError {
  return new AppError('INVALID_CURSOR', { fix: `Send ${field} of the previous page, unchanged.` });
}

function signedText(scope: CursorScope, text: string): string {
  return JSON.stringify([scope.binding, text]);
}

function sign(scope: CursorScope, text: string): Promise<string> {
  return scope.signer.sign('cursor', signedText(scope, text));
}
