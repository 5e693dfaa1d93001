import { isoOf } from '../../../shared/runtime/clock.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { findJson } from '../../../shared/runtime/values/find-json.ts';
import { parseKeyText } from '../../../shared/tokens/api-key-text.ts';
import { isRead } from '../../../studio/server/operation.ts';
import { STUDIO_AGENT } from '../../../studio/server/studio.ts';
import type { GatewayResponse } from '../gateway/gateway.ts';
import type { ReadyFacts } from '../start/ready-file.ts';

export type LoggedRequest = {
  id: number;
  at: string;
  method: string;
  /** With its query. */
  path: string;
  status: number;
  durationMs: number;
  requestId: string | undefined;
  /** Only its public parts: the secret of a key is never kept. */
  key?: { type: string; accountId: string; keyId: string };
  operation?: string;
  trackingId?: string;
  error?: unknown;
  /** Headers that change what the request does. */
  headers: Record<string, string>;
  body?: string;
  /** Something was left out: a credential, or the end of a long body. It cannot be sent again. */
  isPartial: boolean;
};

/** The requests of this run, in memory only. */
export type RequestLog = {
  note(answered: GatewayResponse): void;
  /** Newest first, without headers and bodies. */
  list(): Omit<LoggedRequest, 'headers' | 'body'>[];
  find(id: number): LoggedRequest | undefined;
  /** Counts what endpoints refused to an account from `from` until before `to`, as `npm run explain` shows it. */
  countRefusals(query: URLSearchParams): object;
};

const LISTED_MAX = 500;
const REFUSALS_MAX = 10_000;
const BODY_LENGTH_MAX = 64 * 1024;
const KEPT_HEADERS = ['content-type', 'x-user-id', 'if-match'];

/** Keeps the last 500 requests; reads of the studio's own pages are not among them. `onRequest` hears of each. */
export function createRequestLog(nowMs: () => number, onRequest: (id: number) => void): RequestLog {
  const requests: LoggedRequest[] = [];
  const refusals: (LoggedRequest & { atMs: number })[] = [];
  let last = 0;
  return {
    note(answered) {
      if (isNoise(answered)) return;
      last += 1;
      const logged = { id: last, at: isoOf(nowMs()), ...loggedOf(answered) };
      requests.push(logged);
      if (requests.length > LISTED_MAX) requests.shift();
      if (logged.key && logged.status >= 400) refusals.push({ ...logged, body: '', atMs: nowMs() });
      if (refusals.length > REFUSALS_MAX) refusals.shift();
      onRequest(last);
    },
    list: () => requests.map(({ headers: _, body: __, ...shown }) => shown).reverse(),
    find: (id) => requests.find((each) => each.id === id),
    countRefusals(query) {
      const [fromMs, toMs] = [Date.parse(query.get('from') ?? ''), Date.parse(query.get('to') ?? '')];
      const found = refusals.filter(
        ({ key, atMs }) => key?.accountId === query.get('account') && atMs >= fromMs && atMs < toMs,
      );
      const groups = Map.groupBy(found, ({ status, error, operation, key }) =>
        [status, Object(error).code, operation, key?.keyId].join(' '),
      );
      return { refused: [...groups].map(([name, list]) => ({ name, count: list.length })) };
    },
  };
}

/** Browsers ask before they call, and the studio reads with each click. */
const isNoise = ({ request: { method, raw, query }, route }: GatewayResponse) =>
  method === 'OPTIONS' ||
  (raw.headers['user-agent'] === STUDIO_AGENT && route !== undefined && isRead(route, `?${query}`));

function loggedOf({
  request,
  route,
  response,
  durationMs,
}: GatewayResponse): Omit<LoggedRequest, 'id' | 'at'> {
  const { method, raw, body } = request;
  const { authorization = '' } = raw.headers;
  const key = parseKeyText(authorization.replace(/^Bearer +/i, '').trim());
  const text = body.toString('utf8');
  const shown = withoutSecrets(text.slice(0, BODY_LENGTH_MAX));
  const path = route?.access === 'none' && /\{token/.test(route.path) ? route.path : sentPath(request);
  const answered = Object(response.isBase64Encoded ? undefined : findJson(response.body));
  return {
    method,
    path,
    status: response.statusCode,
    durationMs: Math.round(durationMs),
    requestId: response.headers['x-request-id'] ?? response.headers['apigw-requestid'],
    ...defined({
      key: key && { type: key.keyType, accountId: key.accountId, keyId: key.keyId },
      operation: route?.id,
      trackingId: response.statusCode < 400 ? answered.trackingId : undefined,
      error:
        response.statusCode < 400
          ? undefined
          : (answered.error ?? { message: answered.message ?? 'No details.' }),
    }),
    headers: Object.fromEntries(
      KEPT_HEADERS.flatMap((name) =>
        raw.headers[name] === undefined ? [] : [[name, String(raw.headers[name])]],
      ),
    ),
    ...(text === '' ? {} : { body: shown }),
    isPartial:
      shown !== text || path !== `${request.path}${queryOf(request.query)}` || route?.secrets === 'all',
  };
}

const queryOf = (query: URLSearchParams) => (query.size > 0 ? `?${query}` : '');
const HIDDEN = '(not kept)';

function sentPath({ path, query }: GatewayResponse['request']): string {
  const pairs = [...query].map(([name, value]): [string, string] => [
    name,
    SECRET_NAME.test(name) ? HIDDEN : withoutSecrets(value),
  ]);
  return `${withoutSecrets(path)}${queryOf(new URLSearchParams(pairs))}`;
}

const SECRET =
  'secret|token|password|passphrase|credential|authorization|api_?key|private_?key|p256dh|hash|fcmConfig';
const SECRET_NAME = new RegExp(SECRET, 'i');
const SECRET_FIELD = new RegExp(
  String.raw`("(?:(?:(?!${SECRET})[^"\\])*(?:${SECRET})[^"\\]*|key|keys|auth|webhookUrl)"\s*:\s*)("(?:[^"\\]|\\.)*"?|\[[^\]]*\]?)`,
  'gi',
);
const KEY_TEXT = /\b(nds_[sp]k_[0-9A-Za-z]+_[0-9A-Za-z]+_|Bearer +)[\w.~+/=-]+/g;

/** Replaces keys, and the values of fields that are named as credentials, also in a text that is not JSON. */
function withoutSecrets(text: string): string {
  // An escape could hide the name of a field.
  const plain = text.includes('\\u') ? JSON.stringify(findJson(text) ?? HIDDEN) : text;
  return plain.replace(SECRET_FIELD, `$1"${HIDDEN}"`).replace(KEY_TEXT, `$1${HIDDEN}`);
}

export async function sendAgain(
  { method, path, headers, body, key, isPartial }: LoggedRequest,
  facts: ReadyFacts | undefined,
): Promise<{ status: number }> {
  if (!facts || isPartial)
    throw new AppError('INVALID_REQUEST', {
      message: 'This request is not kept in full: it has a credential, or is longer than 64 KB.',
      fix: 'Copy it as curl, and complete it.',
    });
  const { localUrl, publicKey, secretKey } = facts;
  const response = await fetch(`${localUrl}${path}`, {
    method,
    headers: { ...headers, authorization: `Bearer ${key?.type === 'public' ? publicKey : secretKey}` },
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  });
  await response.arrayBuffer();
  return { status: response.status };
}
