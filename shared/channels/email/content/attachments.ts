import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { FairClient, FairResponse } from '../../../http-client/fair-client.ts';
import type { GuardedResponse } from '../../../http-client/guarded-client.ts';
import { isPassingStatus } from '../../../http-client/passing-status.ts';
import { defined } from '../../../runtime/values/defined.ts';
import type { LogFields } from '../../../schemas/logs/log-record.ts';
import type { Attachment } from '../../../schemas/sending/send-request.ts';
import type { DeliveryOutcome, EmailDelivery } from '../../channel.ts';
import { internalText } from '../../failure/internal-text.ts';
import { withoutControls } from '../address.ts';
import { type EmailFailure, reject, retry } from '../email-failure.ts';
import { isRefusedFile, typeOfFile } from './file-types.ts';

export type FetchedAttachment = {
  filename: string;
  contentType: string;
  content: Buffer;
  contentId?: string;
};

/** Limits of all attachments of one message together; `now` is in milliseconds, on any scale that only grows. */
export type AttachmentLimits = {
  sizeBytesMax?: number;
  timeoutMs?: number;
  now?: () => number;
  /** Which failures omit only the attachment: all, or only failures that a retry cannot fix. */
  omits?: 'none' | 'rejected' | 'all';
};

type Source = { fair: FairClient; accountId: string };

type Fetched =
  | { ok: true; attachments: FetchedAttachment[]; omitted: string[] }
  | { ok: false; failure: EmailFailure | Postponed };

/** The message is postponed: too little time was left, or its account has used its share of fetches. */
type Postponed = Extract<DeliveryOutcome<'EMAIL'>, { kind: 'postponed' }>;
type Read = { ok: true; content: Buffer } | { ok: false; failure: EmailFailure | Postponed };

/** Most bytes of all attachments of a message before encoding. */
const ATTACHMENT_BYTES_MAX = 25 * 1024 * 1024;

const TIMEOUT_MS = 10_000;
const DIGEST_ATTEMPTS_MAX = 3;
const FAILED = 'TRANSIENT_ATTACHMENT_REJECTED_BOUNCE';

const DECOMPRESS: Readonly<Record<string, (body: Buffer, sizeBytesMax: number) => Buffer>> = {
  gzip: (body, maxOutputLength) => gunzipSync(body, { maxOutputLength }),
  'x-gzip': (body, maxOutputLength) => gunzipSync(body, { maxOutputLength }),
  deflate: (body, maxOutputLength) => inflateSync(body, { maxOutputLength }),
  br: (body, maxOutputLength) => brotliDecompressSync(body, { maxOutputLength }),
};

/** Time that recording the outcome may need after the provider's response. */
const RECORDING_MS = 2000;

/**
 * Fetches the attachments of a delivery within the time that its function has left after `sendMs`, the
 * longest that the provider may take. Postpones a message if that time is too short: one that is interrupted
 * may have been sent.
 */
export async function fetchInTime(
  fair: FairClient,
  delivery: EmailDelivery,
  sendMs: number,
  limits: AttachmentLimits = {},
): Promise<Fetched> {
  const { attachments, timeLeftMs = () => Number.POSITIVE_INFINITY } = delivery;
  const leftMs = () => timeLeftMs() - sendMs - RECORDING_MS;
  const postponed: Fetched = { ok: false, failure: { kind: 'postponed', afterSeconds: 1 } };
  const timeoutMs = Math.min(limits.timeoutMs ?? TIMEOUT_MS, leftMs());
  if (timeoutMs <= 0) return postponed;
  const fetched = await fetchAttachments({ fair, accountId: delivery.accountId }, attachments, {
    ...limits,
    ...omissionOf(delivery),
    timeoutMs,
  });
  return leftMs() <= 0 ? postponed : fetched;
}

/** Returns which failed attachments an email is sent without: none, unless it is a digest. */
export function omissionOf({ isDigest, attempt }: { isDigest?: boolean; attempt: number }): AttachmentLimits {
  if (!isDigest) return { omits: 'none' };
  return { omits: attempt < DIGEST_ATTEMPTS_MAX ? 'rejected' : 'all' };
}

export function omittedField(omitted: readonly string[]): LogFields {
  return omitted.length > 0 ? { email_failed_internal: internalText(omitted.join('\n')) } : {};
}

/**
 * Fetches the attachments of a message, one after the other, within 10 s and 25 MB in total. Too large files fail as
 * TRANSIENT_MESSAGE_TOO_LARGE_BOUNCE. Rejected and missing files fail as TRANSIENT_ATTACHMENT_REJECTED_BOUNCE, as do timeouts,
 * 5xx and unreachable hosts after retries. If mail systems reject a file's name, nothing is fetched. For failures in `omits`,
 * only the attachment is omitted. A slow attachment does not use up the time of the others.
 */
