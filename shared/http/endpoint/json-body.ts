import { AppError } from '../../runtime/errors.ts';
import { depthOf } from '../../runtime/values/find-json.ts';

const BODY_BYTES_MAX = 6 * 1024 * 1024;

/** Most levels of objects and lists in a body: rules walk values recursively. */
const BODY_DEPTH_MAX = 64;

/**
 * Returns the request body as a value: text is parsed as JSON with any content type; a direct event's object is used unchanged.
 * `encoding` is set for a body that is not plain UTF-8. Throws INVALID_JSON, or INVALID_REQUEST over 6 MB or 64 levels.
 */
export function parseBody(received: unknown, encoding?: string): unknown {
  const body = typeof received === 'string' ? received.replace(/^\ufeff/, '') : received;
  if (body === undefined || body === '') {
    throw new AppError('INVALID_JSON', { message: 'The request body is missing.', fix: 'Send a JSON body.' });
  }
  if (typeof body !== 'string') {
    assertDepth(depthOfValue(body));
    return body;
  }
  assertSize(body, BODY_BYTES_MAX);
  if (encoding !== undefined) {
    throw new AppError('INVALID_JSON', {
      message: `The request body is ${encoding}.`,
      fix: 'Send JSON in UTF-8, without compression.',
    });
  }
  assertDepth(depthOf(body));
  try {
    return JSON.parse(body);
  } catch {
    throw new AppError('INVALID_JSON', {
      message: 'The request body is not valid JSON.',
      fix: 'Check quotes, commas and braces.',
    });
  }
}

/** The requirement that follows `body`, from an error of `parseBody`. */
export function mustOfBody({ message }: AppError): string {
  return message.replace(/^The request body /, '').replace(/\.$/, '');
}

export function assertSize(body: string, bytesMax: number): void {
  if (Buffer.byteLength(body) <= bytesMax) return;
  const isLarge = bytesMax >= 1024 * 1024;
  const limit = isLarge ? `${bytesMax / 1024 / 1024} MB` : `${bytesMax / 1024} KB`;
  throw new AppError('INVALID_REQUEST', {
    message: `The request body is over ${limit}.`,
    fix: isLarge ? 'Send a smaller body; link large files by URL.' : 'Send a smaller body.',
    isAboutBody: true,
  });
}

function assertDepth(depth: number): void {
  if (depth <= BODY_DEPTH_MAX) return;
  throw new AppError('INVALID_REQUEST', {
    message: `The request body is nested more than ${BODY_DEPTH_MAX} levels deep.`,
    fix: 'Send a flatter body.',
  });
}

/** Counts the levels of objects and lists in a value without recursion, up to one past the limit. */
function depthOfValue(value: unknown): number {
  let depth = 0;
  let holders = [value].filter(isHolder);
  while (holders.length > 0 && depth <= BODY_DEPTH_MAX) {
    depth += 1;
    holders = holders.flatMap((each) => Object.values(each).filter(isHolder));
  }
  return depth;
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
