import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../domain/routing/canonical-json.ts';
import { isoOf } from '../../runtime/clock.ts';
import { AppError } from '../../runtime/errors.ts';
import { defined } from '../../runtime/values/defined.ts';

/** Resources whose state has an ETag. */
export type EditedKind =
  | 'type'
  | 'template'
  | 'component'
  | 'translations'
  | 'account'
  | 'providers'
  | 'push-fcm'
  | 'push-apn';

/** A request's view of the resource that it reads or changes. */
type Edition = {
  kind: EditedKind;
  /** The ETags of If-Match, or `*`. */
  expected?: readonly string[] | undefined;
  nowMs: number;
  /** The member or key that calls. */
  by?: string | undefined;
  /** That of the state that was read or written last. */
  etag?: string;
};

/** When a stored resource was made and last changed, and the member or key that changed it. */
type Dates = Stamp & { createdAtMs?: number | undefined };
type Stamp = { updatedAtMs?: number | undefined; updatedBy?: string | undefined };

const editions = new AsyncLocalStorage<Edition>();

/** Runs an operation on a resource with an ETag. The edition has the ETag afterwards. */
export const inEdition = <T>(edition: Edition, run: () => Promise<T>): Promise<T> =>
  editions.run(edition, run);

const editionOf = (kind: EditedKind): Edition | undefined => {
  const edition = editions.getStore();
  return edition?.kind === kind ? edition : undefined;
};

/** Equal values have equal ETags. */
export const etagOf = (state: unknown): string =>
  `"${createHash('sha256').update(canonicalJson(state)).digest('base64url').slice(0, 22)}"`;

/** Notes the state of a resource that was read or written, if the request is about this kind. */
export function noteState(kind: EditedKind, state: unknown): void {
  const edition = editionOf(kind);
  if (edition) edition.etag = etagOf(state);
}

/**
 * Throws CHANGED_MEANWHILE if the request expects another state than `before`, which the change replaces; `before` is undefined
 * for a resource that does not exist.
 */
export function assertExpected(kind: EditedKind, before: unknown): void {
  const expected = editionOf(kind)?.expected;
  if (!expected) return;
  const etag = before === undefined ? undefined : etagOf(before);
  if (etag !== undefined && expected.some((each) => each === '*' || each === etag)) return;
  throw new AppError('CHANGED_MEANWHILE', {
    ...defined({ etag }),
    fix: 'Read the resource again, apply your change to it, and send its ETag as If-Match.',
  });
}

/** Expects a state of the resource, unless the request has If-Match. */
export function expectState(kind: EditedKind, state: unknown): void {
  const edition = editionOf(kind);
  if (edition) edition.expected ??= [etagOf(state)];
}

/** True if a change leaves the state as it is, such as the repetition of one whose response was lost. */
export const isSameState = (left: unknown, right: unknown): boolean =>
  canonicalJson(left) === canonicalJson(right);

/** The time and the caller of a change, as they are stored with a resource of this kind. */
export function stampOf(kind: EditedKind): Stamp {
  const edition = editionOf(kind);
  return edition ? { updatedAtMs: edition.nowMs, updatedBy: edition.by } : {};
}

export const datesOf = ({ createdAtMs, updatedAtMs = createdAtMs, updatedBy }: Dates) =>
  defined({
    createdAt: createdAtMs === undefined ? undefined : isoOf(createdAtMs),
    updatedAt: updatedAtMs === undefined ? undefined : isoOf(updatedAtMs),
    updatedBy,
  });