export async function fetchAttachments(
  source: Source,
  attachments: readonly Attachment[],
  limits: AttachmentLimits = {},
): Promise<Fetched> {
  const {
    sizeBytesMax = ATTACHMENT_BYTES_MAX,
    timeoutMs = TIMEOUT_MS,
    now = () => performance.now(),
    omits = 'none',
  } = limits;
  const refused = attachments.findIndex(({ filename }) => isRefusedFile(filename));
  if (refused >= 0 && omits === 'none') return notAllowed(label(refused));
  const endsAtMs = now() + timeoutMs;
  const fetched: FetchedAttachment[] = [];
  const omitted: string[] = [];
  let roomBytes = sizeBytesMax;
  for (const [index, attachment] of attachments.entries()) {
    const leftMs = Math.ceil((endsAtMs - now()) / (omits === 'none' ? 1 : attachments.length - index));
    const read = await fetchOne(source, attachment, { leftMs, roomBytes, name: label(index) });
    if (read.ok) {
      roomBytes -= read.attachment.content.length;
      fetched.push(read.attachment);
    } else {
      if (read.failure.kind === 'postponed') return read;
      if (omits === 'none' || (omits === 'rejected' && read.failure.kind !== 'rejected')) return read;
      omitted.push(`${cleanName(attachment.filename)} is omitted: ${read.failure.internal}`);
    }
  }
  return { ok: true, attachments: fetched, omitted };
}

async function fetchOne(
  { fair, accountId }: Source,
  { filename, url, contentId }: Attachment,
  { leftMs, roomBytes, name }: { leftMs: number; roomBytes: number; name: string },
): Promise<{ ok: true; attachment: FetchedAttachment } | { ok: false; failure: EmailFailure | Postponed }> {
  if (isRefusedFile(filename)) return notAllowed(name);
  const request = { accountId, url, timeoutMs: leftMs, sizeBytesMax: roomBytes, onTooLarge: 'fail' } as const;
  const response = leftMs > 0 ? await fair.request(request) : ({ kind: 'timeout' } as const);
  const read = readResponse(response, roomBytes, name);
  if (!read.ok) return read;
  const contentType = typeOfFile(
    filename,
    response.kind === 'response' ? response.headers['content-type'] : '',
  );
  const { content } = read;
  return {
    ok: true,
    attachment: { filename: cleanName(filename), contentType, content, ...defined({ contentId }) },
  };
}

function notAllowed(name: string): { ok: false; failure: EmailFailure } {
  return { ok: false, failure: reject(FAILED, `${name}: file type not allowed`) };
}

function readResponse(response: FairResponse, roomBytes: number, name: string): Read {
  if (response.kind === 'waiting') {
    const { afterSeconds } = response;
    if (response.why === 'share') return failed({ kind: 'postponed', afterSeconds });
    return failed(retry(FAILED, `${name}: its host keeps failing`, { afterSeconds }));
  }
  if (response.kind === 'too_large') return tooLarge(name);
  if (response.kind === 'timeout') return failed(retry(FAILED, `${name}: timeout`));
  if (response.kind === 'unreachable')
    return failed(retry(FAILED, `${name}: unreachable ${response.reason}`));
  if (response.kind !== 'response')
    return failed(reject(FAILED, `${name}: ${response.kind} ${response.reason}`));
  const { status } = response;
  if (isPassingStatus(status)) {
    return failed(retry(FAILED, `${name}: HTTP ${status}`));
  }
  if (status < 200 || status > 299) return failed(reject(FAILED, `${name}: HTTP ${status}`));
  return decompress(response, roomBytes, name);
}

// Object stores send a file's stored content-encoding even if the request does not accept it.
function decompress(response: GuardedResponse & { kind: 'response' }, roomBytes: number, name: string): Read {
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '' || response.body.length === 0) {
    return { ok: true, content: response.body };
  }
  const decode = Object.hasOwn(DECOMPRESS, encoding) ? DECOMPRESS[encoding] : undefined;
  if (!decode) return failed(reject(FAILED, `${name}: unknown content encoding`));
  try {
    // zlib rejects a limit of 0.
    const content = decode(response.body, Math.max(1, roomBytes));
    return content.length > roomBytes ? tooLarge(name) : { ok: true, content };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    // It ends too early, as a response without a length can.
    if (code === 'Z_BUF_ERROR') return failed(retry(FAILED, `${name}: content is incomplete`));
    return code === 'ERR_BUFFER_TOO_LARGE'
      ? tooLarge(name)
      : failed(reject(FAILED, `${name}: content cannot be decoded`));
  }
}

function tooLarge(name: string): Read {
  return failed(reject('TRANSIENT_MESSAGE_TOO_LARGE_BOUNCE', `${name}: attachments too large`));
}

function failed(failure: EmailFailure | Postponed): Read & { ok: false } {
  return { ok: false, failure };
}

function label(index: number): string {
  return `attachment ${index + 1}`;
}

function cleanName(filename: string): string {
  return withoutControls(filename).replace(/[/\\]/g, '_') || 'attachment';
}
