import { ServiceError } from './errors.ts';
import type { OperationRow } from './generated/operations.ts';
import { listOf } from './list.ts';
import {
  type Answered,
  answered,
  type Call,
  type CallOptions,
  type ClientOptions,
  request,
} from './request.ts';

/** A promise of the result; `withResponse()` has the response, the request ID and the ETag as well. */
export type Result<T> = Promise<T> & {
  withResponse(): Promise<Answered<T> & { requestId: string | undefined; etag: string | undefined }>;
};

/** Makes a call. Options may stand beside its query. `list` names the items and the cursor of a page. */
export function resultOf(
  client: ClientOptions,
  call: Call,
  given: CallOptions | undefined,
  list: OperationRow[3],
): Result<unknown> | ReturnType<typeof listOf> {
  const [query, beside] = split(call.query ?? {});
  const options = { ...beside, ...given };
  if (!list) return withResponse(deleted(call, answered(client, { ...call, query }, options)));
  const [items, cursorIn, cursorOut] = list;
  return listOf(
    (cursor) => {
      const place = cursor === undefined ? {} : { [cursorIn]: cursor };
      return request(client, { ...call, query: { ...query, ...place } }, options);
    },
    items,
    cursorOut,
  );
}

const DELETED_BEFORE = { success: true, message: 'Deleted by an earlier attempt.' };

/** What a repeated deletion does not find was deleted by the attempt whose response was lost. */
async function deleted({ method }: Call, running: Promise<Answered<unknown>>): Promise<Answered<unknown>> {
  try {
    return await running;
  } catch (error) {
    // What no longer waits may have been sent: only a resource is certain to be deleted.
    const isGone = error instanceof ServiceError && error.code === 'RESOURCE_NOT_FOUND' && error.isUnclear;
    if (method !== 'DELETE' || !isGone) throw error;
    return { data: DELETED_BEFORE, response: error.response };
  }
}

function withResponse(running: Promise<Answered<unknown>>): Result<unknown> {
  const data = running.then((response) => response.data);
  return Object.assign(data, {
    withResponse: async () => {
      // Its own promise reports the failure.
      data.catch(() => undefined);
      const response = await running;
      const header = (name: string) => response.response.headers.get(name) ?? undefined;
      return { ...response, requestId: header('x-request-id'), etag: header('etag') };
    },
  });
}

/** The names of all options: no parameter of a query has one of them. */
const OPTIONS: Record<keyof CallOptions, true> = {
  signal: true,
  timeoutMs: true,
  deadlineMs: true,
  retriesMax: true,
  idempotencyKey: true,
  ifMatch: true,
  headers: true,
};

function split(given: Record<string, unknown>): [query: Record<string, unknown>, options: CallOptions] {
  const pairs = Object.entries(given);
  const isOption = ([name]: [string, unknown]) => Object.hasOwn(OPTIONS, name);
  return [
    Object.fromEntries(pairs.filter((pair) => !isOption(pair))),
    Object.fromEntries(pairs.filter(isOption)),
  ];
}
