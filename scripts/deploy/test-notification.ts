import * as v from 'valibot';
import { defined } from '../../shared/runtime/values/defined.ts';
import { ErrorBody } from '../../shared/schemas/fields/error.ts';
import { LogRecord } from '../../shared/schemas/logs/log-record.ts';
import { CommandError } from '../frame/command.ts';
import type { InvokeFunction } from '../frame/deployment.ts';

const PAUSE_MS = 1000;
/** The first event of a new table's stream can take a minute. */
const WAIT_MS_MAX = 120_000;

const Accepted = v.object({ trackingId: v.string() });
const Logs = v.object({ logs: v.array(LogRecord) });
const SendResponse = v.object({ statusCode: v.number(), body: v.pipe(v.string(), v.parseJson()) });

/**
 * Sends an email to the account's own administrator and follows its log to an outcome, or until patience ends.
 */
export async function sendTestNotification(
  invoke: InvokeFunction,
  { userId, email, secretKey }: { userId: string; email: string; secretKey: string },
  isSandbox: boolean,
): Promise<Partial<LogRecord>> {
  const headers = { authorization: `Bearer ${secretKey}` };
  const body = {
    type: 'deployment_test',
    to: { id: userId, email },
    email: { subject: 'Your notifications are deployed', html: '<p>The first notification has arrived.</p>' },
    // The sandbox accepts any sender; a real provider gets the fallback on the mail domain, if any.
    ...defined({ options: isSandbox ? { email: { fromAddress: email } } : undefined }),
  };
  const { trackingId } = await call(invoke, 'send', { headers, body }, Accepted);
  const event = { headers, pathParameters: { trackingIds: trackingId } };
  for (const endsAtMs = Date.now() + WAIT_MS_MAX; ; await pause()) {
    const [log = {}] = (await call(invoke, 'get-logs', event, Logs)).logs;
    if (isOver(log) || Date.now() >= endsAtMs) return log;
  }
}

const pause = () => new Promise((resume) => setTimeout(resume, PAUSE_MS));

function isOver({ email_routing, email_sent_at, email_failed_at }: Partial<LogRecord>): boolean {
  const isWithheld = email_routing !== undefined && email_routing !== 'SEND';
  return isWithheld || email_sent_at !== undefined || email_failed_at !== undefined;
}

async function call<S extends v.GenericSchema>(
  invoke: InvokeFunction,
  id: string,
  event: object,
  schema: S,
): Promise<v.InferOutput<S>> {
  const { statusCode, body } = v.parse(SendResponse, await invoke(id, event));
  if (statusCode === 200) return v.parse(schema, body);
  const failure = v.is(ErrorBody, body) ? body.error.message : 'no response';
  throw new CommandError(`The test notification: ${failure}`);
}

/** The lines of a log that show the progress of an email. */
export function logLines(log: Partial<LogRecord>): string {
  const shown = Object.entries(log).filter(([name]) => name === 'trackingId' || name.startsWith('email_'));
  const lines = shown
    .filter(([name, value]) => !name.endsWith('_preview') && typeof value !== 'object')
    .map(([name, value]) => `  ${name.padEnd(24)} ${String(value)}`);
  const advice = adviceOf(log);
  return [...lines, ...(advice ? [advice] : [])].join('\n');
}

function adviceOf(log: Partial<LogRecord>): string | undefined {
  if (log.email_failed_code === 'UNVERIFIED_SENDER')
    return 'No sender is verified yet: see README, "Send real email".';
  if (log.email_failed_at === undefined && log.email_sent_at === undefined)
    return 'It has no outcome yet: check later with npm run invoke -- getLogs.';
  return undefined;
}
