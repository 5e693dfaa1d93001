import { CommandError } from './command.ts';
import { fieldOf, type InvokeFunction, textOf } from './deployment.ts';

const PAUSE_MS = 1000;
/** The first event of a new table's stream can take a minute. */
const WAIT_MS_MAX = 120_000;

/** Sends an email to the account's own administrator and follows its log to an outcome, or until patience ends. */
export async function sendTestNotification(
  invoke: InvokeFunction,
  account: unknown,
  isSandbox: boolean,
): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${textOf(account, 'secretKey')}` };
  const admin = fieldOf(account, 'admin');
  const email = textOf(admin, 'email');
  const body = {
    type: 'deployment_test',
    to: { id: textOf(admin, 'userId'), email },
    email: { subject: 'Your notifications are deployed', html: '<p>The first notification has arrived.</p>' },
    // The sandbox accepts any sender; a real provider gets the fallback on the mail domain, if any.
    ...(isSandbox ? { options: { email: { fromAddress: email } } } : {}),
  };
  const accepted = await answerOf(invoke, 'send', { headers, body });
  const trackingIds = textOf(accepted, 'trackingId') ?? '';
  for (const endsAtMs = Date.now() + WAIT_MS_MAX; ; await pause()) {
    const answer = await answerOf(invoke, 'get-logs', { headers, pathParameters: { trackingIds } });
    const logs = fieldOf(answer, 'logs');
    const [log] = Array.isArray(logs) ? logs : [];
    if (isOver(log) || Date.now() >= endsAtMs) return { ...log };
  }
}

const pause = () => new Promise((resume) => setTimeout(resume, PAUSE_MS));

function isOver(log: unknown): boolean {
  const routing = textOf(log, 'email_routing');
  if (routing !== undefined && routing !== 'SEND') return true;
  return ['email_sent_at', 'email_failed_at'].some((name) => fieldOf(log, name) !== undefined);
}

async function answerOf(invoke: InvokeFunction, id: string, event: object): Promise<unknown> {
  const answer = await invoke(id, event);
  const body: unknown = JSON.parse(textOf(answer, 'body') || 'null');
  if (fieldOf(answer, 'statusCode') === 200) return body;
  const error = fieldOf(body, 'error');
  throw new CommandError(`The test notification: ${textOf(error, 'message') ?? 'no response'}`);
}

/** The lines of a log that show the progress of an email. */
export function logLines(log: Record<string, unknown>): string {
  const shown = Object.entries(log).filter(([name]) => name === 'trackingId' || name.startsWith('email_'));
  const lines = shown
    .filter(([name, value]) => !name.endsWith('_preview') && typeof value !== 'object')
    .map(([name, value]) => `  ${name.padEnd(24)} ${String(value)}`);
  const advice = adviceOf(log);
  return [...lines, ...(advice ? [advice] : [])].join('\n');
}

function adviceOf(log: Record<string, unknown>): string | undefined {
  if (log.email_failed_code === 'UNVERIFIED_SENDER')
    return 'No sender is verified yet: see README, "Send real email".';
  if (log.email_failed_at === undefined && log.email_sent_at === undefined)
    return 'It has no outcome yet: check later with npm run invoke -- getLogs.';
  return undefined;
}
